"""`+` and `*` of lists that are known only at run time: the items are those of that moment."""

from __future__ import annotations

import pytest

from dy2st.errors import ConversionError

from .agreement import as_programs, functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def three_terms_and_a_product(x, n):
    s = [1]
    if n > 1:
        s.append(3)
    t = s + [4] + s
    return t, len(s + s), (s * 2)[0], (s + [1])[-1]


def walked_without_a_name(x, n):
    s = [1]
    if n > 1:
        s.append(3)
    t = s + [4]
    k = 0
    for v in t:
        k += v
    for v in s + s:
        k += v
    if s + s:
        k += 1
    return k, bool(s * 0), 3 in s + s


def with_a_python_list(x, n):
    s, k, c = [1], [7, 8], 0
    if n > 1:
        s.append(3)
    u = s + k
    for v in u:
        c += 1
    return u[1], c, len(u), u[-1], u


def changed_afterwards(x, n):
    s, k = [1], [7, 8]
    if n > 1:
        s.append(3)
    u = k + s
    u.append(5)
    u[0] = 9
    del u[1]
    return u, u[1:], u.index(5)


def handed_to_a_function(x, n):
    def f(v):
        return len(v), v[0]
    s = [1]
    if n > 1:
        s.append(3)
    return f(s + s), (s + s) == [1, 1]


def kept_in_a_dict(x, n):
    s = [1]
    if n > 1:
        s.append(3)
    u = s + s
    u += [4]
    d = {"a": s + s}
    d["a"].append(1)
    return u, d


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


def terms_that_change_later(x, n):
    items, known = [1], [7, 8]
    if n > 1:
        items.append(3)
    both = items + known
    items.append(9)
    return len(both)


def test_terms_that_change_later_are_refused():
    with pytest.raises(ConversionError, match=r"put together from a list that has changed since; write list\(a \+ b\)"):
        as_programs(terms_that_change_later)
