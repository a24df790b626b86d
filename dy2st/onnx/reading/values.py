"""What flows along the edges of a graph while it is staged.

A tensor that staging knows is a NumPy array: constants, and what is computed of them. So is a small tensor of ints of which some
are known only when the Program runs, such as the shape of an input: its array holds Python's ints and staged ones, as objects.
All else is a Tensor of the recording, a list (ONNX's sequence), or None (an input or an optional that isn't there).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...api.creation import to_tensor
from ...errors import ConversionError, ModelFileError
from ...ops.cast import assign, cast
from ...ops.registry import lookup
from ...ops.views import expect
from ...runtime.proxies import Staged
from ...runtime.tensors.tensor import Tensor
from .budget import budget

MOST_STEPS = 4096  # of one node, each of them an Operation of its own
MOST_AXES = 64  # of an array of NumPy


def few(count: int, what: str, most: int = MOST_STEPS) -> int:
    """The count of steps that a node is recorded as. ModelFileError: too many; a small file may ask for any number."""
    if count > most:
        raise ModelFileError(f"{what} is {count}, and would be as many steps of the Program: {most} are the most")
    budget().record(count)
    return count


def is_known(value: Any) -> bool:
    """Whether staging knows all elements of a value."""
    return isinstance(value, np.ndarray) and value.dtype != object


def of_ints(values: Any, shape: tuple[int, ...] | None = None) -> np.ndarray:
    """Ints, of which some may be staged, as an array of one axis or of this shape: of int64 where all are known."""
    values = list(values)
    made = np.empty(len(values), object)
    for at, value in enumerate(values):  # NumPy would ask a staged int for its elements
        made[at] = value
    found = made if any(isinstance(v, Staged) for v in values) else made.astype(np.int64)
    return found if shape is None else found.reshape(shape)


def settled(array: np.ndarray) -> np.ndarray:
    """An array of ints; of int64 where by now all of them are known."""
    return of_ints(array.reshape(-1), array.shape) if array.dtype == object else array


def as_tensor(value: Any) -> Any:
    """A value as a Tensor; lists and None as they are."""
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype != object:
        return Tensor(value)
    flat = to_tensor([*value.reshape(-1)], dtype="int64")
    return flat if value.ndim == 1 else flat.reshape(list(value.shape))


def as_int(value: Any) -> Any:
    """A tensor of one element as an int, a staged one where only the Program knows it. ValueError: a tensor of another size."""
    if isinstance(value, np.ndarray):
        found = value.item()
        return found if isinstance(found, Staged) else int(found)
    if not value.is_staged:
        return int(value._data.item())
    return lookup("py.item")(cast(value, dtype="int64") if value.dtype.is_floating else value)


def as_ints(value: Any, what: str, count: int | None = None, most: int = 2 * MOST_AXES) -> list[Any]:
    """A tensor of one axis (or of none) as ints, staged ones where they depend on the input data.

    count: how many there are, where its type doesn't say it. ConversionError: it isn't known. ModelFileError: more than `most`.
    """
    if isinstance(value, np.ndarray):
        few(value.size, f"the length of {what}", most)
        return [v if isinstance(v, Staged) else int(v) for v in value.reshape(-1)]
    if not value.is_staged:
        few(value._data.size, f"the length of {what}", most)
        return [int(v) for v in value._data.reshape(-1)]
    if value.dtype.is_floating:
        value = cast(value, dtype="int64")
    if value.type.rank == 0:
        return [lookup("py.item")(value)]
    length = value.static_shape[0] if value.type.rank == 1 else None
    if length is None and count is not None:
        value, length = expect(value, shape=[count], what=what), count
    if not isinstance(length, int):
        raise ConversionError(
            f"how many numbers {what} holds is known only when the model runs, and has to be known while it is loaded, as the "
            "rank of what is computed follows it"
        )
    return [lookup("py.item")(value[at]) for at in range(few(length, f"the length of {what}", most))]


def as_result(value: Any) -> Any:
    """A value that leaves a Block or the model: what the model holds is copied, so that nobody else writes to it."""
    found = as_tensor(value)
    return assign(found) if isinstance(found, Tensor) and not found.is_staged else found
