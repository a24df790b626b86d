"""Ordinary Python values give in rewritten code what they give in plain Python, whether something is being staged or not."""

from __future__ import annotations

import warnings

import dy2st
from dy2st.jit.dy2static import convert_to_static
from dy2st.runtime import convert
from dy2st.runtime.convert.calls.calls import converted_function


def rewritten(function):
    """The function with its rewritten body, to be called where nothing is staged."""
    return converted_function(function, convert)[0]


def answer_of(function):
    """The result of a call without arguments, or its exception, as a text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return repr(function())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def assert_as_in_python(function):
    """A function without tensors: rewritten, and as a static function."""
    expected = answer_of(function)
    assert answer_of(rewritten(function)) == expected
    assert answer_of(convert_to_static(function)) == expected
    assert answer_of(dy2st.jit.to_static(function)) == expected
