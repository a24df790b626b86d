"""Random numbers whose distribution a tensor says, all from the one generator."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import DTypeError, ShapeError
from ..ir.types import TensorType, Type
from .dims import leaf
from .element_kinds import COMPLEX
from .elementwise import multiply
from .lowered import drawn, events
from .random import GENERATOR
from .registry import OpDef, define
from .rules import infer_broadcast, need_floating


def _from_rate(name: str, draw: Callable[[np.random.Generator, np.ndarray], Any], lowering: Callable[..., Any]) -> OpDef:
    return define(
        name,
        kernel=lambda x: np.asarray(draw(GENERATOR.rng, x), x.dtype),
        infer=lambda x: need_floating(name, x),
        grad=lambda ctx, g: (multiply(g, 0.0),),
        random=True,
        raises=("ValueError",),
        refuses=(COMPLEX,),
        onnx=lowering,
    )


# Of the same shape and dtype: numbers of events, where `x` are expected; gamma distributed numbers of the shape parameter `x`.
poisson = _from_rate("poisson", np.random.Generator.poisson, events.poisson)
standard_gamma = _from_rate("standard_gamma", np.random.Generator.standard_gamma, events.standard_gamma)


def _infer_binomial(count: Type, prob: Type) -> TensorType:
    found = infer_broadcast("binomial")(count, prob)
    if found.dtype not in ("float32", "float64"):
        raise DTypeError(f"binomial takes tensors of float32 or float64, not {found.dtype}")
    return TensorType("int64", found.shape)


# How many of `count` trials succeed, each with the probability `prob`.
binomial = define(
    "binomial",
    kernel=lambda count, prob: np.asarray(GENERATOR.rng.binomial(count.astype(np.int64), prob), np.int64),
    infer=_infer_binomial,
    random=True,
    raises=("ValueError",),
    onnx=events.binomial,
)


def _multinomial(x: np.ndarray, count: Any, replacement: bool = False) -> np.ndarray:
    """By the Gumbel trick: the largest of log x + noise are draws in proportion to x, one after the other without replacement."""
    rows, picks = x.reshape(math.prod(x.shape[:-1]), x.shape[-1]).astype(np.float64), int(count)
    if not ((rows >= 0) & np.isfinite(rows)).all() or (rows.sum(-1) <= 0).any():
        raise ValueError("multinomial: the weights of each row must be finite, not negative, and not all be 0")
    if replacement:
        bounds = np.cumsum(rows, -1)
        places = GENERATOR.rng.random((len(rows), picks)) * bounds[:, -1:]
        found = np.array([np.searchsorted(b, p, "right") for b, p in zip(bounds, places)], np.int64)
    else:
        if picks > np.count_nonzero(rows, -1).min():
            raise ValueError(f"multinomial: {picks} draws without replacement from fewer weights that aren't 0")
        with np.errstate(divide="ignore"):
            keys = np.log(rows) + GENERATOR.rng.gumbel(size=rows.shape)
        found = np.argsort(-keys, -1, kind="stable")[:, :picks].copy()
    return found.reshape(*x.shape[:-1], picks)


def _infer_multinomial(x: Type, count: Any, replacement: bool = False) -> TensorType:
    tensor = need_floating("multinomial", x)
    if tensor.shape is None:
        return TensorType("int64", None)
    if len(tensor.shape) not in (1, 2):
        raise ShapeError(f"multinomial takes a vector or a matrix of weights, not {tensor}")
    return TensorType("int64", (*tensor.shape[:-1], leaf(count)))


# `count` places of each row, drawn in proportion to the weights `x`.
multinomial = define(
    "multinomial",
    kernel=_multinomial,
    infer=_infer_multinomial,
    random=True,
    raises=("ValueError",),
    refuses=(COMPLEX,),
    onnx=drawn.multinomial,
)
