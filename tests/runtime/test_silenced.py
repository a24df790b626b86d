"""The first conversion of a process, where the user has made warnings errors; the user's own code is warned as before."""

import subprocess
import sys

import pytest

FUNCTION = """
import dy2st as paddle


@paddle.jit.to_static
def doubled(x):
    if x.sum() > 0:
        return x * 2
    return x


first = doubled(paddle.to_tensor([1.0])).tolist()
"""
# Python 3.12 and 3.13 warn of ast.Num; the others are made to.
DEPRECATED = """
import ast
import warnings


def deprecated(name):
    if name != "Num":
        raise AttributeError(name)
    warnings.warn(f"ast.{name} is deprecated and will be removed", DeprecationWarning, stacklevel=2)
    return ast.Constant


vars(ast).pop("Num", None)
ast.__getattr__ = deprecated
"""
USERS = """
import warnings


def warns(category, text):
    try:
        warnings.warn(text, category)
    except category:
        return True
    return False


print(first, warns(DeprecationWarning, "ast.Num is deprecated"), warns(UserWarning, "something"))
"""


def run(path, source: str, *options: str) -> str:
    path.write_text(source)
    command = [sys.executable, *options, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=path.parent)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("before", ["", DEPRECATED], ids=["as_this_python_is", "deprecated"])
def test_i_02_the_first_to_static_where_warnings_are_errors(tmp_path, before):
    assert run(tmp_path / "first.py", before + FUNCTION + USERS, "-W", "error") == "[2.0] True True\n"


FILTERS = """
import warnings

import numpy

warnings.filterwarnings("error", message="mine")
found, known = warnings.filters, [*warnings.filters]
"""
RESETS = """
def reset(name):
    warnings.resetwarnings()
    return ast.Constant


ast.__getattr__ = reset
"""


def test_i_02_the_users_filters_are_left_as_they_were(tmp_path):
    """Those that there are, in their order, in the list that other threads may have copied or changed meanwhile."""
    after = "print(warnings.filters is found and known == found)\n"
    assert run(tmp_path / "filters.py", FILTERS + FUNCTION + after) == "True\n"
    assert run(tmp_path / "reset.py", DEPRECATED + RESETS + FUNCTION + "print(warnings.filters)\n") == "[]\n"


WARNED_OF = """
def stays(x, p=3):
    pattern = "\\d"
    if p is 3 and len(pattern) == 2:
        x = x + 1

    class Kept:
        def method(self, y):
            for i in range(3):
                try:
                    y = y + 1
                finally:
                    continue
            return y is 4

    if x.sum() > 100:
        assert (x, "always")
    return x, Kept().method(p), [(lambda v: v is 3)(3) for _ in range(2)], pattern
"""
CONVERTS = """
import py_compile
import warnings

with warnings.catch_warnings():  # as an installed package is compiled, once
    warnings.simplefilter("ignore")
    py_compile.compile("warned_of.py")

import dy2st as paddle
import warned_of

x = paddle.to_tensor([1.0])
plain, converted = warned_of.stays(x), paddle.jit.to_static(warned_of.stays)
print(plain[0].tolist() == converted(x)[0].tolist() and plain[1:] == converted(x)[1:], len(converted.code) > 0)
"""


def test_what_python_has_warned_of_is_told_once(tmp_path):
    """Escapes, comparisons with literals, jumps out of `finally` (from Python 3.14 on): converting them warns of nothing."""
    (tmp_path / "warned_of.py").write_text(WARNED_OF)
    assert run(tmp_path / "converts.py", CONVERTS, "-W", "error") == "True True\n"
