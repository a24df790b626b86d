"""Long and deep functions: linear time, flat code, no recursion limit."""

import linecache
import time

import pytest
from plain_runtime import converted
from random_functions import compile_function

from dy2st.transformers import transpile

pytestmark = pytest.mark.by_turns


def function(body, head="def f(x):\n"):
    return compile_function(head + "".join(body))


def depth(text):
    return max((len(line) - len(line.lstrip())) // 4 for line in text.splitlines())


def test_thousand_early_returns():
    f = function([*(f"    if x == {i}:\n        return {i * 2}\n" for i in range(1000)), "    return -1\n"])
    assert depth(transpile(f).source) < 20
    g = converted(f)
    assert [g(x) for x in (0, 3, 4, 500, 999, 1000)] == [0, 6, 8, 1000, 1998, -1]


def test_thousand_elifs():
    f = function(["    if x < 0:\n        y = -1\n", *(f"    elif x == {i}:\n        y = {i}\n" for i in range(1000)),
                  "    else:\n        y = None\n    return y\n"])
    assert depth(transpile(f).source) < 30
    for g in (converted(f), converted(f, outside=True)):
        assert [g(x) for x in (-5, 0, 11, 12, 13, 14, 999, 1000)] == [-1, 0, 11, 12, 13, 14, 999, None]


def test_deep_nests():
    loops = function(["    s = 0\n", *("    " * (i + 1) + f"for i{i} in range(2):\n" for i in range(10)),
                      "    " * 11 + "s += i0 + i9\n", "    return s\n"])
    assert converted(loops)(0) == loops(0)
    ifs = function([*("    " * (i + 1) + f"if x > {i}:\n" for i in range(60)), "    " * 61 + "x += 1\n", "    return x\n"])
    assert converted(ifs)(100) == converted(ifs, outside=True)(100) == 101


def test_long_expression():
    f = function(["    return " + " + ".join(["x"] * 900) + "\n"])
    assert converted(f)(2) == converted(f, outside=True)(2) == 1800


@pytest.mark.parametrize("line", ["    x = g(x, {i})\n", "    if x > {i}:\n        x = x - 1\n", "    if x == {i}: return {i}\n"])
def test_time_is_linear(line):
    def seconds(count):
        f = function(line.replace("{i}", str(i)) for i in range(count))
        start = time.process_time()
        transpile(f)
        return time.process_time() - start

    seconds(10)
    small, large = (min(seconds(count) for _ in range(3)) for count in (50, 400))
    assert large < 8 * small * 3 + 0.1


def test_files_of_equal_text_keep_their_own_lines():
    text = "def f(x):\n    return x / 0\n"
    functions = []
    for name in ("<first file>", "<second file>"):
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        namespace = {}
        exec(compile(text, name, "exec"), namespace)
        functions.append(namespace["f"])
    assert functions[0].__code__ is not functions[1].__code__
    assert [converted(f).__code__.co_filename for f in functions] == ["<first file>", "<second file>"]
