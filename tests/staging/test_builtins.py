"""Built-ins on sequences, classes and attributes: ranges, `map`, `filter`, `zip`, `isinstance`, `hasattr`."""

from __future__ import annotations

import functools
import operator

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, StagedValueError

from .agreement import as_programs, assert_agrees, functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def list_tuple(x, n):
    return list(x), tuple(x), list(range(n)), tuple(range(n)), list((1, n)), list("ab")


def ranges(x, n):
    a = []
    for i in range(1, n):
        a.append(i)
    for i in range(n, -1, -2):
        a.append(i)
    return a, len(range(n)), list(range(0, n, 2)), n in range(3)


def range_object(x, n):
    r = range(1, n + 2)
    return len(r), r[0], r[-1], list(r), sum(r), 2 in r


def isinstances(x, n):
    k = int(n)
    v = 1 if n > 1 else "a"
    return isinstance(k, int), isinstance(x, paddle.Tensor), isinstance(v, str), isinstance(v, (int, float)), isinstance([], list)


def types(x, n):
    k = int(n)
    v = 1 if n > 1 else "a"
    return type(k) is int, type(v) is str, type(x) is paddle.Tensor, type([]) is list


def attributes(x, n):
    class C:
        pass

    c = C()
    c.a = 1
    if n > 1:
        setattr(c, "b", x)
    return hasattr(c, "b"), getattr(c, "b", None) is None, getattr(c, "a"), hasattr(x, "shape")


def setattr_loop(x, n):
    class C:
        pass

    c = C()
    c.v = 0
    for i in range(n):
        setattr(c, "v", getattr(c, "v") + i)
    return c.v


def maps(x, n):
    out = list(map(lambda v: v + n, [1, 2]))
    return out, list(map(lambda a, b: a * b, [1, 2], [n, n])), tuple(map(abs, [n - 2, -1])), sum(map(float, [n, 2]))


def maps_staged(x, n):
    items = []
    for i in range(n):
        items.append(i)
    return list(map(lambda v: v * 2, items)), sum(map(lambda v: v + 1, items))


def map_over_rows(x, n):
    return list(map(lambda v: v * 2, x))


def map_in_for(x, n):
    s = 0
    for v in map(lambda v: v * n, [1, 2, 3]):
        if v > 2:
            s += v
    return s


def filters(x, n):
    return list(filter(lambda v: v > 1, [1, 2, 3])), list(filter(None, [0, 1]))


def filters_by_tensor(x, n):
    return list(filter(lambda v: v > n, [1, 2, 3]))


def filters_staged(x, n):
    items = []
    for i in range(n):
        items.append(i)
    out = []
    for v in filter(lambda v: v % 2 == 1, items):
        out.append(v)
    return out


def zips(x, n):
    a = list(zip([1, 2], [x, n]))
    b, c = zip(*[(1, 2), (3, 4)])
    return a, b, c, list(zip(x, x))


def zip_uneven(x, n):
    items = []
    for i in range(n):
        items.append(i)
    return list(zip([7, 8], items))


def enumerates(x, n):
    s = 0
    for i, v in enumerate(x):
        s = s + i * v
    return s, list(enumerate(["a", "b"], 1))


def callables(x, n):
    return callable(len), callable(x), callable(lambda: 1)


def reduces(x, n):
    return functools.reduce(lambda a, b: a + b * n, [1, 2, 3]), functools.reduce(operator.add, [x, x], x)


def reduces_staged(x, n):
    items = []
    for i in range(n):
        items.append(i + 1)
    return functools.reduce(lambda a, b: a * b, items, 1)


def iter_next(x, n):
    it = iter([x, x + 1, n])
    a = next(it)
    b = next(it)
    return a, b, next(it), next(it, "end")


def next_on_path(x, n):
    it = iter([1, 2, 3])
    s = next(it)
    for v in it:
        if v > n:
            s += v
    return s


def reversed_range(x, n):
    out = []
    for i in reversed(range(n)):
        out.append(i)
    return out, list(reversed([1, n]))


def slice_object(x, n):
    s = slice(0, 2)
    return [1, 2, 3][s], x[slice(0, 1)]


def zip_strict(x, n):
    items = []
    for i in range(n):
        items.append(i)
    return list(zip(items, [7, 8], strict=True)), list(zip([1], [2], strict=True))


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


def attributes_by_path(x, count):
    class C:
        a, b = 1, 2

    name = "a" if count > 1 else "b"
    return getattr(C, name)


def test_an_attribute_named_at_run_time_is_refused():
    with pytest.raises(ConversionError, match="getattr with a name that is known only when the Program runs"):
        as_programs(attributes_by_path)


PARSE = functools.partial(int, base=2)


def named_arguments(x, n):
    parts = PARSE("101"), int("11", base=2), int("z", 36), str(b"ab", encoding="utf8"), str(object=3)
    return x + parts[0], parts


def test_arguments_by_name():
    assert_agrees(named_arguments)


def test_the_base_of_a_text_of_the_program_is_refused():
    def parsed(x, n):
        return int(str(n), 2)

    with pytest.raises(StagedValueError, match=r"int\(text, base\) of what is known only when the Program runs"):
        as_programs(parsed)
