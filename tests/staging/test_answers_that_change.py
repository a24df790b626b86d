"""What an object of a library says of itself, or a thread of where it runs, is as of this call and not as of staging."""

import collections
import itertools
import logging
import threading
import types
import warnings
from concurrent.futures import Future

import pytest

import dy2st as paddle

X = paddle.to_tensor([1.0])


class Things:
    """Objects of the library that change, made anew for each test."""

    def __init__(self):
        self.held = [1]
        self.lock, self.reentrant, self.event = threading.Lock(), threading.RLock(), threading.Event()
        self.thread = threading.Thread(target=lambda: None, name="before")
        self.logger = logging.Logger("name")
        self.future, self.count = Future(), itertools.count()
        self.proxy, self.error = types.MappingProxyType({"a": self.held}), ValueError(self.held)
        self.deque = collections.deque([1])

    def change(self):
        self.held.append(2)
        self.lock.acquire()
        self.reentrant.acquire()
        self.event.set()
        self.logger.setLevel(10)
        self.logger.disabled = True
        self.future.set_result(1)
        next(self.count)
        self.thread.name = "after"
        self.thread.daemon = True
        self.deque.append(2)


ASKED = {
    "repr(event)": lambda t: repr(t.event)[-8:],
    "event.is_set()": lambda t: t.event.is_set(),
    "thread.name": lambda t: t.thread.name,
    "thread.daemon": lambda t: t.thread.daemon,
    "thread.ident": lambda t: t.thread.ident is None,
    "of a list": lambda t: [thread.name for thread in [t.thread]],
    "getattr": lambda t: getattr(t.thread, "name"),  # noqa: B009
    "logger.level": lambda t: (t.logger.level, t.logger.disabled),
    "repr(future)": lambda t: repr(t.future)[-16:],
    "repr(count)": lambda t: repr(t.count),
    "repr(proxy)": lambda t: repr(t.proxy),
    "repr(error)": lambda t: (repr(t.error), str(t.error)),
    "repr(deque)": lambda t: repr(t.deque),
}


def quiet(function, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args)


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_after_a_change(ask):
    things = Things()

    def function(x):
        return ask(things)

    static = paddle.jit.to_static(function)
    assert quiet(static, X) == quiet(static, X) == ask(things)
    before = ask(things)
    things.change()
    if ask is ASKED["thread.ident"]:
        things.thread.start()
        things.thread.join()
    assert quiet(static, X) == ask(things) != before


@pytest.mark.parametrize("ask", [lambda t: repr(t.lock), lambda t: threading.get_ident()])
def test_refused_where_a_file_would_hold_it(ask, tmp_path):
    things = Things()

    def function(x):
        return ask(things), x

    with pytest.raises(paddle.errors.ConversionError, match="ask outside of the function"):
        paddle.jit.save(paddle.jit.to_static(function, input_spec=[paddle.static.InputSpec([1])]), str(tmp_path / "f"))
