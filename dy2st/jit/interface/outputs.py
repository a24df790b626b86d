"""The tensors in the result of a Function."""

from __future__ import annotations

from ...ir.core import Function, Operation, Value
from ...ir.types import TensorType, TupleType
from ...pytree import nodes

MAKERS = ("tuple.new", "list.new", "dict.new")


class Output(int):
    """The position of a tensor in a result, with what is known of it: `output_spec` takes such."""

    shape: list
    dtype: str

    @classmethod
    def of(cls, position: int, type: TensorType) -> Output:
        """Number `position`, of this type; unknown lengths are -1."""
        made = cls(position)
        made.shape = [dim if isinstance(dim, int) else -1 for dim in type.shape or ()]
        made.dtype = type.dtype
        return made

    def __repr__(self) -> str:
        return f"Output({int(self)}, shape={self.shape}, dtype={self.dtype})"


def outputs_of(function: Function) -> list[Output]:
    """The tensors of its result, in order."""
    types = [value.type for value in output_tensors(function)]
    return [Output.of(position, type_) for position, type_ in enumerate(types) if isinstance(type_, TensorType)]


def output_tensors(function: Function) -> list[Value]:
    """The tensors in its result, in order, as far as they are known: in tuples, and in lists and dicts that nothing else uses."""
    end = function.block.terminator
    if end is None or end.name != "return":
        return []
    changed = {v for op in function.block.walk() if op.name not in MAKERS and op is not end for v in op.operands}

    def items(value: Value) -> list[Value]:
        is_made = isinstance(value.owner, Operation) and value.owner.name in MAKERS and value not in changed
        return value.owner.operands if is_made and not isinstance(value.type, TensorType) else []  # type: ignore[union-attr]

    tensors = [v for result in end.operands for v in nodes(result, items) if isinstance(v.type, TensorType)]
    return list(dict.fromkeys(tensors))


def choose_outputs(function: Function, positions: list[int]) -> None:
    """Let a Function return these of its tensors, in place: one as it is, several as a tuple. ValueError: there is none there."""
    tensors = output_tensors(function)
    for position in positions:
        if not 0 <= position < len(tensors):
            raise ValueError(f"output_spec: there is no output {position}; the result holds {len(tensors)} tensors")
    chosen = [tensors[position] for position in positions]
    end = function.block.ops[-1]
    if len(chosen) > 1:
        made = Operation("tuple.new", chosen, None, [TupleType(tuple(value.type for value in chosen))], loc=end.loc)
        made.parent = function.block
        function.block.ops.insert(-1, made)
        chosen = [made.result]
    end.operands = chosen
