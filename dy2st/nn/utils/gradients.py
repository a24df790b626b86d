"""Gradients clipped by hand, between `backward()` and `step()`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...api.creation import to_tensor
from ...runtime.tensors.tensor import Tensor


def _gradients(parameters: Any) -> list[np.ndarray]:
    given: Iterable = [parameters] if isinstance(parameters, Tensor) else parameters
    return [p.grad._array("clipping gradients by hand") for p in given if p.grad is not None]


def clip_grad_norm_(
    parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Tensor:
    """Scale all gradients by one factor, in place, so that the `norm_type`-norm of all together is at most `max_norm`.

    parameters: tensors of any shapes, or one; those without a gradient don't count. norm_type: inf, 0, 1 or 2; ValueError for
    another. Gives the norm before, as a 0-d tensor in the dtype of the gradients. RuntimeError: with `error_if_nonfinite`, a norm
    that isn't finite.
    """
    if norm_type not in (math.inf, 0, 1, 2):
        raise ValueError(f"clip_grad_norm_: norm_type is inf, 0, 1 or 2, not {norm_type}")
    grads = _gradients(parameters)
    if not grads:
        return to_tensor(0.0)
    norms = [np.linalg.norm(g.reshape(-1), norm_type) for g in grads]
    total = float(np.linalg.norm(np.asarray(norms), norm_type))
    if error_if_nonfinite and not math.isfinite(total):
        raise RuntimeError(f"clip_grad_norm_: the norm of the gradients is {total}")
    factor = min(max_norm / (total + 1e-6), 1.0)
    for g in grads:
        g *= g.dtype.type(factor)
    return Tensor(np.asarray(total, grads[0].dtype))


def clip_grad_value_(parameters: Any, clip_value: float) -> None:
    """Cut all elements of the gradients to [-clip_value, clip_value], in place.

    parameters: tensors, or one; those without a gradient don't count. ValueError: a negative clip_value.
    """
    if clip_value < 0:
        raise ValueError(f"clip_grad_value_: clip_value must not be negative, unlike {clip_value}")
    for g in _gradients(parameters):
        np.clip(g, -clip_value, clip_value, out=g)
