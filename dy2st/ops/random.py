"""Random numbers, all from the one generator in `GENERATOR`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import DTYPES
from ..errors import DTypeError
from ..ir.types import TensorType, Type
from .elementwise import multiply
from .lowered import drawn
from .registry import define
from .rules import as_shape, dims_of, need_floating, need_tensor, scalar_of


class RandomSource:
    """The generator that every random operator draws from. It starts from fresh entropy; `seed` makes it repeatable."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng()

    def seed(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    @property
    def state(self) -> dict[str, Any]:
        """Where the generator stands; assigning it brings the generator back there."""
        return dict(self.rng.bit_generator.state)

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        self.rng.bit_generator.state = state


GENERATOR = RandomSource()


def _drawn_in(dtype: str) -> Any:
    """float32 where that is the dtype, else float64."""
    return np.float32 if dtype == "float32" else np.float64


def _uniform(shape, min, max, dtype: str) -> np.ndarray:
    low, high = scalar_of(min), scalar_of(max)
    values = np.asarray(GENERATOR.rng.random(as_shape(shape), dtype=_drawn_in(dtype)))
    return (values * (high - low) + low).astype(DTYPES[dtype].numpy, copy=False)


def _normal(shape, mean, std, dtype: str) -> np.ndarray:
    values = np.asarray(GENERATOR.rng.standard_normal(as_shape(shape), dtype=_drawn_in(dtype)))
    return (values * scalar_of(std) + scalar_of(mean)).astype(DTYPES[dtype].numpy, copy=False)


def _infer_drawn(shape, *_: Any, dtype: str, **__: Any) -> TensorType:
    return TensorType(dtype, dims_of(shape))


# Numbers spread evenly over [min, max), and normally distributed ones.
uniform = define("uniform", kernel=_uniform, infer=_infer_drawn, random=True, onnx=drawn.uniform)
normal = define("normal", kernel=_normal, infer=_infer_drawn, random=True, onnx=drawn.normal)


def _randint(shape, low, high, dtype: str) -> np.ndarray:
    low, high = int(scalar_of(low)), int(scalar_of(high))
    return np.asarray(GENERATOR.rng.integers(low, high, as_shape(shape), dtype=np.int64)).astype(DTYPES[dtype].numpy, copy=False)


# Integers from low up to but not including high.
randint = define("randint", kernel=_randint, infer=_infer_drawn, random=True, raises=("ValueError",), onnx=drawn.randint)
randperm = define(
    "randperm",
    kernel=lambda n, dtype: GENERATOR.rng.permutation(int(n)).astype(DTYPES[dtype].numpy),
    infer=lambda n, dtype: TensorType(dtype, dims_of((n,))),
    random=True,
    onnx=drawn.randperm,
)


# 1 with probability `x`, 0 otherwise.
bernoulli = define(
    "bernoulli",
    kernel=lambda x: (GENERATOR.rng.random(x.shape, dtype=np.float32) < x).astype(x.dtype),
    infer=lambda x: need_floating("bernoulli", x),
    grad=lambda ctx, g: (multiply(g, 0.0),),
    random=True,
    onnx=drawn.bernoulli,
)


def _dropout_mask(x: np.ndarray, p: Any, upscale: bool = True) -> np.ndarray:
    p = float(scalar_of(p))
    kept = GENERATOR.rng.random(x.shape, dtype=np.float32) >= p
    return kept.astype(x.dtype) * x.dtype.type(1 / (1 - p) if upscale and p < 1 else 1)


# In the shape of `x`: 0 with probability p, else 1, or with `upscale` 1 / (1 - p). Nothing flows back to `x`.
dropout_mask = define(
    "dropout_mask",
    kernel=_dropout_mask,
    infer=lambda x, p, upscale=True: need_floating("dropout_mask", x),
    grad=lambda ctx, g: (None,),
    shape_only=(0,),
    grad_ignores=(0,),
    random=True,
    onnx=drawn.dropout_mask,
)


def _uniform_in_place(x: np.ndarray, min: Any, max: Any) -> tuple:
    x[...] = _uniform(x.shape, min, max, x.dtype.name)
    return ()


def _normal_in_place(x: np.ndarray, mean: Any, std: Any) -> tuple:
    x[...] = _normal(x.shape, mean, std, x.dtype.name)
    return ()


def _need_target(x: Type, *_: Any, **__: Any) -> tuple:
    if not DTYPES[need_tensor("a random fill", x).dtype].is_floating:
        raise DTypeError(f"a random fill takes a floating-point tensor, not {x}")
    return ()


uniform_like = define(
    "uniform_like",
    kernel=lambda x, min, max: _uniform(x.shape, min, max, x.dtype.name),
    infer=lambda x, min, max: need_floating("uniform_like", x),
    grad=lambda ctx, g: (None,),
    shape_only=(0,),
    grad_ignores=(0,),
    random=True,
    onnx=lambda g, x, min, max: drawn.uniform(g, g.shape_of(x), min, max, x.dtype),
)
normal_like = define(
    "normal_like",
    kernel=lambda x, mean, std: _normal(x.shape, mean, std, x.dtype.name),
    infer=lambda x, mean, std: need_floating("normal_like", x),
    grad=lambda ctx, g: (None,),
    shape_only=(0,),
    grad_ignores=(0,),
    random=True,
    onnx=lambda g, x, mean, std: drawn.normal(g, g.shape_of(x), mean, std, x.dtype),
)
uniform_ = define(
    "uniform_like_", kernel=_uniform_in_place, infer=_need_target, mutates=(0,), functional="uniform_like", random=True
)
normal_ = define("normal_like_", kernel=_normal_in_place, infer=_need_target, mutates=(0,), functional="normal_like", random=True)
