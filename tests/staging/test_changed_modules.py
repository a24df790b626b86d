"""Attributes of modules are the Program's state, those of Python's may change for a while, and text goes where it is printed."""

from __future__ import annotations

import contextlib
import io
import sys
import warnings

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, Dy2stWarning

from . import settings
from .agreement import VECTOR

VALUES = (1.0, -1.0, 2.0)


def counted(x):
    settings.calls = settings.calls + 1
    return x * settings.calls


def in_a_branch(x):
    if x.sum() > 0:
        settings.calls += 2
        settings.made = 5
    return x * settings.calls + settings.read(), hasattr(settings, "made") and x.sum() > 0


def by_function_and_attribute(x):
    settings.bump()
    settings.calls += 10
    settings.bump()
    return x * settings.calls


def a_list(x):
    settings.items = [1]
    settings.items.append(x.sum().item())
    return x * len(settings.items)


def before_an_exception(x):
    settings.calls = 7
    if x.sum() > 0:
        raise ValueError(settings.read())
    return x


def deleted(x):
    settings.made = x
    y = settings.made + 1
    del settings.made
    return y, hasattr(settings, "made")


def in_a_loop(x):
    count = 0
    while x.sum() < 10:
        x = x + 1
        settings.calls = count
        count += 1
    return x, settings.calls


def arguments_for_a_while(x):
    before = sys.argv
    sys.argv = ["program", "-v"]
    try:
        return x * len(sys.argv)
    finally:
        sys.argv = before


class Pieces:
    def __init__(self):
        self.parts = []

    def write(self, text):
        self.parts.append(text)

    def flush(self):
        self.parts.append("flush")


class Buffered(io.TextIOWrapper):
    def __init__(self):
        super().__init__(io.BufferedWriter(io.BytesIO()), "utf-8")

    def value(self):
        self.flush()
        return self.buffer.raw.getvalue().decode()


def redirected(x):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        print("a", 1, sep="-")
        print("b", end="")
    with contextlib.redirect_stderr(io.StringIO()) as errors:
        print("c", file=sys.stderr)
        sys.stderr.write("d")
    print("sum", x.sum())
    return x, out.getvalue(), errors.getvalue()


def to_nowhere(x):
    with contextlib.redirect_stdout(None):
        print("a")
    return x


def to_the_other_stream(x):
    with contextlib.redirect_stdout(sys.stderr):
        if x.sum() > 0:
            print("positive")
        print("sum", x.sum())
    print("error", x.sum(), file=sys.stderr)
    return x


def to_an_object(x):
    pieces = Pieces()
    print("sum", x.sum().item(), file=pieces, flush=True)
    return "|".join(pieces.parts)


def to_a_stream_of_its_own(x):
    before = sys.stdout
    sys.stdout = Buffered()
    try:
        print("a", 1)
        text = sys.stdout.value()
    finally:
        sys.stdout = before
    print("back")
    return x, text


FUNCTIONS = [
    counted, in_a_branch, by_function_and_attribute, a_list, before_an_exception, deleted, in_a_loop, arguments_for_a_while,
    redirected, to_nowhere, to_the_other_stream, to_an_object, to_a_stream_of_its_own,
]  # fmt: skip


def shown(value):
    if isinstance(value, paddle.Tensor):
        return value.tolist()
    return [shown(v) for v in value] if isinstance(value, tuple | list) else value


def answers(function):
    """What each of several calls gives, prints, and leaves in the module."""
    settings.calls, settings.items = 0, []
    vars(settings).pop("made", None)
    found = []
    for value in VALUES:
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as errors:
            try:
                given = shown(function(paddle.to_tensor([value])))
            except ValueError as error:
                given = str(error)
        left = {name: shown(value) for name, value in vars(settings).items() if name in ("calls", "items", "made")}
        found.append((given, out.getvalue(), errors.getvalue(), left))
    return found


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_in_plain_python(function):
    static = paddle.jit.to_static(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Dy2stWarning)
        assert answers(static) == answers(function)


def left_changed(x):
    sys.stdout = io.StringIO()
    return x


def left_changed_in_a_branch(x):
    if x.sum() > 0:
        sys.ps1 = 1
    return x


def staged_text_in_a_buffer(x):
    with contextlib.redirect_stdout(io.StringIO()):
        print(x.sum())
    return x


def printed_in_a_branch(x):
    with contextlib.redirect_stdout(io.StringIO()):
        if x.sum() > 0:
            print("positive")
    return x


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (left_changed, "sys.stdout = ... changes a module of Python's library, and isn't put back"),
        (left_changed_in_a_branch, "sys.ps1 = ... changes a module of Python's library"),
        (staged_text_in_a_buffer, "write isn't converted and is given a value"),
        (printed_in_a_branch, "would write while staging"),
    ],
)
def test_no_program_holds_it(function, said):
    before = sys.stdout
    with pytest.raises(ConversionError, match=said):
        paddle.jit.to_static(function, input_spec=[VECTOR]).concrete_program  # noqa: B018
    assert sys.stdout is before and not hasattr(sys, "ps1")


@pytest.mark.parametrize("function", [staged_text_in_a_buffer, printed_in_a_branch])
def test_a_call_is_refused_too(function):
    with pytest.raises(ConversionError):
        paddle.jit.to_static(function)(paddle.ones([2]))
