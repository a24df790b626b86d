"""The side effects of an Operation, and what a pass may therefore do with it.

    effects = EffectAnalysis(program, OPERATORS)
    effects.can_remove(op)                  # nothing would be missed but its results
    effects.may_alias(a, b)                 # writing what a reaches may change what b reaches

Tensors are memory too: every operator reads its tensor operands, a mutating one writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from .alias import Aliases, Root, holds_memory
from .core import TERMINATORS, Block, Operation, Program, Value
from .functions import components, recursive_functions


@dataclass
class Effects:
    """Groups of memory that are read and written, exceptions by name, and the rest."""

    reads: set[Any] = field(default_factory=set)
    writes: set[Any] = field(default_factory=set)
    raises: set[str] = field(default_factory=set)
    random: bool = False
    io: bool = False
    allocates: bool = False

    def add(self, other: Effects) -> None:
        """Take in another's."""
        self.reads |= other.reads
        self.writes |= other.writes
        self.raises |= other.raises
        self.random |= other.random
        self.io |= other.io
        self.allocates |= other.allocates


class CoreEffect(NamedTuple):
    """A core operation's own effects: which operands it reads and writes, whether `name` is a slot of state."""

    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    reads_state: bool = False
    writes_state: bool = False
    allocates: bool = False


_NONE = CoreEffect()
# Region operations have the effects of their blocks besides, `call` those of its function (and of a recursion, that it may go too
# deep), `raise` the exception it names.
CORE_EFFECTS: dict[str, CoreEffect] = {
    "const": _NONE,
    "atom": _NONE,
    "unbound": _NONE,
    "undef": _NONE,
    "param": _NONE,
    "if": _NONE,
    "while": _NONE,
    "try": _NONE,
    "raise": _NONE,
    "call": _NONE,
    "yield": _NONE,
    "return": _NONE,
    "cell.new": CoreEffect(allocates=True),
    "cell.get": CoreEffect(reads=(0,)),
    "cell.set": CoreEffect(writes=(0,)),
    "gradients": _NONE,
    "state.get": CoreEffect(reads_state=True),
    "state.set": CoreEffect(writes_state=True),
    "caught": _NONE,
    "exception.new": _NONE,
    "caught.is": _NONE,
    "caught.text": _NONE,
    "caught.args": _NONE,
    "caught.field": _NONE,
    "sum.make": _NONE,
    "sum.tag": _NONE,
    "sum.get": _NONE,
}
_ANY_EXCEPTION = "Exception"


class EffectAnalysis:
    """Effects and aliases of one Program as it stands; make a new one after changing it.

    operators: name -> an object with `mutates`, `view`, `reads`, `may_raise`, `random`, `io`, `allocates`. An operation
    that is neither core nor there is taken to do everything.
    """

    def __init__(self, program: Program, operators: Mapping[str, Any]):
        self.program, self.operators = program, operators
        self.recursive = recursive_functions(program)

    @cached_property
    def aliases(self) -> Aliases:
        return Aliases(self.program, self.operators)

    @cached_property
    def functions(self) -> dict[str, Effects]:
        """The effects of each Function. Those that call each other do, each of them, what all do."""
        self.functions = {}
        for names in components(self.program):
            together = Effects()
            self.functions.update(dict.fromkeys(names, together))
            for name in names:
                together.add(self._block(self.program.functions[name].block))
        return self.functions

    # --- answers ---

    def effects_of(self, op: Operation) -> Effects:
        """All effects of an Operation, those of its blocks and of the function it calls included."""
        effects = self._own(op)
        for block in op.blocks:
            effects.add(self._block(block))
        return effects

    def may_alias(self, a: Value, b: Value) -> bool:
        """Whether writing what `a` reaches may change what `b` reaches."""
        return self.aliases.may_alias(a, b)

    def memory_of(self, value: Value) -> frozenset[Root]:
        """Where the memory of a Value may come from: ("param", name), ("state", name), ("outside",), ("new", operation)."""
        return self.aliases.memory_of(value)

    def can_remove(self, op: Operation) -> bool:
        """Whether an Operation whose results nobody uses can go. A loop counts as one that ends."""
        return self.at_most_fails(op) and not self.effects_of(op).raises

    def at_most_fails(self, op: Operation) -> bool:
        """Whether all that an Operation whose results nobody uses may do is to raise."""
        if op.name in TERMINATORS:
            return False
        effects = self.effects_of(op)
        if effects.io or effects.random:
            return False
        inner = {o for block in op.blocks for o in block.walk()}
        return all(self._made_inside(group, inner) for group in effects.writes)

    # --- how ---

    def _made_inside(self, group: Any, inner: set[Operation]) -> bool:
        roots = self.aliases.roots.get(group, set())
        return bool(roots) and all(root[0] == "new" and root[1] in inner for root in roots)

    def _block(self, block: Block) -> Effects:
        effects = Effects()
        for op in block.ops:
            effects.add(self.effects_of(op))
        return effects

    def _groups(self, values: Iterable[Value]) -> set[Any]:
        return {self.aliases.group(v) for v in values if holds_memory(v.type)}

    def _own(self, op: Operation) -> Effects:
        if op.name in CORE_EFFECTS:
            return self._core(op, CORE_EFFECTS[op.name])
        definition = self.operators.get(op.name)
        groups = self._groups(op.operands)
        if definition is None:
            return Effects(groups, set(groups), {_ANY_EXCEPTION}, True, True, True)
        writes = self._groups(op.operands[k] for k in definition.mutates if k < len(op.operands))
        return Effects(groups, writes, set(definition.may_raise(op)), definition.random, definition.io, definition.allocates)

    def _core(self, op: Operation, core: CoreEffect) -> Effects:
        effects = Effects(
            reads=self._groups(op.operands[k] for k in core.reads),
            writes=self._groups(op.operands[k] for k in core.writes),
            allocates=core.allocates,
        )
        if core.reads_state or core.writes_state:
            slot = self.aliases.group(("state", op.attrs["name"]))
            (effects.writes if core.writes_state else effects.reads).add(slot)
        if op.name == "raise":
            effects.raises.add(op.attrs.get("exception", _ANY_EXCEPTION))
        if op.name == "call":
            effects.add(self.functions.get(op.attrs["function"], Effects()))
            if op.attrs["function"] in self.recursive:
                effects.raises.add("RecursionError")
        return effects
