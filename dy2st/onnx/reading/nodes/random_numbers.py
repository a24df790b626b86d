"""Random numbers that dy2st draws anew at each call. A seed in the model speaks of another one, and has no effect."""

from __future__ import annotations

from typing import Any

from ....api.distributions import multinomial
from ....ops.cast import cast
from ....ops.random import normal, uniform
from ....ops.softmax import softmax
from ....runtime.tensors.tensor import Tensor
from ..registry import node
from ..tensors import dtype_of


@node("RandomUniform", folds=False)
def uniform_numbers(
    *, shape: list[int], dtype: int = 1, high: float = 1.0, low: float = 0.0, seed: float | None = None
) -> Tensor:
    return uniform(shape=shape, min=low, max=high, dtype=dtype_of(dtype))


@node("RandomNormal", folds=False)
def normal_numbers(
    *, shape: list[int], dtype: int = 1, mean: float = 0.0, scale: float = 1.0, seed: float | None = None
) -> Tensor:
    return normal(shape=shape, mean=mean, std=scale, dtype=dtype_of(dtype))


def _dtype(x: Tensor, dtype: int | None) -> str:
    return x.dtype.name if dtype is None else dtype_of(dtype)


@node("RandomUniformLike", folds=False)
def uniform_like(
    x: Tensor, *, dtype: int | None = None, high: float = 1.0, low: float = 0.0, seed: float | None = None
) -> Tensor:
    return uniform(shape=x.shape, min=low, max=high, dtype=_dtype(x, dtype))


@node("RandomNormalLike", folds=False)
def normal_like(
    x: Tensor, *, dtype: int | None = None, mean: float = 0.0, scale: float = 1.0, seed: float | None = None
) -> Tensor:
    return normal(shape=x.shape, mean=mean, std=scale, dtype=_dtype(x, dtype))


@node("Multinomial", folds=False)
def classes(x: Tensor, *, dtype: int = 6, sample_size: int = 1, seed: float | None = None) -> Any:
    """Classes drawn of the logarithms [batch, classes] of their chances: [batch, sample_size]."""
    return cast(multinomial(softmax(x, axis=1), sample_size, replacement=True), dtype=dtype_of(dtype))
