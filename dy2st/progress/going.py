"""What goes on, and the thread that looks at it. The oldest work that goes on is shown, so that what it does inside isn't."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import IO

from .displays import Display, display_for, is_terminal, somebody_looks

DELAY = 1.0  # seconds before anything is shown
TICK = 0.1  # seconds between two looks

Where = Callable[[FrameType], str]


class Progress:
    """How far a piece of work has come.

    total: how many of `unit` there are; None: nobody knows how long it takes. where: the place in the user's code, as
    " at net.py:12", of a frame of the thread that works. redirects: whether a bar may take over stderr meanwhile.
    """

    def __init__(self, what: str, total: int | None = None, unit: str = "", where: Where | None = None, redirects: bool = False):
        self.what, self.total, self.unit, self.redirects = what, total, unit, redirects
        self.done = 0
        self._where = where
        self._thread, self._start = threading.get_ident(), time.monotonic()

    def advance(self, count: int) -> None:
        """So many more are done."""
        self.done += count

    @property
    def seconds(self) -> float:
        """How long it has gone on."""
        return time.monotonic() - self._start

    def place(self) -> str:
        """The line of the user's code that runs now; "" where none does, as when the thread that works draws this itself."""
        frame = sys._current_frames().get(self._thread)
        if self._where is None or frame is None or self._thread == threading.get_ident():
            return ""
        return self._where(frame)


class _Going:
    """All that goes on in the process, the oldest first, and what is shown of it."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._works: list[Progress] = []
        self._watcher: threading.Thread | None = None
        self._shown: Progress | None = None
        self._display: Display | None = None

    def begin(self, work: Progress) -> None:
        with self._lock:
            self._works.append(work)
            if self._watcher is None or not self._watcher.is_alive():  # which it isn't in a fork, either
                self._watcher = threading.Thread(target=self._watch, name="dy2st progress", daemon=True)
                self._watcher.start()

    def end(self, work: Progress) -> None:
        with self._lock:
            self._works.remove(work)
            if self._shown is work:
                self._hide()
                self._shown = self._display = None

    @contextmanager
    def aside(self) -> Iterator[None]:
        with self._lock:
            self._hide()
            try:
                yield
            finally:
                if self._display is not None:
                    self._display.show()

    def _hide(self) -> None:
        if self._display is not None:
            self._display.hide()

    def _watch(self) -> None:
        idle = 0.0
        while idle < DELAY:  # the next conversion needs no new thread
            time.sleep(TICK)
            with self._lock:
                idle = 0.0 if self._works else idle + TICK
                self._look()
                if idle >= DELAY:
                    self._watcher = None

    def _look(self) -> None:
        if self._display is not None:
            self._display.show()
        elif self._works and self._works[0].seconds >= DELAY:
            self._shown = self._works[0]
            self._display = display_for(self._shown)
            self._display.show()


_going = _Going()


@contextmanager
def working(
    what: str, total: int | None = None, unit: str = "", where: Where | None = None, redirects: bool = False
) -> Iterator[Progress]:
    """A block that may take long: `what` is "converting Net.forward". The rest as `Progress` takes it."""
    work = Progress(what, total, unit, where, redirects)
    if not somebody_looks():
        yield work
        return
    _going.begin(work)
    try:
        yield work
    finally:
        _going.end(work)


@contextmanager
def set_aside(stream: IO[str] | None) -> Iterator[None]:
    """A block that may write to `stream`: where that is the terminal, no bar is in its way."""
    if not is_terminal(stream):
        yield
        return
    with _going.aside():
        yield
