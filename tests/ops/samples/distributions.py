"""Complex numbers, and random numbers whose distribution a tensor says."""

from __future__ import annotations

from .sample import integers, sample, values

X, ROW, RATE = values(2, 3), values(3, seed=1), values(2, 3, low=0.5, high=3.0)
NUMBERS = X + 1j * values(2, 3, seed=1)
CHANCE = values(2, 3, low=0.1, high=0.9)

SAMPLES = {
    "complex": [sample(X, ROW), sample(X.astype("float32"), X.astype("float32"))],
    "as_real": [sample(NUMBERS), sample(NUMBERS.astype("complex64"))],
    "as_complex": [sample(values(3, 2)), sample(values(2, 3, 2).astype("float32"))],
    "as_real_scatter": [sample(NUMBERS, values(*NUMBERS.shape, 2, seed=1))],
    "as_complex_scatter": [sample(values(*NUMBERS.shape, 2, seed=1), NUMBERS)],
    **{name: [sample(NUMBERS), sample(NUMBERS.astype("complex64"))] for name in ("real", "imag", "conj")},
    "poisson": [sample(RATE), sample(RATE.astype("float32"))],
    "standard_gamma": [sample(RATE)],
    "binomial": [sample(integers(2, 3).astype("float64"), CHANCE)],
    "multinomial": [sample(RATE, count=2), sample(RATE, count=5, replacement=True), sample(RATE[0], count=1)],
}
