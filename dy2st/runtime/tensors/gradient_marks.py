"""The flags that a tensor may have, on any path: of what a container holds, and all that may be the same one, together.

Flags are a number, with a bit for each input or parameter that a gradient may be asked of: whether the tensor leads back to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import and_, or_
from typing import Any

from ...ir.alias import Aliases, holds_objects
from ...ir.core import Function, Operation, Program, Value
from ...ops.registry import OPERATORS, OpDef
from .activity import handed_on, holds_floats, leading_operands, leaf_kind, leaves_of_inputs, passes_gradients, with_bases

Flow = int | None | tuple["Flow", ...]
Found = tuple[int, int]  # the bits that a tensor may have, and those that it may not have
NOTHING = 0, 0
_STRUCTURAL = ("list.", "dict.", "set.", "object.", "cell.", "tuple.", "sum.", "sequence.")


class GradientMarks:
    """Those of a Function and the ones that it calls. bits: the bits of its arguments, by number, and of parameters, by name.

    leaf, inside: the bits of a leaf that the Program makes, and of what is computed of one. returned: the tuples that only the
    result is made of. Their parts are told apart.
    """

    def __init__(self, program: Program, entry: Function, bits: Mapping[int | str, int], leaf: int = -1, inside: int = -1):
        self.program, self.bits, self.entry, self.leaf, self.inside = program, bits, entry, leaf, inside
        self.all = reduce(or_, (*bits.values(), leaf, inside), 0)
        self._inputs = {value: number for number, value in leaves_of_inputs(entry).items()}
        self.aliases = Aliases(program, OPERATORS)
        self.found: dict[Any, Found] = {}  # by Value, or by group of containers
        self.returned = set(_returned(entry))
        for number, arg in enumerate(entry.block.args):
            if holds_floats(arg.type):
                self._add(arg, self._exactly(0 if number in self._inputs.values() else bits.get(number, 0)))
        while self._visit_all():
            pass

    def of(self, value: Value) -> int | None:
        """The flags of all that a Value holds; None where they differ from path to path, or from part to part."""
        yes, no = self._of(value)
        return None if yes & no else yes

    def alias(self, copies: Mapping[Value, Value]) -> None:
        """Let copies of Values have the flags of these."""
        self.found.update({self._key(copy): self._of(value) for value, copy in copies.items() if holds_floats(value.type)})

    def of_result(self) -> Flow:
        """The same of the result: of each part of a tuple. A Function that always raises gives nothing."""
        end = self.entry.block.ops[-1]
        return self._part(end.operands[0]) if end.name == "return" else 0

    def _part(self, value: Value) -> Flow:
        if value in self.returned:
            return tuple(self._part(part) for part in value.owner.operands)  # type: ignore[union-attr]
        return self.of(value)

    # --- building ---

    def _key(self, value: Value) -> Any:
        return ("group", self.aliases.group(value)) if holds_objects(value.type) else value

    def _of(self, value: Value) -> Found:
        return self.found.get(self._key(value), NOTHING)

    def _exactly(self, flags: int) -> Found:
        return flags, self.all & ~flags

    def _add(self, value: Value, more: Found) -> None:
        key = self._key(value)
        before = self.found.get(key, NOTHING)
        after = before[0] | more[0], before[1] | more[1]
        if after != before:
            self.found[key] = after
            self._changed = True

    def _visit_all(self) -> bool:
        """One pass over the Program; whether it has found anything."""
        self._changed = False
        for op in self.program.walk():
            self._control(op)
            if not op.blocks and op.name != "call" and not (op.results and op.results[0] in self.returned):
                self._operation(op)
        return self._changed

    def _flow(self, pairs: Iterable[tuple[Value, Value]]) -> None:
        for given, taken in pairs:
            if holds_floats(taken.type):
                self._add(taken, self._of(given))

    def _control(self, op: Operation) -> None:
        self._flow(handed_on(op))
        if op.name == "call":
            block = self.program.functions[op.attrs["function"]].block
            self._flow(zip(op.operands, block.args))
            if block.ops[-1].name == "return":
                self._flow(zip(block.ops[-1].operands, op.results))
        elif op.name != "while":  # the arguments of a handler may come from anywhere
            for arg in (arg for block in op.blocks for arg in block.args if holds_floats(arg.type)):
                self._add(arg, (self.all, self.all))

    def _operation(self, op: Operation) -> None:
        floats = [v for v in op.results if holds_floats(v.type)]
        changed = [v for v in changed_by(op) if holds_floats(v.type)]
        if not floats and not changed:
            return
        more = self._of_results(op)
        for value in floats:
            self._add(value, more)
        for value in changed:
            bases = list(with_bases(value))
            if not self._is_asked(bases[-1]):  # such a leaf is written by an optimizer, which leaves it one
                for base in bases:
                    self._add(base, more)

    def _is_asked(self, value: Value) -> bool:
        op = value.owner
        return isinstance(op, Operation) and op.name == "param" and bool(self.bits.get(op.attrs["name"]))

    def _of_results(self, op: Operation) -> Found:
        """The flags that an operation's results may have, from those of its operands."""
        definition = OPERATORS.get(op.name)
        if op.name == "param":
            return self._exactly(self.bits.get(op.attrs["name"], 0))
        if op.name == "state.get":
            return self._exactly(0)  # a call whose state leads back to earlier ones runs on the tape
        if op.name == "undef":
            return NOTHING
        if kind := leaf_kind(op):
            return self._exactly(self.leaf if kind != "input" else self.bits.get(self._inputs.get(op.result, -1), 0))
        if op.name == "gradients" and not op.attrs.get("create_graph"):
            return self._exactly(0)
        if is_structural(op):
            given = [self._of(v) for v in op.operands if holds_floats(v.type)]
            return reduce(or_, (yes for yes, _ in given), 0), reduce(or_, (no for _, no in given), 0)
        if not passes_gradients(op):
            return self._exactly(0)
        if definition is None or (definition.grad is None and not definition.mutates):
            return self.all, self.all  # it hands on tensors in its own way
        given = [self._computed(self._of(v)) for v in leading_operands(op) if holds_floats(v.type)]
        return reduce(or_, (yes for yes, _ in given), 0), reduce(and_, (no for _, no in given), self.all)

    def _computed(self, found: Found) -> Found:
        """The flags of what is computed of a tensor: it is no leaf."""
        yes, no = found
        if self.leaf == self.inside or not yes & self.leaf:
            return found
        surely = 0 if no & self.leaf else self.inside
        return yes & ~self.leaf | self.inside, (no | self.leaf) & ~surely


def are_known(flow: Flow) -> bool:
    """Whether the flags of all parts of a result are the same on every path."""
    return all(map(are_known, flow)) if isinstance(flow, tuple) else flow is not None


def holds_containers(program: Program) -> bool:
    """Whether it makes lists, dicts or objects that may hold floating-point tensors."""
    return any(holds_objects(v.type) and holds_floats(v.type) for op in program.walk() for v in op.results)


def _returned(function: Function) -> Iterator[Value]:
    uses = Counter(v for op in function.block.walk() for v in op.operands)
    waiting = function.block.ops[-1].operands[:]
    while waiting:
        value = waiting.pop()
        if isinstance(value.owner, Operation) and value.owner.name == "tuple.new" and uses[value] == 1:
            yield value
            waiting += value.owner.operands


def is_structural(op: Operation | OpDef) -> bool:
    """Whether an operation hands on what containers hold, rather than computing with tensors."""
    return op.name.startswith(_STRUCTURAL)


def changed_by(op: Operation) -> list[Value]:
    """The operands that an operation changes in place."""
    definition = OPERATORS.get(op.name)
    if definition is not None:
        return [op.operands[i] for i in definition.mutates]
    return op.operands[:1] if op.name in ("cell.set", "object.set", "object.delete") else []
