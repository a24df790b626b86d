"""Creation, shapes, random numbers."""

from __future__ import annotations

import numpy as np

from .sample import integers, sample, values

X, SQUARE, N = values(2, 3), values(2, 3, 3), integers(2, 3)
PROBABILITY = values(2, 3, low=0.1, high=0.9)

SAMPLES = {
    "full": [
        sample(shape=(2, 3), fill_value=1.5, dtype="float32"),
        sample(shape=(), fill_value=True, dtype="bool"),
        sample(shape=(np.array(2), 3), fill_value=np.array(7), dtype="int64"),
    ],
    "full_like": [sample(X, fill_value=2.0), sample(N, fill_value=2.0, dtype="float32")],
    "fill": [sample(X, fill_value=2.0), sample(N, fill_value=3)],
    "full_like_": [sample(X, fill_value=2.0), sample(N, fill_value=3)],
    "zeros_like": [sample(X), sample(N, dtype="float32")],
    "arange": [
        sample(start=0, end=5, step=1, dtype="int64"),
        sample(start=1.0, end=2.0, step=0.3, dtype="float32"),
        sample(start=5, end=0, step=-2, dtype="int32"),
        sample(start=3, end=0, step=1, dtype="int64"),
    ],
    "linspace": [sample(start=0, stop=1, num=5, dtype="float32"), sample(start=2.0, stop=-2.0, num=1, dtype="float64")],
    "eye": [sample(num_rows=3, num_columns=None, dtype="float32"), sample(num_rows=2, num_columns=4, dtype="int64")],
    "tril": [sample(X), sample(SQUARE, diagonal=1), sample(N, diagonal=-1)],
    "triu": [sample(X), sample(SQUARE, diagonal=1), sample(N, diagonal=-1)],
    "tril_": [sample(X), sample(SQUARE, diagonal=1)],
    "triu_": [sample(X), sample(SQUARE, diagonal=1)],
    "one_hot": [sample(N, num_classes=5), sample(integers(4), num_classes=3, dtype="float64")],
    "shape": [sample(X), sample(np.array(1.0))],
    "numel": [sample(X), sample(np.array(1.0))],
    "uniform": [sample(shape=(2, 3), min=-1.0, max=1.0, dtype="float32"), sample(shape=(), min=0.0, max=2.0, dtype="float64")],
    "normal": [sample(shape=(2, 3), mean=0.0, std=1.0, dtype="float32"), sample(shape=(2,), mean=5.0, std=0.1, dtype="float16")],
    "randint": [sample(shape=(2, 3), low=0, high=5, dtype="int64"), sample(shape=(4,), low=-3, high=0, dtype="int32")],
    "randperm": [sample(n=5, dtype="int64"), sample(n=0, dtype="int32")],
    "bernoulli": [sample(PROBABILITY), sample(PROBABILITY.astype("float32"))],
    "dropout_mask": [sample(X, p=0.5), sample(X.astype("float32"), p=0.3, upscale=False)],
    "uniform_like": [sample(X, min=-1.0, max=1.0)],
    "normal_like": [sample(X, mean=0.0, std=1.0)],
    "uniform_like_": [sample(X, min=-1.0, max=1.0)],
    "normal_like_": [sample(X, mean=0.0, std=1.0)],
}
