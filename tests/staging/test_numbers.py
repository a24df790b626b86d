"""Built-ins on numbers: casts, sums, `any` and `all`, arithmetic, the `math` module."""

from __future__ import annotations

import math
import operator

import pytest

import dy2st as paddle
from dy2st.errors import EngineError

from .agreement import UP, as_programs, functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def lens(x, n):
    return len(x), len([x, n]), len("abc")


def casts(x, n):
    return int(n), float(n), bool(n), int(x.sum()), float(x.max()), int(2.7), bool(x.sum())


def casts_of_staged(x, n):
    i = 0
    for _ in range(n):
        i += 1
    return float(i), bool(i), int(i / 2), int(float(i) * 1.5), str(i) == "2"


def abs_round(x, n):
    k = n - 2
    v = float(k) / 4
    return abs(k), abs(int(k)), round(v), round(v * 4, 1), abs(v), abs(x)


def sums(x, n):
    return sum([x, x]), sum((1, n)), sum(x), sum(range(n)), sum([], 5), sum(v * 2 for v in [1, 2])


def any_all(x, n):
    return any([n > 1, x.sum() > 0]), all([n > 1, x.sum() > 0]), any(x > 0), all(x > 0), any([]), all(())


def any_all_staged(x, n):
    flags = []
    for i in range(n):
        flags.append(i > 1)
    return any(flags), all(flags)


def divmods(x, n):
    k = int(n)
    return divmod(k + 7, 3), divmod(7, k + 1), divmod(float(k), 2)


def pows(x, n):
    k = int(n)
    return pow(2, k), pow(k, 2), pow(2.0, k), k**2, pow(x, 2)


def maths(x, n):
    k = int(n)
    return math.floor(2.5), math.sqrt(4), math.pi * k > 3, x * math.exp(0)


def math_of_staged(x, n):
    k = int(n)
    return math.sqrt(4 * k * k), math.floor(k / 2), math.ceil(k / 2), math.exp(k) > 3, math.log2(2.0**k), math.isfinite(k)


def operators(x, n):
    return operator.add(n, 1), operator.lt(n, 2), operator.itemgetter(1)([n, 2]), operator.mul(x, 2)


def item_and_tolist(x, n):
    rows = (x * 2).reshape([1, -1]).tolist()
    values = x.tolist()
    values.append(float(n))
    total = 0.0
    for value in x.tolist():
        if value > 1:
            total += value
    return n.item() + 1, x.sum().item() > 0, values, len(values), values[0], rows[0][2], n.tolist(), total, (x > 1).tolist()


def chr_ord(x, n):
    return ord("a") + n, chr(97)


def shape_use(x, n):
    b = x.shape[0]
    y = x.reshape([b, 1])
    return y, b * 2, x.ndim, x.size


def numeric_attr(x, n):
    k = int(n)
    return (k + 1) / 2, k // 2, k % 3, -k, +k, ~k, k & 1, k | 4, k ^ 3, k << 2, k >> 1, k == 2, 1.5 * k


def no_operand_for_a_statement(x, n):
    k = int(n)
    if n > 2:
        k += None
    if n > 1:
        k *= {}
    if n > 0:
        k -= "text"
    return k


def comparison_of_tensors(x, n):
    return (x > 1).sum(), (x == x).all(), bool((x > 0).any())


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


def test_an_int_beyond_int64_is_computed_and_told_as_text_only():
    def power(x, n):
        found = int(n)
        while found < 10**30:
            found *= 1000
        return found

    for program in as_programs(lambda x, n: str(power(x, n))):
        assert program(paddle.to_tensor(UP), paddle.to_tensor(1)) == "1" + "0" * 30
    for program in as_programs(power):
        with pytest.raises(EngineError, match=r"beyond int64, as which it gives one back; return it as text, str\(n\)"):
            program(paddle.to_tensor(UP), paddle.to_tensor(2))
