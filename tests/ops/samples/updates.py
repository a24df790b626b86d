"""What optimizers do with a parameter."""

from __future__ import annotations

import numpy as np

from .sample import sample, values

VALUE, SLOPE, OTHER = values(3, 2), values(3, 2, seed=1), values(3, 2, seed=2)
BETAS = {"rate": 0.1, "beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8}


def moments(count: int) -> tuple:
    return OTHER * 0.1, SLOPE**2, np.array(count)


UPDATES = {
    "adagrad": [sample(VALUE, SLOPE, OTHER**2, rate=0.1, epsilon=1e-6)],
    "adadelta": [sample(VALUE, SLOPE, OTHER**2, VALUE**2, rate=0.1, epsilon=1e-6, rho=0.9)],
    "rmsprop": [
        sample(VALUE, SLOPE, OTHER, OTHER**2 + 1, OTHER * 0.1, rate=0.1, rho=0.9, epsilon=1e-6, momentum=0.5, centered=c)
        for c in (False, True)
    ],
    "rprop": [
        sample(VALUE, SLOPE, OTHER, abs(OTHER) * 0.01, rate=0.1, limits=[0.001, 0.02], etas=[0.5, 1.2]),
        sample(VALUE, SLOPE, OTHER * 0, OTHER * 0, rate=0.1, limits=[0.001, 0.2], etas=[0.5, 1.2]),
    ],
    "adamax": [sample(VALUE, SLOPE, *moments(2), **BETAS)],
    "nadam": [sample(VALUE, SLOPE, *moments(2), np.array(0.5), momentum_decay=0.004, **BETAS)],
    "radam": [sample(VALUE, SLOPE, *moments(n), **BETAS) for n in (0, 20)],
    "lamb": [
        sample(VALUE, SLOPE, *moments(2), decay=decay, always_adapt=always, **BETAS)
        for decay, always in ((0.1, False), (0.0, False), (0.0, True))
    ],
}
SAMPLES = {**UPDATES, **{f"{name}_": samples for name, samples in UPDATES.items()}}
