"""What optimizers beyond SGD and Adam do with a parameter, its gradient and its slots: see `training`.

m and v are running means of the gradient and of its square, `count` the number of steps of the parameter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .training import define_update

Array = np.ndarray


def _towards(average: Array, value: Array, keep: float) -> None:
    """average = keep * average + (1 - keep) * value, in place."""
    average *= average.dtype.type(keep)
    average += average.dtype.type(1.0 - keep) * value


def _adagrad(value: Array, g: Array, moment: Array, *, rate: float, epsilon: float) -> tuple:
    kind = value.dtype.type
    moment += g * g
    value -= kind(rate) * g / (np.sqrt(moment) + kind(epsilon))
    return ()


def _adadelta(value: Array, g: Array, gradients: Array, steps: Array, *, rate: float, epsilon: float, rho: float) -> tuple:
    kind = value.dtype.type
    _towards(gradients, g * g, rho)
    step = g * np.sqrt((steps + kind(epsilon)) / (gradients + kind(epsilon)))
    _towards(steps, step * step, rho)
    value -= kind(rate) * step
    return ()


def _rmsprop(
    value: Array, g: Array, velocity: Array, square: Array, mean: Array, *, rate: float, rho: float, epsilon: float,
    momentum: float, centered: bool,
) -> tuple:  # fmt: skip
    kind = value.dtype.type
    _towards(square, g * g, rho)
    size = square + kind(epsilon)
    if centered:
        _towards(mean, g, rho)
        size -= np.square(mean)
    velocity *= kind(momentum)
    velocity += kind(rate) * g / np.sqrt(size)
    value -= velocity
    return ()


def _rprop(value: Array, g: Array, previous: Array, step: Array, *, rate: float, limits: Any, etas: Any) -> tuple:
    """`step` starts as zeros: then it is `rate`."""
    kind = value.dtype.type
    step += np.where(step == 0, kind(rate), kind(0))
    agreed = np.sign(g * previous)
    factor = np.where(agreed > 0, kind(etas[1]), np.where(agreed < 0, kind(etas[0]), kind(1)))
    np.clip(step * factor, kind(limits[0]), kind(limits[1]), out=step)
    taken = np.where(agreed < 0, kind(0), g)
    value -= np.sign(taken) * step
    previous[...] = taken
    return ()


def _adamax(
    value: Array, g: Array, m: Array, largest: Array, count: Array, *, rate: float, beta1: float, beta2: float, epsilon: float
) -> tuple:
    kind = value.dtype.type
    count += 1
    _towards(m, g, beta1)
    np.maximum(largest * kind(beta2) + kind(epsilon), np.abs(g), out=largest)
    value -= kind(rate / (1.0 - beta1 ** int(count))) * m / largest
    return ()


def _moved(g: Array, m: Array, v: Array, count: Array, beta1: float, beta2: float) -> tuple[int, float, float]:
    """Take the gradient in; the number of this step, and what is missing of m and v, since they start at 0."""
    count += 1
    _towards(m, g, beta1)
    _towards(v, g * g, beta2)
    t = int(count)
    return t, 1.0 - beta1**t, 1.0 - beta2**t


def _nadam(
    value: Array, g: Array, m: Array, v: Array, count: Array, product: Array, *, rate: float, beta1: float, beta2: float,
    epsilon: float, momentum_decay: float,
) -> tuple:  # fmt: skip
    """`product` starts as 1: it is that of the momenta so far."""
    kind = value.dtype.type
    t, _, missing = _moved(g, m, v, count, beta1, beta2)
    now, then = (beta1 * (1.0 - 0.5 * 0.96 ** (k * momentum_decay)) for k in (t, t + 1))
    product *= now
    ahead = kind(then / (1 - float(product) * then)) * m + kind((1 - now) / (1 - float(product))) * g
    value -= kind(rate) * ahead / (np.sqrt(v / kind(missing)) + kind(epsilon))
    return ()


def _radam(
    value: Array, g: Array, m: Array, v: Array, count: Array, *, rate: float, beta1: float, beta2: float, epsilon: float
) -> tuple:
    kind = value.dtype.type
    t, missing1, missing2 = _moved(g, m, v, count, beta1, beta2)
    most = 2 / (1 - beta2) - 1
    seen = most - 2 * t * beta2**t / missing2
    if seen <= 5:
        value -= kind(rate / missing1) * m
        return ()
    rectified = ((seen - 4) * (seen - 2) * most / ((most - 4) * (most - 2) * seen)) ** 0.5
    value -= kind(rate * rectified * missing2**0.5 / missing1) * m / (np.sqrt(v) + kind(epsilon))
    return ()


def _lamb(
    value: Array, g: Array, m: Array, v: Array, count: Array, *, rate: float, beta1: float, beta2: float, epsilon: float,
    decay: float, always_adapt: bool,
) -> tuple:  # fmt: skip
    kind = value.dtype.type
    _, missing1, missing2 = _moved(g, m, v, count, beta1, beta2)
    step = m / kind(missing1) / (np.sqrt(v / kind(missing2)) + kind(epsilon)) + kind(decay) * value
    length, size = float(np.linalg.norm(value)), float(np.linalg.norm(step))
    adapted = length and size and (decay or always_adapt)
    value -= kind(rate * (length / size if adapted else 1.0)) * step
    return ()


adagrad = define_update("adagrad", _adagrad, 1)
adadelta = define_update("adadelta", _adadelta, 2)
rmsprop = define_update("rmsprop", _rmsprop, 3)
rprop = define_update("rprop", _rprop, 2)
adamax = define_update("adamax", _adamax, 3)
nadam = define_update("nadam", _nadam, 4)
radam = define_update("radam", _radam, 3)
lamb = define_update("lamb", _lamb, 3)
