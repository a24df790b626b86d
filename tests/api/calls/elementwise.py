"""Element by element."""

_ONE = "acos asin atan erf erfinv atanh logit"
_ANY = """exp expm1 sin cos tan sinh cosh tanh asinh sigmoid floor ceil trunc sign abs neg square frac sgn rad2deg deg2rad stanh
sinc negative signbit isneginf isposinf isreal angle nan_to_num isnan isinf isfinite reciprocal round"""
_POSITIVE = "log log2 log10 log1p sqrt rsqrt lgamma gammaln digamma acosh"
_TWO = """add subtract multiply divide maximum minimum fmax fmin atan2 pow mod remainder floor_mod floor_divide hypot copysign
logaddexp heaviside equal not_equal less_than less_equal greater_than greater_equal eq ne lt le gt ge greater less mul sub div
true_divide nextafter"""
_WHOLE = "gcd lcm bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift"
_LOGIC = "logical_and logical_or logical_xor"
_IN_PLACE = """acos asin atan erfinv atanh logit exp sin cos tan sinh cosh tanh asinh sigmoid floor ceil trunc abs neg square
frac sinc log log2 log10 log1p sqrt rsqrt lgamma digamma reciprocal round nan_to_num gammaln"""
_IN_PLACE_TWO = """add subtract multiply divide remainder floor_mod floor_divide hypot copysign sub div mul ldexp
equal not_equal less_than less_equal greater_than greater_equal less logical_and logical_or logical_xor"""

CALLS = "\n".join(
    [
        *(f"paddle.{name}(p)\nx.clip(-0.9, 0.9).{name}()\np.cast('float64').{name}()" for name in _ONE.split()),
        *(f"paddle.{name}(x)\nw.{name}()\npaddle.{name}(s)\npaddle.{name}(e)" for name in _ANY.split()),
        *(f"paddle.{name}(p + 1)\n(w * w + 1).{name}()" for name in _POSITIVE.split()),
        *(f"paddle.{name}(x, y)\nx.{name}(s)\npaddle.{name}(p, p)\nw.{name}(w)\npaddle.{name}(e, e)" for name in _TWO.split()),
        *(f"paddle.{name}(n, k + 1)\ni.{name}(i)" for name in _WHOLE.split()),
        *(f"paddle.{name}(b, m)\nb.{name}(b)\npaddle.{name}(n, z)\n{'x'}.{name}(y)" for name in _LOGIC.split()),
        *(f"(p * 0.5 + 0.25).{name}_()" for name in _IN_PLACE.split()),
        *(f"p.clone().{name}_(p + 1)" for name in _IN_PLACE_TWO.split()),
        *(f"paddle.{name}(h)" for name in "isnan isinf isfinite isneginf isposinf nan_to_num signbit sign floor".split()),
        *(f"paddle.{name}(h, x)" for name in "fmax fmin maximum minimum".split()),
        *(
            f"paddle.{name}(n)"
            for name in "abs sign sin exp sqrt floor square neg rad2deg isnan sinh acosh frac".split()
        ),
    ]
)
CALLS += """
paddle.logical_not(b)
x.logical_not()
b.clone().logical_not_()
paddle.bitwise_not(n)
b.bitwise_not()
paddle.bitwise_invert(i)
n.clone().bitwise_and_(n + 1)
n.clone().bitwise_or_(n + 1)
n.clone().bitwise_xor_(n + 1)
n.clone().bitwise_not_()
n.clone().bitwise_invert_()
n.clone().bitwise_left_shift_(z + 1)
n.clone().bitwise_right_shift_(z + 1)
n.clone().gcd_(n + 2)
n.clone().lcm_(n + 2)
paddle.positive(x)
paddle.add(x, y, alpha=2)
x.sub(y, alpha=0.5)
paddle.divide(x, y, rounding_mode='floor')
(n - 4).div(k + 2, rounding_mode='trunc')
x.div(y, rounding_mode='trunc')
p.clone().pow_(2.0)
n << 1 + z
n >> z + 1
paddle.ldexp(x, i)
n.ldexp(z)
paddle.lerp(x, y, 0.3)
x.lerp(y, p)
x.clone().lerp_(x * 2, 0.5)
paddle.polygamma(p, 1)
p.polygamma(2)
p.clone().polygamma_(1)
paddle.multigammaln(p + 3, 2)
(p + 3).multigammaln_(2)
paddle.logit(x, 0.2)
paddle.nan_to_num(h, 1.0, 2.0, -3.0)
h.nan_to_num(nan=5.0)
paddle.frexp(x)
w.frexp()
paddle.clip(x, -0.5, 0.5)
x.clip(max=0.1)
paddle.clamp(x, -0.5, 0.5)
x.clone().clip_(0.0, 1.0)
x.clone().clamp_(0.0, 1.0)
paddle.scale(x, 2.0, 1.0)
x.clone().scale_(2.0, 1.0, False)
paddle.add_n([x, x, x])
paddle.add_n(x)
paddle.cast(x, 'int32')
x.astype('float64')
x.clone().cast_('int64')
paddle.isclose(x, x + 1e-9)
x.allclose(x)
paddle.equal_all(x, x)
x.equal_all(y)
paddle.where(b, x, y)
paddle.where(b, x, 0.0)
paddle.copysign(x, -1.0)
x + 1
2 - x
n / 2
n // 2
n % 4
x ** 2
2 ** x
n + 1.5
x > 0
-n
abs(x)
"""
