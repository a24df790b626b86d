"""What a training step is made of: where gradients start, how they are clipped, and what optimizers do with them.

An update takes a parameter, its gradient, and the arrays that are kept for the parameter (slots, zeros at first). It writes into
the parameter and the slots, and gives nothing. Its kernel serves an eager step, on the arrays, and as an operator a recorded one.
Its functional twin gives what the parameter and the slots are after the step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import DTypeError, ShapeError
from ..ir.shape import shape_agrees
from ..ir.types import FLOAT, Type
from .lowered import updates as lowered
from .registry import OpDef, define
from .rules import need_floating


def define_update(name: str, kernel: Callable[..., tuple], slots: int) -> OpDef:
    """The operator `<name>_` that changes a parameter, and the given number of slots; and `name`, which gives them changed.

    The formula of this name in `lowered.updates` is the form of the latter in ONNX.
    """

    def infer(value: Type, gradient: Type, *kept: Type, **attrs: Any) -> tuple:
        target, given = need_floating(name, value), need_floating(name, gradient)
        if given.dtype != target.dtype:
            raise DTypeError(f"{name}: a gradient of dtype {given.dtype} for a parameter of dtype {target.dtype}")
        if not shape_agrees(given.shape, target.shape):
            raise ShapeError(f"{name}: a gradient of another shape than the parameter's: {given}, {target}")
        return (target, *kept)

    def changed(value: np.ndarray, g: np.ndarray, *kept: np.ndarray, **attrs: Any) -> Any:
        made = [x.copy() for x in (value, *kept)]
        kernel(made[0], g, *made[1:], **attrs)
        return tuple(made) if slots else made[0]

    def infer_in_place(*types: Type, **attrs: Any) -> tuple:
        infer(*types, **attrs)
        return ()

    changed.__wrapped__ = kernel  # type: ignore[attr-defined]  # whose parameters it takes
    define(name, kernel=changed, infer=infer, onnx=lowered.update(name))
    mutates = (0, *range(2, 2 + slots))
    return define(f"{name}_", kernel=kernel, infer=infer_in_place, mutates=mutates, functional=name)


def _sgd(value: np.ndarray, g: np.ndarray, *, rate: float) -> tuple:
    value -= value.dtype.type(rate) * g
    return ()


def _momentum(
    value: np.ndarray, g: np.ndarray, velocity: np.ndarray, *, rate: float, momentum: float, nesterov: bool, rescale: float
) -> tuple:
    kind = value.dtype.type
    if rescale != 1.0:
        g = g * kind(rescale)
    velocity *= kind(momentum)
    velocity += g
    value -= kind(rate) * (g + kind(momentum) * velocity if nesterov else velocity)
    return ()


def _adam(
    value: np.ndarray,
    g: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    count: np.ndarray,
    *,
    rate: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    decay: float,
) -> tuple:
    kind = value.dtype.type
    count += 1
    if decay:
        value *= kind(1.0 - rate * decay)
    first *= kind(beta1)
    first += kind(1.0 - beta1) * g
    second *= kind(beta2)
    second += kind(1.0 - beta2) * (g * g)
    correction = float(np.sqrt(1.0 - beta2 ** int(count)))
    size = np.sqrt(second)
    size += kind(epsilon * correction)
    value -= kind(rate * correction / (1.0 - beta1 ** int(count))) * first / size
    return ()


sgd = define_update("sgd", _sgd, 0)
momentum = define_update("momentum", _momentum, 1)
adam = define_update("adam", _adam, 3)


def _clip_factor(*gradients: np.ndarray, clip_norm: float) -> float:
    norm = float(np.sqrt(sum(float(np.sum(np.square(g, dtype=np.float64))) for g in gradients)))
    return clip_norm / norm if norm > clip_norm else 1.0


def _infer_clip_factor(*gradients: Type, clip_norm: float) -> Type:
    for g in gradients:
        need_floating("clip_factor", g)
    return FLOAT


def _onnx_clip_factor(g: Any, *gradients: Any, clip_norm: float) -> Any:
    squares = [g.reduce("ReduceSumSquare", g.cast(x, "float64"), None) for x in gradients]
    norm = g.Sqrt(g.reduce("ReduceSum", g.Concat(*(g.Reshape(x, [1]) for x in squares), axis=0), None))
    return g.Where(g.Greater(norm, clip_norm), g.Div(clip_norm, norm), 1.0)


clip_factor = define("clip_factor", kernel=_clip_factor, infer=_infer_clip_factor, onnx=_onnx_clip_factor)
"""By what to scale gradients, for the Euclidean norm of all together to be at most `clip_norm`."""


def _start(of: np.ndarray, weight: np.ndarray | None = None, *, frees: bool) -> np.ndarray:
    return np.ones_like(of) if weight is None else weight.copy()


def _infer_start(of: Type, weight: Type | None = None, *, frees: bool) -> Type:
    return need_floating("backward", of)


def _onnx_start(g: Any, of: Any, weight: Any = None, *, frees: bool) -> Any:
    return g.filled(of.dtype, 1, g.shape_of(of)) if weight is None else weight


start = define("gradient_start", kernel=_start, infer=_infer_start, shape_only=(0,), onnx=_onnx_start)
"""The gradient that `backward()` (which `frees` what it went through) or `grad()` starts with."""
