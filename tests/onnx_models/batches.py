"""The calls of a model at other batch sizes, none, one and five of what it takes any number of, and what comes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from programs.conftest import same

import dy2st
from dy2st.static import InputSpec

SIZES = (0, 1, 5)
FEWER = {  # of tests: no loop over no items ends there, or 5 items are 5 to the power of 8 turns
    "test_loops_test_while_true_with_a_tensor_break": (1, 5),
    "test_loops_test_eight_nested_loops": (0, 1),
}


def batches(specs: Sequence[InputSpec], call: Sequence[np.ndarray], test: str = "") -> list[list[np.ndarray]]:
    """A call with as many items as each of SIZES says; none where no length is open.

    The batch is the first open axis of the first input that has one. Whose own first open axis is as long belongs to it.
    test: which asks; those of FEWER aren't called with all sizes.
    """
    axes = [next((axis for axis, length in enumerate(spec.shape) if length in (None, -1)), None) for spec in specs]
    lengths = [None if axis is None else array.shape[axis] for axis, array in zip(axes, call)]
    batch = next((length for length in lengths if length is not None), None)
    if batch is None:
        return []
    of_call = [*zip(call, axes, lengths)]
    return [[x if n != batch else _resized(x, axis, size) for x, axis, n in of_call] for size in FEWER.get(test, SIZES)]


def _resized(x: np.ndarray, axis: int, size: int) -> np.ndarray:
    """So many items, the given ones over and over."""
    return x.take(np.arange(size) % x.shape[axis], axis)


def outcome(function: Callable, call: Sequence[np.ndarray]) -> Any:
    """What a call gives, with copies of the arrays, as later calls change buffers; the exception that it raises."""
    try:
        return snapshot(function(*map(dy2st.to_tensor, call)))
    except Exception as error:
        return error


def snapshot(value: Any) -> Any:
    """A result with copies of its arrays in place of tensors."""
    if isinstance(value, dy2st.Tensor):
        return value.numpy().copy()
    if isinstance(value, dict):
        return {key: snapshot(part) for key, part in value.items()}
    return type(value)(map(snapshot, value)) if type(value) in (list, tuple) else value


def same_outcome(expected: Any, given: Any, where: str) -> None:
    """Two outcomes are equal: values up to rounding, exceptions in their class."""
    if isinstance(expected, Exception) or isinstance(given, Exception):
        assert type(given) is type(expected), f"{where}: {given!r}, expected {expected!r}"
    else:
        same(expected, given, where, rtol=1e-4, atol=1e-4)
