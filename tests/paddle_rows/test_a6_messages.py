"""a.6: log lines, errors, warnings."""

from __future__ import annotations

import traceback
import warnings

import numpy as np
import pytest
from limits.agree import UP, VECTOR, as_programs

import dy2st as paddle
from dy2st.errors import ConversionError, Dy2stError, JoinWarning
from dy2st.jit import set_code_level, set_verbosity
from dy2st.static import InputSpec

to_static = paddle.jit.to_static
X = paddle.to_tensor(UP)


@pytest.fixture
def levels(monkeypatch):
    for variable in ("TRANSLATOR_VERBOSITY", "TRANSLATOR_CODE_LEVEL"):
        monkeypatch.delenv(variable, raising=False)
    yield monkeypatch
    set_verbosity(None), set_code_level(None)


def test_a6_01_levels_of_the_log(levels, capsys):
    def logged(x):
        return x + 1 if x.sum() > 0 else x

    set_verbosity(1, also_to_stdout=True)
    set_code_level(100)
    to_static(logged)(X)
    printed = capsys.readouterr()
    assert "Dynamic-to-Static INFO: (Level 1)" in printed.err and "(Level 1)" in printed.out
    assert "transformed code" in printed.err and "_jst.ifexp" in printed.err
    for set_level in (set_verbosity, set_code_level):
        with pytest.raises(TypeError, match="integer"):
            set_level("1")
        with pytest.raises(AssertionError):
            set_level(1, also_to_stdout="yes")


def test_a6_01_the_environment_counts_where_nobody_set_a_level(levels, capsys):
    def logged(x):
        return x * 2

    set_verbosity(None), set_code_level(None)
    levels.setenv("TRANSLATOR_CODE_LEVEL", "100")
    to_static(logged)(X)
    assert "transformed code" in capsys.readouterr().err

    def another(x):
        return x * 3

    set_code_level(0)
    to_static(another)(X)
    assert "transformed code" not in capsys.readouterr().err


def looks_up(x):
    table = {"a": x}
    if x.sum() > 0:
        y = table["missing"]
    else:
        y = x
    return y


def test_a6_02_an_error_shows_the_users_file_and_line():
    """Python's own exception at the user's line: `KeyError` stays `KeyError`, and frames of ours are left out."""
    with pytest.raises(KeyError, match="missing") as caught:
        to_static(looks_up)(X)
    line = looks_up.__code__.co_firstlineno + 3
    frames = [(f.path.name, f.lineno + 1) for f in caught.traceback]
    assert ("test_a6_messages.py", line) in frames or getattr(caught.value.dy2st_loc, "line", 0) == line
    assert not any(f.path.parts[-2] == "convert" for f in caught.traceback)


def bad_shape(x):
    y = x * 2
    return y.reshape([2, 7])


def test_a6_03_there_are_no_flags_for_other_errors(levels):
    """The error is short and says the line; there is one form of it, so no variable chooses between several."""
    texts = []
    for value in ("0", "1"):
        levels.setenv("TRANSLATOR_DISABLE_NEW_ERROR", value)
        levels.setenv("TRANSLATOR_SIMPLIFY_NEW_ERROR", value)
        with pytest.raises(ValueError) as caught:
            to_static(bad_shape, input_spec=[InputSpec([3])])(X)
        texts.append("".join(traceback.format_exception(caught.value)))
    assert texts[0] == texts[1] and f'test_a6_messages.py", line {bad_shape.__code__.co_firstlineno + 2}' in texts[0]


def unbound(x):
    if x.sum() > 100:
        y = x
    return y


def test_a6_03_an_uninitialised_variable_is_named():
    with pytest.raises(UnboundLocalError, match="'y'"):
        to_static(unbound)(X)


class Setting(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(3, 3)

    def forward(self, x):
        self.set_state_dict({"linear.weight": x})
        return self.linear(x)


def test_a6_04_numpy_and_set_state_dict_inside():
    with pytest.raises(ConversionError, match=r"test_a6_messages.py:\d+: numpy.sum is a NumPy call.*use dy2st.sum"):
        to_static(lambda x: np.sum(x))(X)
    with pytest.raises(Dy2stError, match=r"test_a6_messages.py|set_state_dict"):
        to_static(Setting())(X)


def indexes(x, n):
    y = x + 1
    return y[n]


def test_a6_05_an_operator_that_fails_at_run_time_says_the_line():
    static, loaded = as_programs(indexes, (VECTOR, InputSpec([], "int64")))
    for program in (static, loaded):
        with pytest.raises(IndexError) as caught:
            program(X, paddle.to_tensor(9))
        assert caught.value.dy2st_loc.line == indexes.__code__.co_firstlineno + 2


def joins(x):
    y = 1
    if x.sum() > 0:
        y = x
    return y


def appends_and_none(x, items):
    y = None
    if x.sum() > 0:
        y = x
    return y


def test_a6_06_warnings():
    """Only what differs from Python's result is warned of: None in one branch, global lists, views and eight Programs do not."""
    with pytest.warns(JoinWarning, match="on one path"):
        to_static(joins)(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        static = to_static(appends_and_none)
        for k in range(8):
            static(X, k)
        to_static(lambda x: x.reshape([3, 1]).add_(paddle.ones([3, 1])))(X + 0)
