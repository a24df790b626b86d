"""Which Values may share memory: tensors, and the objects that lists, dicts, sets, instances and cells are.

The analysis ignores order and merges Values that flow together: a view with its base, an element with its container, the yields
of two paths with the result, arguments with parameters. Each merged group has roots: the origins that its memory may come from.
Two Values may alias where they are of one group, or their groups share a root. They also may where one comes from outside the
Program, and the other from memory that the outside may hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..pytree import nodes
from .core import Block, Function, Operation, Program, Value
from .groups import Groups
from .native import SHARED, parts
from .types import CellType, ClassType, DictType, ExceptionType, FunctionType, ListType, SetType, TensorType, Type

Root = tuple  # ("param", name), ("state", name), ("outside",), ("new", Operation)
_OUTSIDE: Root = ("outside",)
_OPAQUE = (CellType, ClassType, DictType, ExceptionType, FunctionType, ListType, SetType)


def holds_memory(type_: Type) -> bool:
    """Whether values of the type are, or reach, memory that may be written."""
    return type_.holds(TensorType, *_OPAQUE)


def holds_objects(type_: Type) -> bool:
    """Whether values of the type reach memory other than tensors: references that operators hand on."""
    return type_.holds(*_OPAQUE)


class Aliases(Groups):
    """The groups of a Program. `operators` maps names to objects with `view`, `mutates` and `allocates`."""

    def __init__(self, program: Program, operators: Mapping[str, Any]):
        super().__init__()
        self.program, self.operators = program, operators
        self.roots: dict[Any, set[Root]] = {}
        self.called = {op.attrs.get("function") for op in program.walk() if op.name == "call"}
        self._link_shared_state()
        for number, function in enumerate(program.functions.values()):
            if number == 0 or function.name not in self.called:
                for value in function.block.args:
                    self._root(value, _OUTSIDE)
            self._visit(function.block)

    # --- answers ---

    def memory_of(self, value: Any) -> frozenset[Root]:
        """Where the memory of a Value may come from."""
        return frozenset(self.roots.get(self.group(value), ()))

    def may_alias(self, a: Value, b: Value) -> bool:
        """Whether writing what `a` reaches may change what `b` reaches."""
        if not (holds_memory(a.type) and holds_memory(b.type)):
            return False
        return self.groups_meet(self.group(a), self.group(b))

    def groups_meet(self, a: Any, b: Any) -> bool:
        """Whether two groups may share memory."""
        if a == b:
            return True
        left, right = self.roots.get(a, set()), self.roots.get(b, set())
        return bool(left & right) or _from_outside(left, right) or _from_outside(right, left)

    # --- building ---

    def _root(self, value: Any, root: Root) -> None:
        self.roots.setdefault(self.group(value), set()).add(root)

    def merged(self, kept: Any, gone: Any) -> None:
        if found := self.roots.pop(gone, None):
            self.roots.setdefault(kept, set()).update(found)

    def _merge_holding(self, *values: Value) -> None:
        holding = [v for v in values if holds_memory(v.type)]
        if len(holding) > 1:
            self.merge(*holding)

    def _link_shared_state(self) -> None:
        """State that starts from one shared object flows together."""
        owners: dict[int, Any] = {}
        for name, state in self.program.state.items():
            slot: Root = ("state", name)
            self._root(slot, slot)
            for part in nodes(state.value, parts):
                if isinstance(part, SHARED):
                    self.merge(owners.setdefault(id(part), slot), slot)

    def _visit(self, block: Block) -> None:
        for op in block.ops:
            _LINKS.get(op.name, Aliases._operator)(self, op)
            for inner in op.blocks:
                self._visit(inner)

    def _operator(self, op: Operation) -> None:
        definition = self.operators.get(op.name)
        is_view = definition is not None and definition.view is not None
        if is_view:
            self._merge_holding(op.operands[0], *op.results)
        if definition is None or self._hands_on(op, definition):
            self._merge_holding(*op.operands, *op.results)
        for value in op.results:
            if not is_view and holds_memory(value.type):
                self._root(value, ("new", op))

    def _hands_on(self, op: Operation, definition: Any) -> bool:
        """Whether references pass on: not where all are tensors, nor into a new container of scalars."""
        if any(holds_objects(op.operands[k].type) for k in definition.mutates if k < len(op.operands)):
            return True
        if not any(holds_objects(v.type) or v.type.parts() for v in (*op.operands, *op.results)):
            return False
        inside = [part for v in op.results for part in v.type.parts()]
        return not definition.allocates or any(map(holds_memory, inside)) or any(_holds_anything(v.type) for v in op.results)

    def _if(self, op: Operation) -> None:
        self._link_yields(op, op.blocks)

    def _try(self, op: Operation) -> None:
        self._link_yields(op, op.blocks)

    def _while(self, op: Operation) -> None:
        cond, body = op.blocks
        ends = body.yielded or op.operands
        for columns in zip(op.operands, cond.args, body.args, ends, op.results):
            self._merge_holding(*columns)

    def _link_yields(self, op: Operation, blocks: list[Block]) -> None:
        for block in blocks:
            for value, result in zip(block.yielded, op.results):
                self._merge_holding(value, result)

    def _call(self, op: Operation) -> None:
        callee: Function | None = self.program.functions.get(op.attrs.get("function", ""))
        if callee is None:
            return
        for value, parameter in zip(op.operands, callee.block.args):
            self._merge_holding(value, parameter)
        end = callee.block.terminator
        for value, result in zip(end.operands if end is not None and end.name == "return" else (), op.results):
            self._merge_holding(value, result)

    def _together(self, op: Operation) -> None:
        self._merge_holding(*op.operands, *op.results)
        if op.name == "cell.new":
            self._root(op.results[0], ("new", op))

    def _param(self, op: Operation) -> None:
        root: Root = ("param", op.attrs["name"])
        self.merge(root, op.results[0])
        self._root(root, root)

    def _state(self, op: Operation) -> None:
        root: Root = ("state", op.attrs["name"])
        for value in (*op.operands, *op.results):
            if holds_memory(value.type):
                self.merge(root, value)

    def _thrown(self, op: Operation) -> None:
        """The operands of a `raise` may come out of any handler."""
        slot: Root = ("thrown",)
        for value in (*op.operands, *op.results):
            if holds_memory(value.type):
                self.merge(slot, value)

    def _new(self, op: Operation) -> None:
        for value in op.results:
            self._root(value, ("new", op))

    def _nothing(self, op: Operation) -> None:
        """Scalars and terminators hand nothing on by themselves."""


_LINKS: dict[str, Any] = {
    "const": Aliases._nothing,
    "atom": Aliases._nothing,
    "unbound": Aliases._nothing,
    "undef": Aliases._nothing,
    "caught.is": Aliases._nothing,
    "caught.text": Aliases._nothing,
    "sum.tag": Aliases._nothing,
    "yield": Aliases._nothing,
    "return": Aliases._nothing,
    "raise": Aliases._thrown,
    "caught": Aliases._thrown,
    "exception.new": Aliases._thrown,
    "caught.args": Aliases._thrown,
    "caught.field": Aliases._thrown,
    "if": Aliases._if,
    "while": Aliases._while,
    "try": Aliases._try,
    "call": Aliases._call,
    "param": Aliases._param,
    "gradients": Aliases._new,
    "state.get": Aliases._state,
    "state.set": Aliases._state,
    "cell.new": Aliases._together,
    "cell.get": Aliases._together,
    "cell.set": Aliases._together,
    "sum.make": Aliases._together,
    "sum.get": Aliases._together,
}


def _holds_anything(type_: Type) -> bool:
    """Whether a value may reach memory of which its type says nothing."""
    return isinstance(type_, ClassType) and type_.fields is None or any(map(_holds_anything, type_.parts()))


def _from_outside(left: set[Root], right: set[Root]) -> bool:
    """A caller may pass one array twice, or pass the Program's own storage back to it."""
    return _OUTSIDE in left and any(root[0] in ("outside", "param", "state") for root in right)
