"""What a training step is made of."""

from __future__ import annotations

import numpy as np

from .sample import sample, values

VALUE, SLOPE = values(3, 2), values(3, 2, seed=1)
ADAM = {"rate": 0.1, "beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8}
MOMENTUM = {"rate": 0.1, "momentum": 0.9}

UPDATES = {
    "sgd": [sample(VALUE, SLOPE, rate=0.1)],
    "momentum": [
        sample(VALUE, SLOPE, values(3, 2, seed=2), nesterov=False, rescale=1.0, **MOMENTUM),
        sample(VALUE, SLOPE, values(3, 2, seed=2), nesterov=True, rescale=0.5, **MOMENTUM),
    ],
    "adam": [
        sample(VALUE, SLOPE, VALUE * 0.1, SLOPE**2, np.array(3), decay=0.0, **ADAM),
        sample(VALUE, SLOPE, VALUE * 0.1, SLOPE**2, np.array(0), decay=0.1, **ADAM),
    ],
}
SAMPLES = {
    "gradient_start": [sample(VALUE, frees=True), sample(VALUE, SLOPE, frees=False)],
    "clip_factor": [sample(VALUE, SLOPE, clip_norm=0.1), sample(VALUE, clip_norm=100.0)],
    **UPDATES,
    **{f"{name}_": samples for name, samples in UPDATES.items()},
}
