"""A number that is an int on one path and a float or a bool on another, beside tensors and numbers: a grid.

Each case is a function of a tensor and of which path is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

import dy2st as paddle
from dy2st.static import InputSpec

BIG = 2**53 + 1  # which no float is
VALUES = {
    "bool": [True, False],
    "uint8": [0, 1, 2, 255],
    "int8": [-128, -1, 2, 127],
    "int32": [-7, 0, 2, 2**31 - 1],
    "int64": [BIG, BIG - 1, 2, -BIG],
    "float32": [0.5, -2.0, 3.0, 1e30],
    "float64": [0.5, -2.0, float(BIG), 2.5],
}
KINDS: dict[str, tuple] = {  # the number on each of three paths
    "int, float": (3, 2.5, 2.0),
    "large int, float": (BIG, 0.5, 2.0**53),
    "large int, small float": (BIG, 1.0, -1.0),
    "bool, int": (True, 2, BIG),
    "bool, float": (True, 0.5, 3.0),
    "bool, int, float": (True, 3, 0.5),
}
OPERATORS: list[Callable[[Any, Any], Any]] = [
    lambda x, k: x == k,
    lambda x, k: x != k,
    lambda x, k: x < k,
    lambda x, k: x <= k,
    lambda x, k: x > k,
    lambda x, k: x >= k,
    lambda x, k: k < x,
    lambda x, k: k >= x,
    lambda x, k: x + k,
    lambda x, k: k + x,
    lambda x, k: x - k,
    lambda x, k: k - x,
    lambda x, k: x * k,
    lambda x, k: x / k,
    lambda x, k: k / x,
    lambda x, k: x // k,
    lambda x, k: k // x,
    lambda x, k: x % k,
    lambda x, k: k % x,
    lambda x, k: x**k,
    lambda x, k: x & k,
    lambda x, k: k ^ x,
    lambda x, k: paddle.where(x > 1, x, k),
    lambda x, k: paddle.where(x > 1, k, x),
    lambda x, k: paddle.where(x > 1, k, 7),
    lambda x, k: paddle.maximum(x, paddle.to_tensor(k)),
    lambda x, k: paddle.equal(x, k),
    lambda x, k: x.add(k),
    lambda x, k: paddle.clip(x, max=k),
    lambda x, k: paddle.full_like(x, k),
    lambda x, k: paddle.full([2], k),
    lambda x, k: paddle.full([2], k, dtype="int64"),
    lambda x, k: paddle.to_tensor(k),
    lambda x, k: paddle.to_tensor([k, 2]),
    lambda x, k: paddle.to_tensor(k, dtype="int64"),
    lambda x, k: paddle.masked_fill(x, x > 1, k),
    lambda x, k: (x + k) - k,
    lambda x, k: x[0].item() + k,
    lambda x, k: x[0].item() - k,
    lambda x, k: k // 2 + x[0].item(),
    lambda x, k: x[0].item() == k,
    lambda x, k: x[0].item() < k,
    lambda x, k: k >= x[1].item(),
    lambda x, k: k == k - 1,
    lambda x, k: max(k, x[0].item()),
    lambda x, k: [k, x[0].item()].index(k),
]
CASES = [*product(range(len(OPERATORS)), VALUES, KINDS)]


def of(operator: int, kind: str) -> Callable:
    """The function of a case."""
    first, second, third = KINDS[kind]
    use = OPERATORS[operator]

    def f(x, path):
        if path == 0:
            k = first
        elif path == 1:
            k = second
        else:
            k = third
        return use(x, k)

    return f


def specs(dtype: str) -> list[InputSpec]:
    return [InputSpec([len(VALUES[dtype])], dtype, "x"), InputSpec([], "int64", "path")]


def calls(dtype: str) -> list[tuple]:
    x = np.array(VALUES[dtype], dtype)
    return [(x, np.int64(path)) for path in range(3)]


def outcome(function: Callable, call: tuple) -> tuple[str, Any]:
    """The dtype and the elements that a call gives, a number as the tensor that a Program gives; or its exception."""
    try:
        found = function(*map(paddle.to_tensor, call))
    except Exception as error:
        return "raised", type(error).__name__
    if not isinstance(found, paddle.Tensor):
        found = paddle.to_tensor(found, "float64" if isinstance(found, float) else None)  # Python's floats have 53 bits
    return found.dtype.name, found.numpy().tolist()
