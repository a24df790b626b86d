"""`set_verbosity`, `set_code_level`: which lines come when, and what the code is that they show."""

from __future__ import annotations

import ast

import pytest

import dy2st
from dy2st import jit
from dy2st.jit.dy2static import logging_utils
from dy2st.transformers import logs


@pytest.fixture(autouse=True)
def as_before(monkeypatch):
    for variable in ("TRANSLATOR_VERBOSITY", "TRANSLATOR_CODE_LEVEL"):
        monkeypatch.delenv(variable, raising=False)
    yield
    jit.set_verbosity(None, None)
    jit.set_code_level(None, None)


def convert():
    """Convert a function that nobody has converted yet; it."""

    def f(x: dy2st.Tensor) -> dy2st.Tensor:
        n: int = 2
        for i in range(3):
            if x.sum() > 10:
                break
            x = x * n
        return x and x

    static = jit.to_static(f)
    f.__code__ = f.__code__.replace(co_consts=f.__code__.co_consts)  # a code object of its own
    static(dy2st.ones([1]))
    return static


def lines(capsys):
    printed = capsys.readouterr()
    return printed.err, printed.out


def test_silent_unless_asked(capsys):
    convert()
    jit.set_verbosity(0)
    jit.set_code_level(77)
    convert()
    assert lines(capsys) == ("", "")


def test_verbosity_one_shows_the_source(capsys):
    jit.set_verbosity(1, also_to_stdout=True)
    convert()
    err, out = lines(capsys)
    assert " Dynamic-to-Static INFO: (Level 1) Source code of " in err
    assert out.startswith("Dynamic-to-Static INFO: (Level 1) Source code of ")
    assert "def f(x: dy2st.Tensor) -> dy2st.Tensor:" in err and "_jst" not in err


GONE = [  # what the code of a level no longer holds, and what it has instead
    (1, "n: int = 2", "n = 2"),
    (3, "break\n", "break_0"),
    (4, "x.sum() >", "_jst.call(x.sum)() >"),
    (5, "for i in", "_jst.convert_while_loop("),
]


@pytest.mark.parametrize("level, gone, instead", GONE)
def test_a_code_level_shows_the_code_after_that_step(capsys, level, gone, instead):
    jit.set_code_level(level)
    convert()
    err, out = lines(capsys)
    head, _, code = err.partition(", the transformed code:\n")
    assert out == "" and head.endswith(f"After the level {level} ast transformer: '{logs.STEPS[level - 1]}'")
    assert gone not in code and instead in code
    ast.parse(code)


def test_the_last_level_shows_what_runs(capsys):
    jit.set_code_level(also_to_stdout=True)
    static = convert()
    err, out = lines(capsys)
    assert "After the last level ast transformer: 'All Transformers', the transformed code:\n" in err
    code = out.partition("code:\n")[2].strip()
    shown = "\n".join(line.partition("  #")[0].rstrip() for line in static.code.strip().splitlines())
    assert ast.dump(ast.parse(code)) == ast.dump(ast.parse(shown))


def test_the_environment_counts_where_nobody_has_set_a_level(capsys, monkeypatch):
    monkeypatch.setenv("TRANSLATOR_CODE_LEVEL", "5")
    monkeypatch.setenv("TRANSLATOR_VERBOSITY", "3")
    assert (logging_utils.get_code_level(), logging_utils.get_verbosity()) == (5, 3)
    convert()
    err, _ = lines(capsys)
    assert "Source code of" in err and "After the level 5" in err
    jit.set_code_level(1)
    jit.set_verbosity(0)
    convert()
    err, _ = lines(capsys)
    assert "Source code of" not in err and "After the level 1" in err and "level 5" not in err


def test_levels_and_switches_are_checked():
    for function in (jit.set_verbosity, jit.set_code_level):
        with pytest.raises(TypeError, match="Level is not an integer: 1.5"):
            function(1.5)
        with pytest.raises(AssertionError):
            function(1, also_to_stdout="yes")
