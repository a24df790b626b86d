"""A range whose bounds only the Program knows: what it is asked besides being looped over."""

from __future__ import annotations

import numpy as np
import pytest

from dy2st import jit
from dy2st.errors import ConversionError

from .agreement import NUMBER, UP, assert_agrees, functions_of


def how_many(x, n):
    return len(range(n)), bool(range(n)), 3 if range(n) else 4, len(range(n, 0, -2)), not range(2, n)


def items(x, n):
    return range(n)[0], range(n)[-1], range(1, n + 2, 2)[0]


def parts(x, n):
    r = range(2, n, 3)
    return list(r[1:]), list(r[::-1]), list(r[-2:]), list(r[:-1:2]), list(r[1:2]), len(r[5:]), r[:2] == range(2, 8, 3)


def texts(x, n):
    return str(range(n)), f"{range(1, n)}: {range(n, 0, -1)!r}", repr(range(1, n, 1))


def equality(x, n):
    by_two = range(0, n, 2) == range(0, n + 1, 2)
    return range(n) == range(2), range(n) != range(2), by_two, range(n) == [0, 1], [range(n)] == [range(2)]


def kinds(x, n):
    return isinstance(range(n), range), isinstance(range(n), list), type(range(n)) is range, type(range(n)).__name__


def bounds(x, n):
    r = range(1, n, 2)
    return r.start, r.stop, r.step


def searches(x, n):
    r = range(1, n, 2)
    return 3 in r, 4 in r, r.count(3), r.index(1)


def put_into_lists(x, n):
    xs = [5, 6]
    xs += range(n)
    xs[:1] = range(n)
    xs[len(xs) :] = (i * 2 for i in range(n))
    xs.extend(range(n))
    return xs, (1, *range(n)), [*range(n)], {i for i in range(n)}, dict.fromkeys(range(n), 1)


def one_of_two_lists_as_a_part(x, n):
    xs = [5, 6]
    xs[:1] = [] if n > 0 else [2]
    return xs


def matched(x, n):
    match range(n):
        case [0, *rest]:
            return rest
        case _:
            return 7


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function):
    assert_agrees(function, calls=[(UP, np.int64(n)) for n in (-3, 0, 2, 9)])


def test_a_range_is_no_result():
    with pytest.raises(ConversionError, match="the result holds a range; .* return list"):
        jit.to_static(lambda n: range(n), input_spec=[NUMBER]).concrete_program  # noqa: B018
