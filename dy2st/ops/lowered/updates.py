"""What optimizers do with a parameter, its gradient and its slots, as formulas: see `ops.training` and `ops.updates`.

Each gives the parameter and the slots after the step. Numbers of all elements alike are computed in float64, as the kernels
compute them in Python, and rounded where they meet a tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .formula import Formula

T = Any  # a Formula
Number = Any  # a float, or a Formula without axes, of float64


def update(name: str) -> Callable[..., Any]:
    """The lowering of an update, which is the formula of its name. Only the learning rate may be unknown before the run."""
    step = _STEPS[name]

    def lowering(g: Any, *tensors: Any, rate: Any, **attrs: Any) -> Any:
        known = g.known(rate)
        given = Formula(g, g.cast(g.value(rate), "float64")) if known is None else known
        fixed = {key: g.fixed(value, key) for key, value in attrs.items()}
        made = [x.value for x in step(*(Formula(g, x) for x in tensors), rate=given, **fixed)]
        return tuple(made) if len(made) > 1 else made[0]

    return lowering


def _in(like: T, number: Number) -> T:
    """A number in the dtype of a tensor."""
    return Formula(like.g, like.g.cast(like.g.value(number.value if isinstance(number, Formula) else number), like.value.dtype))


def _towards(average: T, value: T, keep: float) -> T:
    return average * keep + value * (1.0 - keep)


def _sgd(p: T, g: T, *, rate: Number) -> tuple:
    return (p - _in(p, rate) * g,)


def _momentum(p: T, g: T, velocity: T, *, rate: Number, momentum: float, nesterov: bool, rescale: float) -> tuple:
    if rescale != 1.0:
        g = g * rescale
    velocity = velocity * momentum + g
    return p - _in(p, rate) * (g + velocity * momentum if nesterov else velocity), velocity


def _adam(
    p: T, g: T, m: T, v: T, count: T, *, rate: Number, beta1: float, beta2: float, epsilon: float, decay: float
) -> tuple:  # fmt: skip
    t, m, v, missing1, missing2 = _moved(g, m, v, count, beta1, beta2)
    if decay:
        p = p * _in(p, 1.0 - rate * decay)
    correction = np.sqrt(missing2)
    size = np.sqrt(v) + _in(p, epsilon * correction)
    return p - _in(p, rate * correction / missing1) * m / size, m, v, count + 1


def _moved(g: T, m: T, v: T, count: T, beta1: float, beta2: float) -> tuple:
    """The number of this step, in float64, m and v with the gradient taken in, and what is missing of them."""
    t = (count + 1).cast("float64")
    return t, _towards(m, g, beta1), _towards(v, g * g, beta2), 1.0 - beta1**t, 1.0 - beta2**t


def _adagrad(p: T, g: T, moment: T, *, rate: Number, epsilon: float) -> tuple:
    moment = moment + g * g
    return p - _in(p, rate) * g / (np.sqrt(moment) + epsilon), moment


def _adadelta(p: T, g: T, gradients: T, steps: T, *, rate: Number, epsilon: float, rho: float) -> tuple:
    gradients = _towards(gradients, g * g, rho)
    step = g * np.sqrt((steps + epsilon) / (gradients + epsilon))
    return p - _in(p, rate) * step, gradients, _towards(steps, step * step, rho)


def _rmsprop(
    p: T, g: T, velocity: T, square: T, mean: T, *, rate: Number, rho: float, epsilon: float, momentum: float, centered: bool
) -> tuple:  # fmt: skip
    square = _towards(square, g * g, rho)
    size = square + epsilon
    if centered:
        mean = _towards(mean, g, rho)
        size = size - np.square(mean)
    velocity = velocity * momentum + _in(p, rate) * g / np.sqrt(size)
    return p - velocity, velocity, square, mean


def _rprop(p: T, g: T, previous: T, step: T, *, rate: Number, limits: Any, etas: Any) -> tuple:
    zero, one, less, more = (_in(p, x) for x in (0.0, 1.0, *etas))
    step = step + np.where(step == 0, _in(p, rate), zero)
    agreed = np.sign(g * previous)
    step = np.clip(step * np.where(agreed > 0, more, np.where(agreed < 0, less, one)), *limits)
    taken = np.where(agreed < 0, zero, g)
    return p - np.sign(taken) * step, taken, step


def _adamax(
    p: T, g: T, m: T, largest: T, count: T, *, rate: Number, beta1: float, beta2: float, epsilon: float
) -> tuple:  # fmt: skip
    t = (count + 1).cast("float64")
    m = _towards(m, g, beta1)
    largest = np.maximum(largest * beta2 + epsilon, np.abs(g))
    return p - _in(p, rate / (1.0 - beta1**t)) * m / largest, m, largest, count + 1


def _nadam(
    p: T, g: T, m: T, v: T, count: T, product: T, *, rate: Number, beta1: float, beta2: float, epsilon: float,
    momentum_decay: float,
) -> tuple:  # fmt: skip
    t, m, v, _, missing = _moved(g, m, v, count, beta1, beta2)
    now, then = (beta1 * (1.0 - 0.5 * 0.96 ** (k * momentum_decay)) for k in (t, t + 1))
    product = product * _in(product, now)
    so_far = product.cast("float64")
    ahead = _in(p, then / (1 - so_far * then)) * m + _in(p, (1 - now) / (1 - so_far)) * g
    return p - _in(p, rate) * ahead / (np.sqrt(v / _in(v, missing)) + epsilon), m, v, count + 1, product


def _radam(
    p: T, g: T, m: T, v: T, count: T, *, rate: Number, beta1: float, beta2: float, epsilon: float
) -> tuple:  # fmt: skip
    t, m, v, missing1, missing2 = _moved(g, m, v, count, beta1, beta2)
    most = 2 / (1 - beta2) - 1
    seen = most - 2 * t * beta2**t / missing2
    rectified = ((seen - 4) * (seen - 2) * most / ((most - 4) * (most - 2) * seen)) ** 0.5
    scaled = _in(p, rate * rectified * missing2**0.5 / missing1) * m / (np.sqrt(v) + epsilon)
    return p - np.where(seen <= 5, _in(p, rate / missing1) * m, scaled), m, v, count + 1


def _length(x: T) -> T:
    """The Euclidean norm, in float64."""
    found: Any = np.linalg.norm(x)
    return found.cast("float64")


def _lamb(
    p: T, g: T, m: T, v: T, count: T, *, rate: Number, beta1: float, beta2: float, epsilon: float, decay: float,
    always_adapt: bool,
) -> tuple:  # fmt: skip
    _, m, v, missing1, missing2 = _moved(g, m, v, count, beta1, beta2)
    step = m / _in(m, missing1) / (np.sqrt(v / _in(v, missing2)) + epsilon) + p * decay
    if decay or always_adapt:
        length, size = _length(p), _length(step)
        rate = rate * np.where((length == 0) | (size == 0), _in(length, 1.0), length / size)
    return p - _in(p, rate) * step, m, v, count + 1


_STEPS: dict[str, Callable[..., tuple]] = {
    "sgd": _sgd, "momentum": _momentum, "adam": _adam, "adagrad": _adagrad, "adadelta": _adadelta, "rmsprop": _rmsprop,
    "rprop": _rprop, "adamax": _adamax, "nadam": _nadam, "radam": _radam, "lamb": _lamb,
}  # fmt: skip
