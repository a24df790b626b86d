"""What is written out needs no conversion: literals, and the way to an item by literals. What a name stands for always does."""

from __future__ import annotations

import builtins
import itertools
import types

import pytest

import dy2st as paddle

from .agreement import assert_agrees, functions_of, plain


def items_of_lists(x, n):
    rows = [[x, x * 2], [x * 3, [x, n]]]
    rows[1][1][0] = rows[0][1] + 1
    rows[-1][1][1] += 1
    return rows[0][0] * rows[1][1][1], rows[1][1][0]


def items_that_the_program_knows(x, n):
    rows = []
    for i in range(n + 2):
        rows.append([x * i, [i, (i + 1, x)]])
    return rows[1][1][1][0], rows[0][1][1][1], rows[-1][0]


def items_of_dicts(x, n):
    held = {"a": {"b": [x, n]}, 2: ({"c": x.sum()},)}
    if n > 1:
        held["a"]["b"][1] = n * 2
    del held["a"]["b"][0]
    return held["a"]["b"][0], held[2][0]["c"], "abc"[1] + "a,b".split(",")[1][0]


def items_of_tensors(x, n):
    pair = [x, (x * 2, n)]
    return pair[0][0], pair[1][0][-1], x[None][0][1], pair[1][0][1:][0]


def no_item(x, n):
    rows = [[x], {"a": [n]}]
    if n > 3:
        return rows[0][0][0] + rows[1]["a"][5][0]
    if n > 1:
        return rows[1]["b"][0]
    return rows[0][2][0]


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda function: function.__name__)
def test_items(function):
    assert_agrees(function, raises=function is no_item)


SOURCE = """
def {name}_of_mine(*args):
    if state[0].sum() > 3:
        return {name}_of_python(*args)
    return {answer}
{head}
def f(x{parameter}):
    state[0] = x
{local}
    return x * 0 + {call} + {call}
"""
CALLS = {"range": ("sum(range(3))", "[1]"), "float": ("float('2.5')", "0.5"), "int": ("int('2')", "0"), "abs": ("abs(-1)", "7")}
WAYS = {
    "never": {},
    "parameter": {"parameter": ", {name}={name}_of_mine"},
    "local": {"local": "    {name} = {name}_of_mine"},
    "global": {"head": "{name} = {name}_of_mine"},
    "stored": {"local": "    global {name}\n    {name} = {name}_of_mine"},
    "later": {},
}


@pytest.mark.parametrize("name, way", itertools.product(CALLS, WAYS))
def test_what_a_name_is_bound_to_is_converted(name, way, tmp_path):
    call, answer = CALLS[name]
    parts = {part: WAYS[way].get(part, "").format(name=name) for part in ("head", "parameter", "local")}
    path = tmp_path / "written.py"
    path.write_text(SOURCE.format(name=name, answer=answer, call=call, **parts))
    module = types.ModuleType("written")
    vars(module).update({"state": [None], f"{name}_of_python": getattr(builtins, name)})
    exec(compile(path.read_text(), str(path), "exec"), vars(module))
    static = paddle.jit.to_static(module.f, input_spec=[paddle.static.InputSpec([2])])
    values = [paddle.to_tensor(v) for v in ([1.0, 1.0], [3.0, 4.0])]
    if way == "later":
        assert plain(static(values[0])) == plain(module.f(values[0]))      # converted while the name is Python's
        setattr(module, name, vars(module)[f"{name}_of_mine"])
    for value in values:
        assert plain(static(value)) == plain(module.f(value))
