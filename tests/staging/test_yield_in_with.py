"""A generator that yields inside a `with` and is asked for one item at a time: it leaves the manager where Python does."""

from __future__ import annotations

import contextlib
import os

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

X = paddle.to_tensor([1.0, 2.0])


class Manager:
    def __init__(self, log, swallows=None):
        self.log, self.swallows = log, swallows

    def __enter__(self):
        self.log.append("in")
        return len(self.log)

    def __exit__(self, kind, error, traceback):
        self.log.append(("out", None if kind is None else kind.__name__))
        return kind is self.swallows


def plain(log, n):
    with Manager(log) as first, Manager(log):
        for i in range(n):
            log.append(i)
            yield first + i
    log.append("end")


def returns_early(log, n):
    for i in range(n):
        with Manager(log) as first:
            yield first
            if i == 1:
                return
            if i == 0:
                continue
            yield i


def raises(log, n):
    with Manager(log, swallows=KeyError):
        yield 1
        log.append({}[n])
    yield 2
    with Manager(log):
        yield 3
        raise ValueError(n)


def is_sent(log, n):
    with contextlib.suppress(ZeroDivisionError):
        got = yield n
        log.append(got)
        yield n / 0
    yield "after"


def asked(x, make, n):
    """Everything that its items tell, one after another, with the work of others in between."""
    log, found = [], []
    items = make(log, n)
    try:
        found.append(next(items))
        log.append("between")
        for item in items:
            found.append(item)
            if len(found) == 2:
                break
        log.append("after the break")
        for item in items:
            found.append(item)
    except ValueError as error:
        found.append(str(error))
    return x * len(log), found, log


@pytest.mark.parametrize("make", [plain, returns_early, raises, is_sent])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_asked_one_at_a_time(make, n):
    expected = asked(X, make, n)
    found = paddle.jit.to_static(asked)(X, make, n)
    assert found[0].tolist() == expected[0].tolist() and found[1:] == expected[1:]


def names_in(folder):
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                yield entry.name
    except OSError:
        return


def in_two_folders(x, first, second):
    names, others = names_in(first), names_in(second)
    found = [(name, other) for name, other in zip(names, others)]
    with contextlib.closing(names_in(first)) as more:
        more_names = list(more)
    with contextlib.closing(names_in(first)) as more:
        more_names.append(next(more))
    return x * len(found), found, next(others, "none"), list(names), more_names


def guarded(x, n):
    log = []
    items = plain(log, n)
    total = next(items) * x
    if x.sum() > 0:
        total = total * 2
    for item in items:
        total = total + item
    return total, log


def test_a_tensor_decides_beside_it():
    for x in (X, -X):
        expected, found = guarded(x, 3), paddle.jit.to_static(guarded)(x, 3)
        assert found[0].tolist() == expected[0].tolist() and list(found[1]) == expected[1]


@contextlib.contextmanager
def pushed(log):
    log.append("in")
    yield
    log.append("out")


def in_a_generator_manager(log, n):
    with pushed(log):
        yield from range(n)


def test_a_manager_that_is_a_generator_is_refused():
    with pytest.raises(ConversionError, match="a 'yield' inside a 'with' of pushed"):
        paddle.jit.to_static(asked)(X, in_a_generator_manager, 3)
