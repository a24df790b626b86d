"""A tensor whose number of axes follows the path, or an axis that does: what is called with it is called with each number."""

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
from ..runtime.proxies import StagedInt
from ..runtime.tensors.tensor import Tensor
from .face import Face
from .values import leaves


def open_rank(given: Any) -> Face | None:
    """The first tensor in the arguments of a call whose number of axes a path decides; None if there is none."""
    return next((x for x in leaves(given) if type(x) is Face and x.static_shape is None and _ranks(x._data)), None)


def for_each_rank(x: Face, again: Callable[[Tensor], Any]) -> Any:
    """`again` of the tensor with each of its numbers of axes, under a test of it."""

    ranks = sorted(_ranks(x._data))
    if not ranks:
        said = "a tensor whose number of axes only the Program knows; give it one shape on each path"
        raise ConversionError(f"{recorder_of_mode().here()}: {said}")
    return _for_each(lookup("py.rank")(x), ranks, lambda rank: again(_known(x, rank)))


def numbers(x: Any) -> list[int]:
    """The constants of which an int of the Program is one; nothing where a path doesn't tell."""
    return sorted(_told(x._value, _constant)) if isinstance(x, StagedInt) else []


def for_each_number(x: StagedInt, again: Callable[[int], Any]) -> Any:
    """`again` of each constant that an int of the Program may be, under a test of it."""
    return _for_each(x, numbers(x), again)


def _for_each(x: Any, found: list[int], again: Callable[[int], Any]) -> Any:
    first, *rest = found
    if not rest:
        return again(first)
    return convert_ifelse(lookup("py.eq")(x, first), lambda: again(first), lambda: _for_each(x, rest, again))


def _ranks(value: Value) -> set[int]:
    return _told(value, lambda x: x.type.rank if isinstance(x.type, TensorType) else None)


def _constant(value: Value) -> Any:
    op = value.owner
    known = op.attrs["value"] if isinstance(op, Operation) and op.name == "const" else None
    return known if type(known) is int else None


def _told(value: Value, tell: Callable[[Value], int | None]) -> set[int]:
    """What is told of the Values that the paths yield which lead to one; nothing where one isn't told of."""
    number, op = tell(value), value.owner
    if number is not None:
        return {number}
    if not isinstance(op, Operation) or op.name != "if":
        return set()
    ends = [block.ops[-1] for block in op.blocks]
    found = [_told(end.operands[op.results.index(value)], tell) for end in ends if end.name == "yield"]
    return set().union(*found) if all(found) else set()


def _known(x: Face, rank: int) -> Tensor:
    """It as a tensor of so many axes."""
    plain = Tensor(x._data, x.stop_gradient)
    return api.reshape(plain, [lookup("py.dim")(plain, axis=axis) for axis in range(rank)])
