"""An exception that leaves staging names the user's line, and its traceback shows the user's frames."""

from __future__ import annotations

import functools
import heapq
import io
import re
import sys
import traceback
from pathlib import Path

import pytest

import dy2st as paddle
from dy2st.errors import ShapeError, StagedValueError
from dy2st.static import InputSpec

X = InputSpec([None, 3], "float32", "x")
RESIDUE = {"tracebacks.py"} if sys.version_info < (3, 11) else set()  # a re-raise adds a frame there


def wrong_shape(x):
    return x + paddle.ones([4])


def wrong_name(x):
    return x * scale  # noqa: F821


def wrong_call(x):
    return paddle.concat([x], dim=0)


def generator(x):
    return (v for v in [x])


def through_the_library(x):
    return functools.reduce(lambda a, b: a, [1, heapq.nsmallest(2, [x.sum(), x.mean(), x.max()])])


def staged(function):
    return lambda: paddle.jit.to_static(function, input_spec=[X]).concrete_program


def saved(function):
    return lambda: paddle.jit.save(function, io.BytesIO(), input_spec=[X])


def called(function):
    return lambda: paddle.jit.to_static(function)(paddle.ones([2, 3]))


@pytest.mark.parametrize("way", [staged, saved, called])
@pytest.mark.parametrize("function, kind", [(wrong_shape, ShapeError), (wrong_name, NameError), (wrong_call, TypeError)])
def test_what_plain_python_raises_keeps_its_message_and_ends_in_the_users_line(function, kind, way):
    with pytest.raises(Exception) as plain:
        function(paddle.ones([2, 3]))
    with pytest.raises(kind) as caught:
        way(function)()
    line = function.__code__.co_firstlineno + 1
    assert str(caught.value.dy2st_loc) == f"{__file__}:{line}"
    assert re.sub(r"\d|\?", "", str(caught.value)) == re.sub(r"\d|\?", "", str(plain.value))
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [f.name for f in frames[-2:]] == ["<lambda>", function.__name__] and frames[-1].lineno == line
    assert RESIDUE >= {Path(f.filename).name for f in frames} - {Path(__file__).name}


def test_a_refusal_begins_with_the_line():
    with pytest.raises(paddle.errors.ConversionError, match=re.escape(f"{__file__}:{generator.__code__.co_firstlineno}: ")):
        staged(generator)()


def test_the_line_is_the_users_where_pythons_library_is_between():
    with pytest.raises(StagedValueError, match=re.escape(f"{__file__}:{through_the_library.__code__.co_firstlineno + 1}: ")):
        staged(through_the_library)()
