"""A tensor whose number of axes follows the path: what is called with it is called with each number that it may have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dy2st as api

from ..errors import ConversionError
from ..ir.core import Operation, Value
from ..ir.types import TensorType
from ..ops.dispatch import recorder_of_mode
from ..ops.registry import lookup
from ..runtime.convert.operations.ifelse import convert_ifelse
from ..runtime.tensors.tensor import Tensor
from .face import Face
from .values import leaves


def open_rank(given: Any) -> Face | None:
    """The first tensor in the arguments of a call whose number of axes a path decides; None if there is none."""
    return next((x for x in leaves(given) if type(x) is Face and x.static_shape is None and _ranks(x._data)), None)


def for_each_rank(x: Face, again: Callable[[Tensor], Any]) -> Any:
    """`again` of the tensor with each of its numbers of axes, under a test of it."""

    def from_(ranks: list[int]) -> Any:
        known = lambda: again(_known(x, ranks[0]))  # noqa: E731
        if len(ranks) == 1:
            return known()
        return convert_ifelse(lookup("py.eq")(lookup("py.rank")(x), ranks[0]), known, lambda: from_(ranks[1:]))

    ranks = sorted(_ranks(x._data))
    if not ranks:
        said = "a tensor whose number of axes only the Program knows; give it one shape on each path"
        raise ConversionError(f"{recorder_of_mode().here()}: {said}")
    return from_(ranks)


def _ranks(value: Value) -> set[int]:
    """What the paths yield that lead to a Value; nothing where one doesn't tell."""
    if isinstance(value.type, TensorType) and value.type.rank is not None:
        return {value.type.rank}
    op = value.owner
    if not isinstance(op, Operation) or op.name != "if":
        return set()
    ends = [block.ops[-1] for block in op.blocks]
    found = [_ranks(end.operands[op.results.index(value)]) for end in ends if end.name == "yield"]
    return set().union(*found) if all(found) else set()


def _known(x: Face, rank: int) -> Tensor:
    """It as a tensor of so many axes."""
    plain = Tensor(x._data, x.stop_gradient)
    return api.reshape(plain, [lookup("py.dim")(plain, axis=axis) for axis in range(rank)])
