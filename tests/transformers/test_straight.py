"""Assignments that no transformer changes stand in the rewritten tree as they are; those that one changes don't."""

import ast

import pytest
from plain_runtime import converted, outcome
from random_functions import compile_function
from support.answers import assert_some_answer

from dy2st.transformers.straight import straight


def parsed(line):
    return ast.parse(line).body[0]


@pytest.mark.parametrize("line", ["x = x * 0.5 - 1", "x = -y ** 2 / (a @ b)", "x = 1 - y", "x = 3", "x = None", "x = True"])
def test_arithmetic_stays(line):
    statement = parsed(line)
    kept = straight(statement)
    assert kept.statement is statement and kept.target.id == "x"
    names = [node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name)]
    assert sorted(name.id for name in kept.reads) == sorted(names)


@pytest.mark.parametrize("line", [
    "x = y", "x = 'text'", "x = a - b", "x = a | b", "x = a % b", "x = not a", "x = f(a) + 1", "x = a[0] + 1", "x = a.b + 1",
    "x = [0] * 3", "x = a < b", "x, y = a", "x = y = a + 1", "x[0] = a + 1", "__x = a + 1", "x = a + __b"])
def test_what_a_transformer_may_change_does_not(line):
    assert straight(parsed(line)) is None


@pytest.mark.parametrize("body", [
    "    if c:\n        y = 1\n    x = y * 2 + y\n    return x\n",
    "    for i in range(c):\n        t = i + 1\n    return t\n",
    "    y = 5\n    while y > c:\n        if y == 3:\n            del y\n        y = y * 1 - 1\n    return y\n",
    "    s = {1, 2}\n    t = s - {c}\n    return t\n",
    "    while True:\n        try:\n            c = c + 1\n        finally:\n            d = c * 2\n            if d > 3:\n"
    "                break\n    return c, d\n",
    "    def g():\n        x = c * 2\n        return x\n    if c:\n        c = c + 1\n    return g()\n",
])
def test_names_without_a_value_are_still_checked(body):
    f = compile_function("def f(c):\n" + body)
    g = converted(f)
    expected = [outcome(f, c) for c in (0, 1, 4)]
    assert [outcome(g, c) for c in (0, 1, 4)] == expected
    assert_some_answer(expected)
