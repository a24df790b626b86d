"""Numbers of other classes than Python's int and float, beside one that only the Program knows: as in Python, or refused."""

import enum
import itertools
import operator
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError, InternalError, StagedValueError


class Kind(enum.IntEnum):
    THREE = 3


class Int(int):
    pass


class Float(float):
    pass


class Text(str):
    pass


NUMBERS = [
    np.int64(3), np.float32(3), np.bool_(True), np.uint8(4), np.complex64(3), Fraction(3), Fraction(7, 2), Decimal(3),
    Decimal("3.5"), 3 + 0j, 3 + 1j, Kind.THREE, Int(3), Float(3.0), True, np.array(3), np.array([3, 4]), np.float64("nan"),
    Text("3"), "3", None, b"3", (3,),
]  # fmt: skip
USES = {
    "==": operator.eq,
    "== reversed": lambda k, v: v == k,
    "!=": operator.ne,
    "<": operator.lt,
    ">= reversed": lambda k, v: v >= k,
    "+": operator.add,
    "* reversed": lambda k, v: v * k,
    "in": lambda k, v: k in [v],
    "max": lambda k, v: max(k, v),
    "**": operator.pow,
    "/ reversed": lambda k, v: v / k,
    "% reversed": lambda k, v: v % k,
}


def told(value):
    value = value.numpy() if isinstance(value, paddle.Tensor) else value
    value = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
    return float(value) if isinstance(value, bool | int | float) else value


@pytest.mark.long
@pytest.mark.parametrize("kind", [int, float])
@pytest.mark.parametrize("number, use", sampled(itertools.product(NUMBERS, USES), 18), ids=str)
def test_as_in_plain_python_or_refused(number, use, kind):
    def function(n):
        return USES[use](int(n) if kind is int else float(n), number)

    def answer(function):
        try:
            return told(function(paddle.to_tensor(3)))
        except InternalError:
            raise
        except Exception as error:
            return error

    expected, found = answer(function), answer(paddle.jit.to_static(function))
    if isinstance(found, StagedValueError | ConversionError):
        return
    if isinstance(expected, Exception):
        assert type(found) is type(expected)
    else:
        assert found == expected or found == pytest.approx(expected, rel=1e-6, nan_ok=True)


@pytest.mark.parametrize("number", [np.int64(3), np.float32(3), Int(3), Float(3), Kind.THREE, 3 + 0j])
def test_equal_numbers_are_equal(number):
    @paddle.jit.to_static
    def function(n):
        return int(n) == number, int(n) != number, int(n) in [number]

    assert [bool(part) for part in function(paddle.to_tensor(3))] == [True, False, True]
    assert [bool(part) for part in function(paddle.to_tensor(4))] == [False, True, False]


TABLE = {np.int64(3): 1}


def looked_up(n):
    return TABLE.get(int(n))


def stored(n):
    table = {np.int64(3): 1}
    table[int(n)] = 5
    return table


def added(n):
    members = {np.int64(3)}
    members.add(int(n))
    return len(members)


@pytest.mark.parametrize("function", [looked_up, stored, added])
def test_numbers_of_numpy_are_no_keys(function):
    with pytest.raises(ConversionError, match=r"has no NumPy numbers as keys; write int\(key\) or float\(key\)"):
        paddle.jit.to_static(function)(paddle.to_tensor(3))
