"""Complex numbers, which are two tensors in a graph: their real and their imaginary parts.

What does the same to both parts (`complex_numbers.COMPONENTWISE`) has the lowering of real numbers, once for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.types import SequenceType
from ..rules import REAL_OF, real_part
from .elementary import hypot, is_floating
from .linalg import matmul as real_matmul
from .padding import fit_length

Pair = tuple[Any, Any]


def parts(g: Any, x: Any) -> Pair:
    """The real and the imaginary part of an operand; that of a real one is 0."""
    if hasattr(x, "leaves"):
        if len(x.leaves) != 2:
            g.refuse("complex numbers meet a number whose class follows the path; write float(x)")
        real, imag = x.leaves
        if not isinstance(x.type, SequenceType):
            return real, imag
        of_parts = SequenceType(real_part(x.type.elem))  # type: ignore[arg-type]
        return g.packed(of_parts, [real]), g.packed(of_parts, [imag])
    return x, 0.0 if g.number_dtype(x) is not None else g.filled(x.dtype, 0, g.shape_of(x))


def made(g: Any, pair: Pair) -> Any:
    """The complex tensor that is declared."""
    return g.packed(g.declared[0], pair)


def on_parts(lowering: Any) -> Any:
    """The lowering that does the same to both parts; the imaginary part of real numbers is 0."""

    def lowered(g: Any, *operands: Any, **attrs: Any) -> Any:
        of_parts = []
        for k in range(2):
            chosen = [parts(g, x)[k] if _holds_numbers(g, x) else x for x in operands]
            of_parts.append(lowering(g, *chosen, **attrs))
        return made(g, tuple(of_parts))  # type: ignore[arg-type]

    return lowered


def of_shape(lowering: Any) -> Any:
    """The lowering that asks the real part, which has the shape."""
    return lambda g, *operands, **attrs: lowering(g, *(parts(g, x)[0] if hasattr(x, "leaves") else x for x in operands), **attrs)


def _holds_numbers(g: Any, x: Any) -> bool:
    """Whether an operand is computed with, and isn't an index, a condition or nothing."""
    return x is not None and (hasattr(x, "leaves") or g.number_dtype(x) is not None or is_floating(x))


def part(number: int) -> Any:
    """The lowering of `real` or `imag`."""
    return lambda g, x: parts(g, x)[number]


def conj(g: Any, x: Any) -> Any:
    """The imaginary part negated."""
    real, imag = parts(g, x)
    return made(g, (real, g.Neg(imag)))


def joined(g: Any, x: Any, y: Any) -> Any:
    """x + iy: both in the shape in which they meet."""
    return made(g, (g.Where(True, x, y), g.Where(False, x, y)))


def as_real(g: Any, x: Any) -> Any:
    """Both parts along a last axis."""
    return g.Concat(*(g.Unsqueeze(part, [-1]) for part in parts(g, x)), axis=-1)


def as_complex(g: Any, x: Any) -> Any:
    """The parts that lie along the last axis."""
    real, imag = (g.Gather(x, g.const(k), axis=-1) for k in range(2))
    return made(g, (real, imag))


def multiply(g: Any, x: Any, y: Any) -> Any:
    """(a + ib)(c + id)."""
    return made(g, _product(g, parts(g, x), parts(g, y)))


def _product(g: Any, x: Pair, y: Pair, times: Any = None) -> Pair:
    (a, b), (c, d) = x, y
    times = times or g.Mul
    return g.Sub(times(a, c), times(b, d)), g.Add(times(a, d), times(b, c))


def divide(g: Any, x: Any, y: Any) -> Any:
    """By the conjugate, of numbers that are made smaller by the larger part, lest the square overflows."""
    (a, b), (c, d) = parts(g, x), parts(g, y)
    size = g.Max(g.Abs(c), g.Abs(d))
    size = g.Where(g.Equal(size, 0), 1, size)
    c, d = g.Div(c, size), g.Div(d, size)
    square = g.Mul(g.Add(g.Mul(c, c), g.Mul(d, d)), size)
    real, imag = _product(g, (a, b), (c, g.Neg(d)))
    return made(g, (g.Div(real, square), g.Div(imag, square)))


def reciprocal(g: Any, x: Any) -> Any:
    """1 / x."""
    return divide(g, g.const(1.0).as_number(), x)


def square(g: Any, x: Any) -> Any:
    """x * x."""
    return multiply(g, x, x)


def exp(g: Any, x: Any) -> Any:
    """The imaginary part is a direction."""
    real, imag = parts(g, x)
    size = g.Exp(real)
    return made(g, (g.Mul(size, g.Cos(imag)), g.Mul(size, g.Sin(imag))))


def full_like(g: Any, x: Any, fill_value: Any = 0, dtype: str | None = None) -> Any:
    """A real number in the shape of another tensor."""
    return full(g, g.shape_of(parts(g, x)[0]), fill_value, g.declared[0].dtype)


def full(g: Any, shape: Any, fill_value: Any, dtype: str) -> Any:
    """A real number in a shape."""
    if dtype not in REAL_OF:
        return g.filled(dtype, fill_value, shape)
    return made(g, tuple(g.filled(REAL_OF[dtype], value, shape) for value in (fill_value, 0)))  # type: ignore[arg-type]


def absolute(g: Any, x: Any) -> Any:
    """The distance from 0."""
    return hypot(g, *parts(g, x))


def matmul(g: Any, x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False) -> Any:
    """Four products of real matrices."""

    def times(a: Any, b: Any) -> Any:
        return real_matmul(g, a, b, transpose_x, transpose_y)

    return made(g, _product(g, parts(g, x), parts(g, y), times))


def linear(g: Any, x: Any, weight: Any, bias: Any, transpose_x: bool = False, transpose_y: bool = False) -> Any:
    """x @ weight + bias."""
    product = parts(g, matmul(g, x, weight, transpose_x, transpose_y))
    return made(g, tuple(map(g.Add, product, parts(g, bias))))  # type: ignore[arg-type]


def cast(g: Any, x: Any, dtype: str) -> Any:
    """To complex numbers, or their real part."""
    real, imag = parts(g, x)
    if dtype not in REAL_OF:
        return g.cast(real, dtype)
    return made(g, (g.cast(real, REAL_OF[dtype]), g.cast(imag, REAL_OF[dtype])))


def equal(g: Any, x: Any, y: Any) -> Any:
    """Both parts are."""
    (a, b), (c, d) = parts(g, x), parts(g, y)
    return g.And(g.Equal(a, c), g.Equal(b, d))


def not_equal(g: Any, x: Any, y: Any) -> Any:
    """One of the parts isn't."""
    return g.Not(equal(g, x, y))


def scale(g: Any, x: Any, scale: Any = 1.0, bias: Any = 0.0, bias_after_scale: bool = True) -> Any:
    """The bias is added to the real part."""
    real, imag = parts(g, x)
    real = g.Add(g.Mul(real, scale), bias) if bias_after_scale else g.Mul(g.Add(real, bias), scale)
    return made(g, (real, g.Mul(imag, scale)))


# --- Fourier transforms --------------------------------------------------------------------------------------------------


def _forward(g: Any, pair: Pair, axis: int) -> Pair:
    """The transform along an axis, unscaled, of float64: onnxruntime's is good to the last digits for no other dtype."""
    both = g.Unsqueeze(g.Concat(*(g.Unsqueeze(x, [-1]) for x in pair), axis=-1), [0])
    if g.opset < 20:
        found = g.DFT(both, axis=axis + 1)
    else:
        found = g.DFT(both, None, g.const(axis + 1))
    real, imag = g.Split(found, [1, 1], axis=-1, outputs=2)
    return g.Squeeze(real, [0, -1]), g.Squeeze(imag, [0, -1])


def _transformed(g: Any, pair: Pair, axes: Sequence[int], norm: str, forward: bool) -> Pair:
    """Of float64, along axes: backwards it is the conjugate of the transform of the conjugates."""
    real, imag = pair
    for axis in axes:
        length = g.cast(g.scalar(g.dim(real, axis)), "float64")
        real, imag = _forward(g, (real, imag if forward else g.Neg(imag)), axis)
        imag = imag if forward else g.Neg(imag)
        if norm == "ortho":
            real, imag = (g.Div(x, g.Sqrt(length)) for x in (real, imag))
        elif (norm == "forward") == forward:
            real, imag = (g.Div(x, length) for x in (real, imag))
    return real, imag


def _wide(g: Any, pair: Pair) -> Pair:
    return g.cast(pair[0], "float64"), g.cast(pair[1], "float64")


def fft_c2c(g: Any, x: Any, axes: Sequence[int], norm: str, forward: bool) -> Any:
    """The transform of complex numbers."""
    found = _transformed(g, _wide(g, parts(g, x)), axes, norm, forward)
    return made(g, [g.cast(y, x.leaves[0].dtype) for y in found])  # type: ignore[arg-type]


def fft_r2c(g: Any, x: Any, axes: Sequence[int], norm: str) -> Any:
    """The first half along the last axis, then all of it along the others."""
    last = axes[-1]
    pair = _transformed(g, _wide(g, parts(g, x)), [last], norm, True)
    half = g.ints([g.dim(x, last) // 2 + 1])
    pair = tuple(g.Slice(y, [0], half, [last]) for y in pair)  # type: ignore[assignment]
    return made(g, [g.cast(y, x.dtype) for y in _transformed(g, pair, axes[:-1], norm, True)])  # type: ignore[arg-type]


def fft_c2r(g: Any, x: Any, axes: Sequence[int], norm: str, length: Any) -> Any:
    """Back along the other axes, then along the last one of the half, its mirror behind it."""
    *others, last = axes
    real, imag = _transformed(g, _wide(g, parts(g, x)), others, norm, False)
    count = g.positive((g.dim(real, last) - 1) * 2 if length is None else g.whole(length))
    real, imag = (fit_length(g, y, last, count // 2 + 1) for y in (real, imag))
    ends, back = g.ints([0]), g.ints([(count + 1) // 2 - 1])
    mirrored = [g.Slice(y, back, ends, [last], [-1]) for y in (real, imag)]
    whole = g.Concat(real, mirrored[0], axis=last), g.Concat(imag, g.Neg(mirrored[1]), axis=last)
    return g.cast(_transformed(g, whole, [last], norm, False)[0], x.leaves[0].dtype)


def mirror_weights(g: Any, half: Any, x: Any, axis: int) -> Any:
    """1 at the first place and, of an even length, at the last; 2 elsewhere."""
    real, like = parts(g, half)[0], parts(g, x)[0]
    length, rank = g.dim(real, axis), g.rank_of(real)
    place = g.counting(length)
    is_last = g.And(g.Equal(place, g.scalar(length - 1)), g.Equal(g.Mod(g.scalar(g.dim(like, axis)), 2), 0))
    weights = g.cast(g.Where(g.Or(g.Equal(place, 0), is_last), 1, 2), real.dtype)
    return g.Unsqueeze(weights, [*range(1, rank - axis)]) if rank - axis > 1 else weights
