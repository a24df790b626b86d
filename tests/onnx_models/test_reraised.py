"""Exceptions that are only raised never keep a model from ONNX: handlers that raise, `raise ... from`, texts."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

import dy2st as paddle  # noqa: E402
from dy2st.onnx import Session, export  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402


class MyError(RuntimeError):
    """An exception of the user's."""


def limited(x):
    if x.sum() > 100:
        raise ValueError("large")
    return x


def of_a_shape(x):
    try:
        y = x.reshape([2, -1])
    except ValueError as error:
        raise RuntimeError(f"bad shape {x.shape[0]}: {error}")
    return y


def with_a_cause(x):
    try:
        y = limited(x).reshape([2, -1])
    except ValueError as error:
        raise MyError("bad: " + str(error)) from error
    return y


def without_a_cause(x):
    try:
        y = limited(x)
    except (ValueError, IndexError):
        raise MyError("bad") from None
    return y * 2


def raised_again(x):
    try:
        y = limited(x).reshape([2, -1])
    except ValueError:
        raise
    return y


def another_class(x):
    try:
        y = limited(x)
    except IndexError as error:
        raise MyError("no") from error
    return y


def of_an_index(x):
    try:
        y = x[int(x[0])]
    except IndexError as error:
        raise KeyError("none") from error
    return y


def of_a_quotient(x):
    n = int(x[0])
    try:
        y = 12 // n
    except ZeroDivisionError as error:
        raise ValueError("nothing to divide") from error
    return x * y


def in_two(x):
    try:
        try:
            y = limited(x)
        except ValueError as error:
            raise IndexError("inner: " + str(error)) from error
    except IndexError as error:
        raise MyError("outer: " + str(error)) from error
    return y


FUNCTIONS = [of_a_shape, with_a_cause, without_a_cause, raised_again, another_class, of_an_index, of_a_quotient, in_two]
TOLD = (without_a_cause, another_class, of_a_quotient, in_two)  # a node of onnxruntime's that fails tells no text of Python's
INPUTS = ([1, 2, 3, 4], [1, 2, 3], [200, 1], [200, 1, 1], [0, 1], [1, 5])


def outcome(function, x):
    """What a call gives: the elements, or the names of the exception's classes and its text."""
    try:
        return np.asarray(function(paddle.to_tensor(x, "float32"))).tolist()
    except Exception as error:
        names = [cls.__name__ for cls in type(error).__mro__]
        return [name for name in names if name not in ("ShapeError", "Dy2stError", "object")], str(error)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_e_09_handlers_that_only_raise(function, tmp_path):
    session = Session(export(function, tmp_path / "model", [InputSpec([None], "float32", "x")]))
    static = paddle.jit.to_static(function, backend="onnxruntime")
    for x in INPUTS:
        plain, exported = outcome(function, x), outcome(session, x)
        assert outcome(static, x) == plain
        if isinstance(plain, tuple) and function not in TOLD:
            assert isinstance(exported, tuple) and _known(exported[0]) == _known(plain[0])
        else:
            assert exported == plain


def _known(names):
    """The first class that Python has: of a node that fails, a file tells no other."""
    return next(name for name in names if name != "MyError")


def joined(x):
    if x.sum() > 3:
        raise ValueError("lengths " + ", ".join(str(n) for n in x.shape) + " are too large")
    return x * 2


def test_e_09_texts_that_are_only_raised(tmp_path):
    session = Session(export(joined, tmp_path / "model", [InputSpec([None, None], "float32", "x")]))
    assert session(paddle.ones([1, 2])).numpy().tolist() == [[2, 2]]
    with pytest.raises(ValueError):
        session(paddle.ones([3, 2]))
    static = paddle.jit.to_static(joined, backend="onnxruntime")
    with pytest.raises(ValueError, match="^lengths 3, 2 are too large"):
        static(paddle.ones([3, 2]))
