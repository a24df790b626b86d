"""`with` around what happens when the Program runs: plain Python, the Program and the loaded Program agree on every path."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import UP, as_programs, assert_agrees, functions_of

CALLS = [(x, np.int64(n)) for n in (-1, 0, 1, 2, 3) for x in (UP, -UP)]


class Trouble(ValueError):
    """A user's own."""


class Log:
    """Notes when it is entered and left."""

    def __init__(self, notes, name="log"):
        self.notes, self.name = notes, name

    def __enter__(self):
        self.notes.append("enter " + self.name)
        return self

    def __exit__(self, kind, error, traceback):
        self.notes.append("exit " + self.name)
        if kind is not None:
            self.notes.append("with an error")


class Swallow:
    """Swallows exceptions of one class, and counts."""

    def __init__(self, kind):
        self.kind, self.caught = kind, 0

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is None:
            return False
        if issubclass(kind, self.kind):
            self.caught += 1
            return True
        return False


class Decides:
    """Swallows when the input says so."""

    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self.x * 2

    def __exit__(self, *error):
        return error[0] is not None and self.x.sum() > 0


class Scaled:
    """Changes an attribute for a while."""

    def __init__(self, owner, by):
        self.owner, self.by = owner, by

    def __enter__(self):
        self.before = self.owner.scale
        self.owner.scale = self.before * self.by

    def __exit__(self, *error):
        self.owner.scale = self.before


class Box:
    scale = 1

    def __init__(self):
        self.scale = 1


class Replaces:
    def __enter__(self):
        return None

    def __exit__(self, kind, error, traceback):
        if kind is Trouble:
            raise RuntimeError("in place of it: " + str(error))


def risky(x, n):
    if n > 2:
        raise Trouble("too many", int(n))
    if n < 0:
        raise KeyError("negative")
    return x * 2


def enter_and_exit(x, n):
    notes = []
    with Log(notes):
        y = x + 1
        if n > 1:
            y = y * 2
    return y, notes


def exit_when_raised(x, n):
    notes = []
    try:
        with Log(notes) as log:
            notes.append(log.name)
            risky(x, n)
            notes.append("done")
    except Trouble:
        return "trouble", notes
    except KeyError:
        notes.append("key")
    return notes


def two_managers(x, n):
    notes = []
    try:
        with Log(notes, "a"), Log(notes, "b") as inner:
            notes.append(inner.name)
            risky(x, n)
    except (Trouble, KeyError):
        pass
    return notes


def swallowed(x, n):
    y = "start"
    with Swallow(Trouble) as s:
        y = "before"
        risky(x, n)
        y = "after"
    return y, s.caught


def bound_in_the_body(x, n):
    with Swallow(Trouble):
        y = risky(x, n)
        z = 1
    if n > 2:
        return z
    return y


def swallows_by_the_input(x, n):
    y = x
    with Decides(x) as doubled:
        y = doubled
        risky(x, n)
        y = doubled + 1
    return y


def returns_inside(x, n):
    notes = []
    with Log(notes):
        if n == 0:
            return "zero", notes
        risky(x, n)
        if n == 1:
            return x
    return "end", notes


def return_that_is_swallowed(x, n):
    with Swallow(Exception):
        return risky(x, n)
    return "swallowed"


def break_inside(x, n):
    notes = []
    for i in range(n + 1):
        with Log(notes, "l"):
            if i == 1:
                continue
            if i == 2:
                break
        notes.append("next")
    return notes


def in_a_loop(x, n):
    total = 0
    s = Swallow(ZeroDivisionError)
    for i in range(3):
        with s:
            total = total + 6 // (int(n) - i)
    return total, s.caught


def attribute_for_a_while(x, n):
    box = Box()
    try:
        with Scaled(box, 3):
            y = risky(x * box.scale, n)
    except (Trouble, KeyError):
        y = x * box.scale
    return y, box.scale


def in_a_branch(x, n):
    notes = []
    if x.sum() > 0:
        with Log(notes):
            x = x + 1
    return x, notes


def replaced(x, n):
    with Replaces():
        y = risky(x, n)
    return y


def suppress(x, n):
    y = 0
    with contextlib.suppress(Trouble, ZeroDivisionError):
        y = 10 // int(n)
        risky(x, n)
        y = 1
    return y


def no_grad(x, n):
    with paddle.no_grad():
        if n > 1:
            x = x * 2
        risky(x, n)
    return x


@contextlib.contextmanager
def straight(notes):
    notes.append("enter")
    yield 5
    notes.append("exit")


@contextlib.contextmanager
def guarded(notes):
    try:
        yield
    finally:
        notes.append("exit")


def generator_manager(x, n):
    notes = []
    with straight(notes) as k:
        y = x * k
    return y, notes


def generator_manager_around_an_error(x, n):
    with straight([]) as k:
        y = risky(x, n) * k
    return y


def generator_manager_that_acts(x, n):
    notes = []
    with guarded(notes):
        risky(x, n)
    return notes


def exit_stack(x, n):
    with contextlib.ExitStack():
        risky(x, n)
    return x


def number_that_meets_a_tensor(x, n):
    c = 0
    with Log([]):
        c = x.shape[0] and n
        risky(x, n)
    return c


@contextlib.contextmanager
def counted(n, notes):
    if n > 1:
        notes.append("enter")
    yield n * 2
    if n > 2:
        notes.append("exit")


def generator_manager_around_changes(x, n):
    notes = []
    with counted(n, notes) as k, straight(notes):
        if n > 1:
            notes.append(int(k))
        y = x * k
    return y, notes


def generator_manager_in_a_branch(x, n):
    notes = []
    if n > 1:
        with straight(notes) as k:
            notes.append(k)
    return notes


def generator_manager_in_a_loop(x, n):
    notes = []
    for i in range(n):
        with straight(notes) as k:
            if i > 1:
                break
            notes.append(k * i)
    return notes


def generator_manager_left_by_an_exception(x, n):
    notes, y = [], x
    try:
        with guarded(notes):
            y = x + 1
            if n > 1:
                raise ValueError("left")
            y = x + 2
    except ValueError as error:
        notes.append(str(error))
    return y, notes


class Scale:
    def __init__(self):
        self.factor = 1

    @contextlib.contextmanager
    def changed_to(self, factor):
        before, self.factor = self.factor, factor
        try:
            yield self
        finally:
            self.factor = before


def generator_manager_of_a_method(x, n):
    scale = Scale()
    with scale.changed_to(int(n)) as same:
        y = x * same.factor
    return y, scale.factor


@contextlib.contextmanager
def on_one_path(n):
    if n > 1:
        yield 1


def generator_that_may_not_yield(x, n):
    with on_one_path(n) as k:
        y = x + k
    return y


REFUSED = [exit_stack]
CASES = [f for f in functions_of(globals()) if f not in (risky, *REFUSED)]


@pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")
@pytest.mark.filterwarnings("ignore::dy2st.errors.UnconvertedCallWarning")
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_agrees(function):
    assert_agrees(function, calls=CALLS)


@pytest.mark.filterwarnings("ignore::dy2st.errors.UnconvertedCallWarning")
@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_what_is_not_converted_and_might_catch_is_refused(function):
    with pytest.raises(ConversionError, match="write it as a class with __enter__ and __exit__") as error:
        as_programs(function)
    assert f"{__file__}:" in str(error.value)


def test_a_manager_must_have_both_methods():
    def broken(x):
        with x:
            return x

    with pytest.raises(TypeError, match="context manager protocol"):
        paddle.jit.to_static(broken)(paddle.ones([1]))
