"""What exceptions come from, and exceptions that are used after their handler: as plain Python, static and loaded."""

from __future__ import annotations

from enum import Enum

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from . import agreement
from .agreement import UP, as_programs, functions_of, plain


class Trouble(ValueError):
    """A user's own."""


def risky(x, n):
    if n > 1:
        raise Trouble("many", int(n))
    if n == 1:
        raise KeyError("one")
    return x * 2


# --- what an exception comes from -------------------------------------------------------------------------------------


def from_what_was_caught(x, n):
    try:
        risky(x, n)
    except Trouble as e:
        raise RuntimeError("more") from e
    except KeyError:
        raise RuntimeError from None
    return x


def in_a_handler(x, n):
    try:
        risky(x, n)
    except Trouble:
        raise RuntimeError("more")  # noqa: B904
    except KeyError:
        raise RuntimeError("key") from ValueError("another", x)
    return x


def outside_of_handlers(x, n):
    if n > 1:
        raise ValueError("v") from KeyError("k")
    if n == 1:
        raise ValueError("v") from None
    return x


def in_the_handler_of_what_python_raises(x, n):
    try:
        {}["a"]
    except KeyError as e:
        if n > 1:
            raise RuntimeError("r")  # noqa: B904
        if n == 1:
            raise RuntimeError("q") from e
    return x


def in_finally(x, n):
    try:
        risky(x, n)
    finally:
        if n > 2:
            raise ValueError("finally")
    return x


def from_one_that_may_be_none(x, n):
    cause = None
    try:
        risky(x, n)
    except Exception as e:
        cause = e
    if n != 2:
        raise RuntimeError("r") from cause
    return x


def within_handlers_of_handlers(x, n):
    try:
        risky(x, n)
    except Exception as e:
        try:
            risky(x, n - 1)
        except Trouble as inner:
            raise LookupError("both") from inner
        raise e from None
    return x


# --- after the handler ------------------------------------------------------------------------------------------------


def told_afterwards(x, n):
    error = None
    try:
        risky(x, n)
    except Trouble as e:
        error = e
    except KeyError:
        pass
    return "" if error is None else (str(error), repr(error), f"{error}", error.args, type(error).__name__)


def raised_afterwards(x, n):
    last = None
    for k in range(3):
        try:
            return risky(x, n - k)
        except Exception as e:
            last = e
    raise last


def raised_afterwards_from_none(x, n):
    last = None
    try:
        risky(x, n)
    except Exception as e:
        last = e
    if last is not None:
        raise last from None
    return x


def kept_in_a_list(x, n):
    seen = []
    for k in range(n + 1):
        try:
            risky(x, k)
        except Exception as e:
            seen.append(e)
    return len(seen), [str(e) for e in seen], [isinstance(e, Trouble) for e in seen]


def one_from_another(x, n):
    seen = []
    for k in range(n + 1):
        try:
            risky(x, k)
        except Exception as e:
            seen.append((k, e))
    if len(seen) > 1:
        raise seen[1][1] from seen[0][1]
    return len(seen)


class Box:
    def __init__(self):
        self.error = None


def kept_on_an_object(x, n):
    box = Box()
    try:
        risky(x, n)
    except Exception as e:
        box.error = e
    table = {"error": box.error}
    if table["error"] is not None:
        raise table["error"]
    return x


def truth_and_identity(x, n):
    error = same = None
    try:
        risky(x, n)
    except Exception as e:
        error = same = e
    if error:
        return same is error, error == same, error is None, isinstance(error, KeyError)
    return "none"


def returned(x, n):
    try:
        risky(x, n)
    except Exception as e:
        return repr(e), e
    return x


def two_at_once(x, n):
    try:
        risky(x, n)
    except Exception as e:
        try:
            risky(x, n - 1)
        except Exception as inner:
            return str(e), str(inner), type(e).__name__, type(inner).__name__, e is inner
        return str(e)
    return x


def holds_a_tensor(x, n):
    last = None
    try:
        if n > 0:
            raise Trouble(x, n)
    except Trouble as e:
        last = e
    return (last.args[0] + 1, last.args[1]) if last is not None else x


def chain(error):
    """All that an exception says."""
    if error is None:
        return None
    links = chain(error.__cause__), chain(error.__context__), error.__suppress_context__
    return type(error).__name__, plain(error.args), *links


def outcome(function, arguments):
    try:
        found = function(*map(paddle.to_tensor, arguments))
    except Exception as error:
        return chain(error)
    return [chain(x) if isinstance(x, Exception) else plain(x) for x in (found if isinstance(found, tuple) else (found,))]


CASES = [f for f in functions_of(globals()) if f is not risky]


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_agrees(function):
    calls = [(UP, np.int64(n)) for n in (0, 1, 2, 3)]
    expected = [outcome(function, call) for call in calls]
    assert any(type(found) is list for found in expected), "every call raises: no exception is kept"
    for program in as_programs(function):
        assert [outcome(program, call) for call in calls] == expected


def test_the_line_is_that_of_the_first_raise():
    for program in as_programs(raised_afterwards):
        with pytest.raises(Trouble if program.__class__.__name__ == "StaticFunction" else ValueError) as caught:
            program(paddle.to_tensor(UP), paddle.to_tensor(np.int64(5)))
        assert caught.value.dy2st_loc.line == risky.__code__.co_firstlineno + 2


# --- the text that a class makes itself -------------------------------------------------------------------------------


class Deep(Trouble):
    def __init__(self, code):
        super().__init__(code, "deep")
        self.code = code

    def __str__(self):
        return f"{self.args[1]} {self.code}"


class Missing(KeyError):
    """Its text is KeyError's."""


class Sorted(Exception):
    def __str__(self):
        return ", ".join(sorted(str(x) for x in self.args))


def deep(x, n):
    if n > 1:
        raise Deep(int(n) * 2)
    if n == 1:
        raise Missing("key")
    return x


def test_a_loaded_exception_says_what_its_class_would():
    static, loaded = as_programs(deep)
    for n in (0, 1, 4):
        expected = agreement.outcome(deep, [UP, n])
        assert agreement.outcome(static, [UP, n]) == agreement.outcome(loaded, [UP, n]) == expected
    with pytest.raises(Deep) as raised:
        static(paddle.to_tensor(UP), paddle.to_tensor(4))
    assert vars(raised.value).keys() >= {"code"} and "__str__" not in vars(raised.value)


def test_a_text_that_cannot_be_told_where_it_is_raised_is_refused_at_save():
    def f(x, n):
        if n > 1:
            raise Sorted(int(n), 2)
        return x

    with pytest.raises(ConversionError, match="the text of Sorted is what its __str__ makes of it later.*give the text to super"):
        as_programs(f)


class Mode(Enum):
    LOW = 1
    OFF = 3


class Switched(paddle.nn.Layer):
    """A layer that keeps what gradients flow into: its later calls run on the tape."""

    def __init__(self):
        super().__init__()
        self.weight = self.create_parameter([1])
        self.mode, self.seen = Mode.LOW, paddle.zeros([1])

    def forward(self, x, n):
        self.mode, self.seen = Mode.LOW, self.seen + x * self.weight
        if n > 2:
            self.mode = Mode.OFF
        if n > 4:
            raise ValueError(self.mode, [x])
        return x * self.weight * {Mode.LOW: 1}[self.mode]


def test_an_exception_that_leaves_a_taped_call_carries_live_values():
    net = paddle.jit.to_static(Switched())
    net(paddle.to_tensor([1.0]), paddle.to_tensor(1))
    for n in (3, 5):
        with pytest.raises((KeyError, ValueError)) as raised:
            net(paddle.to_tensor([1.0]), paddle.to_tensor(n))
        assert raised.value.args[0] is Mode.OFF
    assert isinstance(raised.value.args[1][0], paddle.Tensor)
