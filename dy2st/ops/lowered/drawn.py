"""Random numbers. Each run of a session draws others; sessions of onnxruntime start alike.

`onnxruntime.set_seed` says otherwise for what is drawn outside of loops and branches.
"""

from __future__ import annotations

from typing import Any

from .reductions import truth


def uniform(g: Any, shape: Any, min: Any, max: Any, dtype: str) -> Any:
    """Numbers spread evenly over [min, max)."""
    low, high = (_number(g, bound, dtype) for bound in (min, max))
    drawn = g.draw("RandomUniform", shape, dtype)
    return g.cast(g.Add(g.Mul(drawn, g.Sub(high, low)), low), dtype)


def normal(g: Any, shape: Any, mean: Any, std: Any, dtype: str) -> Any:
    """Normally distributed numbers."""
    centre, width = (_number(g, part, dtype) for part in (mean, std))
    return g.cast(g.Add(g.Mul(g.draw("RandomNormal", shape, dtype), width), centre), dtype)


def randint(g: Any, shape: Any, low: Any, high: Any, dtype: str) -> Any:
    """Integers from low up to but not including high."""
    first, end = (_whole(g, bound) for bound in (low, high))
    return g.checked(g.cast(g.integers(shape, first, end), dtype), g.Less(first, end))


def randperm(g: Any, n: Any, dtype: str) -> Any:
    """The order of so many random numbers."""
    drawn = g.draw("RandomUniform", [n], "float64")
    return g.cast(g.TopK(drawn, g.ints([n]), outputs=2)[1], dtype)


def bernoulli(g: Any, x: Any) -> Any:
    """1 with the probability x."""
    return g.cast(g.Less(g.draw("RandomUniform", g.shape_of(x), "float64"), g.cast(x, "float64")), x.dtype)


def dropout_mask(g: Any, x: Any, p: Any, upscale: bool = True) -> Any:
    """0 with the probability p, elsewhere 1, or what makes up for the zeros."""
    p = _number(g, p, "float64")
    kept = g.cast(g.GreaterOrEqual(g.draw("RandomUniform", g.shape_of(x), "float64"), p), x.dtype)
    if not upscale:
        return kept
    return g.Mul(kept, g.cast(g.Where(g.Less(p, 1), g.Reciprocal(g.Sub(1, p)), 1), x.dtype))


def multinomial(g: Any, x: Any, count: Any, replacement: bool = False) -> Any:
    """Places in proportion to the weights: by their running sums, or, each once, by the largest of log x + noise."""
    rows = g.cast(x, "float64")
    total = g.reduce("ReduceSum", rows, [-1], keepdims=True)
    some = truth("ReduceMax")
    rows = g.checked(rows, g.Not(g.Or(some(g, g.Less(rows, 0)), some(g, g.LessOrEqual(total, 0)))))
    if not replacement:
        noise = g.Neg(g.Log(g.Neg(g.Log(g.draw("RandomUniform", g.shape_of(x), "float64")))))
        possible = g.reduce("ReduceSum", g.cast(g.Greater(rows, 0), "int64"), [-1])
        keys, wanted = g.Add(g.Log(rows), noise), g.ints([count])
        return g.TopK(keys, g.checked(wanted, g.Not(some(g, g.Less(possible, wanted)))), axis=-1, outputs=2)[1]
    bounds = g.CumSum(rows, g.const(-1))
    lengths = [g.length(x, a) for a in range(g.rank_of(x) - 1)]
    places = g.Mul(g.draw("RandomUniform", [*lengths, count], "float64"), total)
    is_passed = g.LessOrEqual(g.Unsqueeze(bounds, [-2]), g.Unsqueeze(places, [-1]))
    return g.reduce("ReduceSum", g.cast(is_passed, "int64"), [-1])


def _number(g: Any, x: Any, dtype: str) -> Any:
    """A bound of what is drawn, without axes, in the dtype of the draw."""
    x = g.cast(g.value(x), drawn_in(dtype))
    return x if x.rank == 0 else g.Reshape(x, [])


def _whole(g: Any, x: Any) -> Any:
    """A bound of integers, int64[]."""
    known = g.known(x)
    if known is not None and not -(2**63) <= known < 2**63:
        g.refuse(f"{known} is beyond 64 bits")
    x = g.cast(g.value(x), "int64")
    return x if x.rank == 0 else g.Reshape(x, [])


def drawn_in(dtype: str) -> str:
    """float32 where that is the dtype, else float64, as the kernels draw."""
    return "float32" if dtype == "float32" else "float64"
