"""Which comparisons and operators go through the runtime, and which the operands overload."""

from __future__ import annotations

import ast

import pytest

from dy2st.transformers import transpile


def equality(a, b):
    return a == b, a != b, a == 1, a != "x", a == -1


def orders(a, b):
    return a < b, a < (b, 1), [a] <= b


def numbers(a, b):
    return a - b, a | b, a <= b


def sets(a, b):
    return set(a) - b, a | b, a <= b, a - 1, a * b


def changed_set(seen, todo, x):
    seen.add(x)
    return todo - seen


@pytest.mark.parametrize(
    "function, text",
    [
        (equality, 'return _jst.eq(a, b), _jst.ne(a, b), a == 1, a != "x", a == -1'),
        (
            orders,
            'return a < b, _jst.compare(a, "<", lambda: (b, 1)), '
            '_jst.compare(_jst.new([a]), "<=", lambda: b)',
        ),
        (numbers, "return a - b, a | b, a <= b"),
        (
            sets,
            'return _jst.operator("-", _jst.call(set)(a), b), _jst.operator("|", a, b), '
            '_jst.compare(a, "<=", lambda: b), a - 1, a * b',
        ),
        (changed_set, 'return _jst.operator("-", todo, seen)'),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_rewritten(function, text):
    source, expected = (ast.unparse(ast.parse(x)) for x in (transpile(function).source, text))
    assert expected in source
