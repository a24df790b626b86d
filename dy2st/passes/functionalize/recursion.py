"""Functions of a Program that call themselves, and so can't be inlined: which of their arguments they write.

def f(%a: float32[3]) -> float32[3]:        def f(%a: float32[3]) -> tuple<float32[3], float32[3]>:
  add_ %a, %0                                 %1 = add %a, %0 : float32[3]
  ...                                  ->     ...
  return %r                                   %2 = tuple.new %r, %1
                                              return %2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.core import Function, Operation, Value
from ...ir.functions import called
from ...ir.types import TensorType, TupleType
from .places import Place
from .refusals import unclear

if TYPE_CHECKING:
    from .walk import Walk


class FunctionWrites:
    """The memory that the Functions of a Program write: groups of memory, by the names of the Functions."""

    def __init__(self, walk: Walk):
        self.walk = walk
        functions = walk.program.functions
        self.results = {name: function.result_types for name, function in functions.items()}
        self._groups: dict[str, set[Any]] = {name: self._writes(function) for name, function in functions.items()}
        for _ in functions:  # a write is known to its caller, to that one's caller ...
            for name, function in functions.items():
                self._groups[name].update(*(self._groups[callee] for callee in called(function)))

    def _writes(self, function: Function) -> set[Any]:
        return {self.walk.group(op.operands[k]) for op in function.block.walk() for k in self.walk.writes(op)}

    def written_arguments(self, function: Function) -> list[Value]:
        """The tensors among the arguments of a Function that it, or one that it calls, may write; none of the entry's."""
        if function is self.walk.program.entry:
            return []
        groups = self._groups[function.name]
        tensors = [v for v in function.block.args if isinstance(v.type, TensorType) and self.walk.matters(v)]
        return [v for v in tensors if self.walk.group(v) in groups]

    def written_operands(self, op: Operation) -> list[Value]:
        """The arguments of a `call` that its Function may write."""
        function = self.walk.program.functions[op.attrs["function"]]
        written = self.written_arguments(function)
        return [v for v, argument in zip(op.operands, function.block.args) if argument in written]


def rewrite_call(walk: Walk, op: Operation) -> None:
    """Rewrite a `call`: beside its result, the Function gives back what it has written of its arguments."""
    written, name = walk.recursion.written_operands(op), op.attrs["function"]
    given = [s for v in op.operands for s in walk.place(v).storages()]
    targets = [walk.places[v] for v in written]
    if any(given.count(s) > 1 for place in targets for s in place.storages()):
        raise unclear(op, f"{name}, which calls itself, writes memory that it is given twice; give it a clone()")
    if written and _is_in_try(op):
        raise unclear(op, f"{name}, which calls itself, writes its argument and may raise meanwhile; give it a clone()")
    if written:
        _unpack(walk, op, _called(walk, op), targets)
    else:
        walk.plain(op)
    for value in filter(walk.matters, op.results):
        storage = walk.new_storage(value)
        for other in given:
            walk.contents.twin(storage, other)


def _called(walk: Walk, op: Operation) -> Value:
    """The tuple that the Function gives."""
    name = op.attrs["function"]
    written = walk.recursion.written_arguments(walk.program.functions[name])
    type_ = TupleType((*walk.recursion.results[name], *(v.type for v in written)))
    made = Operation("call", [walk.read(v) for v in op.operands], op.attrs, [type_], (), op.loc, op.path)
    return walk.contents.append(made).result


def _unpack(walk: Walk, op: Operation, packed: Value, targets: list[Place]) -> None:
    for value in op.results:
        taken = walk.contents.append(Operation("tuple.get", [packed], {"index": 0}, (), (), op.loc, op.path))
        taken.results, value.owner = [value], taken
    for k, target in enumerate(targets, 1):
        walk.contents.write(target, walk.contents.emit("tuple.get", [packed], {"index": k}, target.type))


def _is_in_try(op: Operation) -> bool:
    at: Any = op.parent
    while at is not None and getattr(at, "name", "") != "try":
        at = getattr(at, "parent", None)
    return at is not None
