"""The alias sets of a Program's tensors, and which of them are written in place.

Values fall into sets (union-find): a view with its base, a loop's arguments with the values that flow into them. Tensors that
pass through lists, cells, calls or the caller are in one set for each dtype. The engine asks three questions. May the memory of
this temporary be reused? May it lie in a buffer? May this 0-d tensor live in a local variable as a number?
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ...ir.core import Operation, Program, Value
from ...ir.types import ScalarType, TensorType
from ...ops.registry import OPERATORS

_PLAIN = (TensorType, ScalarType)


class TensorAliases:
    """The alias sets of one Program."""

    def __init__(self, program: Program):
        self._parent: dict[Hashable, Hashable] = {}
        self._shared: set[Hashable] = set()
        self._members: dict[Hashable, set[Hashable]] | None = None
        written: list[Value] = []
        for function in program.functions.values():
            self._escape(function.block.args)
            for op in function.block.walk():
                self._visit(op, written)
        self._written = {self._find(v) for v in written}

    def owned(self, value: Value) -> bool:
        """Whether nothing else can hold the memory of `value`."""
        return value not in self._shared

    def members(self, value: Value) -> set[Value] | None:
        """The Values that may share memory with `value`, itself included; None where others than local ones may."""
        if value not in self._shared:
            return {value}
        if self._members is None:
            self._members = {}
            for item in list(self._parent):
                self._members.setdefault(self._find(item), set()).add(item)
        members = self._members[self._find(value)]
        return members if all(isinstance(item, Value) for item in members) else None  # type: ignore[return-value]

    def mutated(self, value: Value) -> bool:
        """Whether some in-place operation may write the memory of `value`."""
        return value in self._parent and self._find(value) in self._written

    def shares(self, a: Value, b: Value) -> bool:
        """Whether two Values may share memory."""
        return a is b or (a in self._shared and b in self._shared and self._find(a) is self._find(b))

    def mutated_parameter(self, name: str) -> bool:
        return ("param", name) in self._parent and self._find(("param", name)) in self._written

    def _visit(self, op: Operation, written: list[Value]) -> None:
        if op.name == "param":
            self._unite(op.result, ("param", op.attrs["name"]))
        elif op.name in ("if", "try", "while"):
            self._region(op)
        elif op.name in ("return", "call"):
            self._escape([*op.operands, *op.results])
        elif op.name in OPERATORS:
            self._operator(op, written)
        elif op.name != "yield":
            self._escape([*op.operands, *op.results])

    def _region(self, op: Operation) -> None:
        for block in op.blocks:
            end = block.terminator
            if end is not None and end.name == "yield" and len(end.operands) == len(op.results):
                self._flow(zip(op.results, end.operands))
            if op.name == "while":
                self._flow(zip(op.results, block.args))
            else:
                self._escape(block.args)
        if op.name == "while":
            self._flow(zip(op.results, op.operands))

    def _operator(self, op: Operation, written: list[Value]) -> None:
        definition = OPERATORS[op.name]
        values = [*op.operands, *op.results]
        if not all(isinstance(v.type, _PLAIN) for v in values):
            return self._escape(values)
        for index in definition.mutates:
            written.append(op.operands[index])
            self._flow((result, op.operands[index]) for result in op.results)
        if definition.view is not None:
            self._flow((result, op.operands[0]) for result in op.results)
        return None

    def _flow(self, pairs: Iterable[tuple[Value, Value]]) -> None:
        for a, b in pairs:
            if isinstance(a.type, TensorType) and isinstance(b.type, TensorType):
                self._unite(a, b)
            else:
                self._escape((a, b))

    def _escape(self, values: Iterable[Value]) -> None:
        for value in values:
            if isinstance(value.type, TensorType):
                self._unite(value, ("heap", value.type.dtype))

    def _unite(self, a: Hashable, b: Hashable) -> None:
        self._shared.update((a, b))
        a, b = self._find(a), self._find(b)
        if a is not b:
            self._parent[a] = b

    def _find(self, item: Hashable) -> Hashable:
        parent = self._parent
        root = parent.setdefault(item, item)
        while parent[root] is not root:
            root = parent[root]
        while parent[item] is not root:
            parent[item], item = root, parent[item]
        return root
