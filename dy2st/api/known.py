"""What staging has to know of arguments, and lengths that the Program checks because only it knows them.

A public function that makes a list, a loop or a window of an int asks `need_known` first: a staged int is no Python int, and
what `isinstance(n, int)` decides for it would be wrong. Where a length has to be a certain one, `of_length` gives a tensor that
has it; `of_shape` does so for all lengths, and `same_lengths` says whether that is needed.
"""

from __future__ import annotations

from typing import Any

from ..errors import ConversionError, ShapeError
from ..ir.shape import shape_agrees, shape_text
from ..ops.views import expect
from ..runtime.proxies import Staged
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank


def is_known(value: Any) -> bool:
    """Whether staging knows an argument, and each item of it where it is a list."""
    if isinstance(value, (list, tuple)):
        return all(map(is_known, value))
    return not isinstance(value, Staged) and not (isinstance(value, Tensor) and value.is_staged)


def need_known(op: str, **arguments: Any) -> None:
    """ConversionError where one of these arguments is known only when the Program runs."""
    for name, value in arguments.items():
        if not is_known(value):
            raise ConversionError(
                f"{op}: {name} is known only when the Program runs, and has to be known while staging; write an if for each "
                f"value that it may have, with a call of {op} on each path, or pass it in as a Python int"
            )


def known_length(op: str, x: Tensor, axis: int) -> int:
    """The length of an axis, which says how many operators there are; ConversionError where only the Program knows it."""
    length = x.shape[axis]
    if not isinstance(length, int):
        raise ConversionError(
            f"{op}: the length of axis {axis} of {x.type} is known only when the Program runs, and has to be known while "
            "staging; give the InputSpec that length, or use a for loop over the tensor"
        )
    return length


def of_length(op: str, x: Tensor, axis: int, length: Any, wrong: str) -> Tensor:
    """x, of which `axis` has this length; ShapeError where it hasn't, from the Program where only that knows: what is `wrong`."""
    found = x.shape[axis]
    if type(found) is int and type(length) is int:  # a trace's length says that it is an int, and is followed
        if found != length:
            raise ShapeError(f"{op}: {wrong}: axis {axis} of {x.type} has length {found}, not {length}")
        return x
    if type(length) is int or not isinstance(length, int):
        length = length - (length == -1)  # which stands for any length there
    axis %= x.type.rank or 1
    return expect(x, shape=[length if at == axis else -1 for at in range(x.ndim)], what=f"{op}: {wrong}: x")


def same_lengths(x: Tensor, y: Tensor) -> bool:
    """Whether staging knows that two tensors have one shape. Two open lengths may be any two."""
    return x.type.shape == y.type.shape and x.type.shape is not None and None not in x.type.shape


def of_shape(op: str, x: Tensor, like: Tensor, wrong: str) -> Tensor:
    """x, which has the shape of `like`; ShapeError as of `of_length`."""
    if same_lengths(x, like):
        return x
    found, wanted = x.type.shape, like.type.shape
    if known_rank(op, x) != known_rank(op, like) or not shape_agrees(found, wanted):
        raise ShapeError(f"{op}: {wrong}: the shape is {shape_text(found)}, not {shape_text(wanted)}")
    for axis in range(x.ndim):
        x = of_length(op, x, axis, like.shape[axis], wrong)
    return x


def of_some_length(op: str, x: Tensor, axis: int, wrong: str) -> Tensor:
    """x, of which the length of `axis` isn't 0; ShapeError as of `of_length`."""
    length = x.shape[axis]
    return of_length(op, x, axis, length + is_less(length, 1), wrong)


def is_less(a: Any, b: Any) -> Any:
    """1 where one length is less than another, else 0: an int that follows both, as a comparison in a trace doesn't."""
    return (a - b) // (1 << 62) * -1


def larger(a: Any, b: Any) -> Any:
    """The larger one of two lengths, also where only the Program knows them."""
    return a + (b - a) * is_less(a, b)


def of_multiple(op: str, x: Tensor, axis: int, count: Any) -> Tensor:
    """x, of which the length of `axis` is a multiple of `count`; ShapeError as of `of_length`."""
    return of_length(op, x, axis, x.shape[axis] // count * count, f"a length doesn't divide into {count}")
