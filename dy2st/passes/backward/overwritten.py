"""Writes to memory that a gradient rule still needs: plain Python raises in `backward()`.

    %y = multiply %m, %x        the gradient of %x needs %m,
    add_ %m, %x                 which is written before the backward runs

A backward Program would read the elements as they were, and give a gradient where plain Python gives none. Such a Program is
refused here. On the tape, which counts writes, it raises where the path that was taken has such a write. Memory that is written
before its use, or allocated in each iteration, doesn't matter.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from ...ir.alias import Aliases, holds_memory
from ...ir.core import Block, Operation, Program, Value
from ...ir.functions import reached
from ...ops.registry import OPERATORS
from ...runtime.tensors.activity import Activity, handed_on, holds_floats, passes_gradients
from ..copying import copied
from ..functionalize.writes import written_tensors
from ..inline import inline_all
from .hidden import bases_of, written
from .refusal import NotDifferentiableError
from .rule_reads import GradientRule

_OUTSIDE = ("outside",)


def refuse_late_writes(program: Program, asked: Collection[int | str], name: str) -> None:
    """NotDifferentiableError where the Function `name` writes memory that the gradients of inputs and parameters still need.

    asked: numbers of inputs and names of parameters, as `split` takes them.
    """
    if any(map(written_tensors, program.walk())):
        LateWrites(program, asked, name).refuse()


class LateWrites:
    """The writes to tensors in a Function and in those that it calls, and whether one comes after a use of that memory."""

    def __init__(self, program: Program, asked: Collection[int | str], name: str):
        self.program = copied(program)
        inline_all(self.program)
        self.entry = self.program.functions[name].block
        self.called = [self.program.functions[other].block for other in sorted(reached(self.program, name))]
        self.activity = Activity(self.program, self.program.functions[name], list(self._start(asked)))
        self.aliases: Aliases = self.activity.aliases
        self.within = {op: block for block in (self.entry, *self.called) for op in block.walk()}
        self.order = {op: k for k, op in enumerate(self.within)}
        self.writes = [(op, op.operands[k]) for op in self.order for k in written_tensors(op)]

    def _start(self, asked: Collection[int | str]) -> Iterator[Value]:
        yield from (self.entry.args[key] for key in asked if isinstance(key, int))
        for op in self.entry.walk():
            if op.name == "call" or (op.name == "param" and op.attrs["name"] in asked):
                yield from op.results

    def refuse(self) -> None:
        """NotDifferentiableError at a write that comes too late."""
        for op in leading_to_the_end(self.entry, self.aliases):
            self._check(op, lambda value: value in self.activity)
        for op in (op for block in self.called for op in block.walk()):
            self._check(op, lambda value: holds_floats(value.type))

    def _check(self, op: Operation, is_active: Callable[[Value], bool]) -> None:
        rule = GradientRule.of(op, is_active, self._share)
        if rule is None:
            return
        late = [pair for pair in self.writes if any(self._meet(v, pair[1]) for v in rule.memory.values())]
        late = [(write, target) for write, target in late if self._is_later(op, write, target)]
        needed = rule.reads() if late else ()
        for write, target in late:
            if any(self._meet(v, target) for v in needed):
                raise NotDifferentiableError(
                    write,
                    f"{write.name} changes in place what the gradient of {op.name} needs; change a copy (`x.clone()`), or change "
                    "it before its use",
                )

    def _meet(self, a: Value, b: Value) -> bool:
        """Whether two tensors may share memory. Two inputs, or an input and a parameter, don't."""
        one, other = self._origin(a), self._origin(b)
        if one is not None and other is not None:
            return one == other
        if self.aliases.group(a) == self.aliases.group(b):
            return True
        return any(root != _OUTSIDE for root in self.aliases.memory_of(a) & self.aliases.memory_of(b))

    def _share(self, a: Value, b: Value) -> bool:
        """Whether two tensors surely lie in one memory."""
        origin = self._origin(a)
        return origin is not None and origin == self._origin(b)

    def _origin(self, value: Value) -> Any:
        """The operator that allocates the memory of a tensor, or the input or parameter that it is; None: several may be."""
        *_, base = bases_of(value)
        op = base.owner
        if not isinstance(op, Operation):
            return base if op is self.entry else None
        if op.name == "param":
            return op.attrs["name"]
        definition = OPERATORS.get(op.name)
        return op if definition is not None and definition.view is None and "." not in op.name else None

    def _is_later(self, use: Operation, write: Operation, target: Value) -> bool:
        """Whether a write to `target` may come after a use, and before the backward."""
        origin = self._origin(target)
        made = origin if isinstance(origin, Operation) else None
        if not self._are_of_one_call(use, write, made):
            return True
        if made is not None and self.order[use] < self.order[made]:
            return False
        around = dict(_blocks_around(use))
        loops = [op for op, _ in _blocks_around(write) if op.name == "while" and op in around]
        if any(self._outlives_iteration(target, made, set(loop.walk()), loop) for loop in loops):
            return True
        return self.order[write] > self.order[use] and not _are_exclusive(use, write)

    def _are_of_one_call(self, use: Operation, write: Operation, made: Operation | None) -> bool:
        """Whether a use counts only in the call of a Function that writes. made: the operation that allocates the memory."""
        if not self.called:
            return True
        function = self.within[write]
        if made is None or self.within[made] is not function:
            return False
        around = dict(_blocks_around(made))
        repeats = any(op.name == "while" and op not in around for op, _ in _blocks_around(write))
        between = range(self.order[made], self.order[write])
        calls = any(op.name == "call" and k in between for op, k in self.order.items())
        return self.within[use] is function and not calls and not repeats

    def _outlives_iteration(self, value: Value, made: Operation | None, inside: Collection[Operation], loop: Operation) -> bool:
        """Whether the next iteration of a loop may write the memory of a Value in this one."""
        if made is not None:
            return made not in inside
        group = self.aliases.group(value)
        if any(self.aliases.group(v) == group for block in loop.blocks for v in block.args if holds_memory(v.type)):
            return True
        return any(root[0] != "new" or root[1] not in inside for root in self.aliases.memory_of(value))


def leading_to_the_end(block: Block, aliases: Aliases) -> list[Operation]:
    """The operations of a Function's body, those of inner Blocks included, by which gradients of its result or state may flow."""
    operations = list(block.walk())[::-1]
    used, found = set(block.ops[-1].operands), dict.fromkeys(op for op in operations if op.name == "state.set")
    used.update(v for op in found for v in op.operands)
    before = -1
    while before != (before := len(used) + len(found)):
        memory = {aliases.group(v) for v in used if holds_memory(v.type)}
        for op in operations:
            used.update(given for given, taken in handed_on(op) if taken in used)
            leads = any(v in used for v in op.results) or any(aliases.group(v) in memory for v in written(op))
            if leads and not op.blocks and passes_gradients(op):
                found[op] = None
                used.update(op.operands)
    return list(found)


def _blocks_around(op: Operation) -> Iterator[tuple[Operation, Block]]:
    """The Blocks in which an operation lies, the innermost first, each with the operation that it belongs to."""
    block = op.parent
    while block is not None and isinstance(block.parent, Operation):
        yield block.parent, block
        block = block.parent.parent


def _are_exclusive(a: Operation, b: Operation) -> bool:
    """Whether two operations lie in different branches of an `if`."""
    blocks = dict(_blocks_around(a))
    return any(owner.name == "if" and blocks.get(owner, block) is not block for owner, block in _blocks_around(b))
