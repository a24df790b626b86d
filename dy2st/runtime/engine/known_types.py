"""What is known of a Function's tensors beside their declared types, where more is worth knowing.

ranks: calls give arrays of these numbers of axes, which the Program leaves open. named: open lengths get names, and what has the
same name has the same length.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.core import Function, Program, Value
from ...ir.types import Dim, TensorType, Type
from ...ops.refine import Refiner


class KnownTypes:
    """The narrower types of the Values of some Functions.

    lengths: the name of an open length -> the text of an expression over the Function's arguments.
    """

    def __init__(self, program: Program):
        self._program = program
        self._types: dict[Value, Type] = {}
        self.lengths: dict[Function, dict[str, str]] = {}

    def __call__(self, value: Value) -> Type:
        """The type of a Value."""
        return self._types.get(value, value.type)

    def refine(self, function: Function, ranks: Sequence[int] = ()) -> None:
        """Infer the types anew. ranks: of the arguments that have an open one, in their order; () leaves these as they are."""
        refiner, lengths = Refiner(self._program), self.lengths.setdefault(function, {})
        given = iter(ranks)
        for i, value in enumerate(function.block.args):
            if not isinstance(value.type, TensorType):
                continue
            shape = value.type.shape if value.type.shape is not None else _open(next(given, None))
            if shape is not None:
                dims = [f"{i}:{axis}" if dim is None else dim for axis, dim in enumerate(shape)]
                for axis, dim in enumerate(dims):
                    if isinstance(dim, str):
                        lengths.setdefault(dim, f"a{i}.shape[{axis}]")
                refiner.types[value] = TensorType(value.type.dtype, tuple(dims))
        refiner.block(function.block)
        if not refiner.contradicts:
            self._types.update(refiner.types)


def _open(rank: int | None) -> tuple[Dim, ...] | None:
    return None if rank is None else (None,) * rank


def open_ranks(function: Function) -> list[int]:
    """The positions of the arguments that are tensors with any number of axes."""
    return [i for i, arg in enumerate(function.block.args) if isinstance(arg.type, TensorType) and arg.type.shape is None]
