"""Progress of work that takes longer than a second, on a terminal or in a notebook; `DY2ST_PROGRESS=0` turns it off."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import IO, Any

DELAY = 1.0  # seconds before anything is shown
TICK = 0.1  # seconds between two updates
Where = Callable[[FrameType], str]


class Progress:
    """The state of a piece of work.

    what: "converting Net.forward". done, total: the numbers of `unit` that are done and to do; a total of None is unknown. where:
    a frame of the working thread -> its place in the user's code, as " at net.py:12".
    """

    def __init__(self, what: str, total: int | None, unit: str, where: Where | None):
        self.what, self.total, self.unit, self.where = what, total, unit, where
        self.done = 0
        self.thread, self.start, self.stream = threading.get_ident(), time.monotonic(), sys.stderr


class _Display:
    """All work of the process, the oldest first. A thread shows the oldest, of which the others most often are a part."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._works: list[Progress] = []
        self._watcher: threading.Thread | None = None
        self._text = ""
        self._cell: Any = None

    def begin(self, work: Progress) -> None:
        with self.lock:
            self._works.append(work)
            if self._watcher is None or not self._watcher.is_alive():  # a fork has no threads
                self._watcher = threading.Thread(target=self._watch, name="dy2st progress", daemon=True)
                self._watcher.start()

    def end(self, work: Progress) -> None:
        with self.lock:
            if work is self._works[0]:
                self.show("")
                self._cell = None
            self._works.remove(work)

    def _watch(self) -> None:
        while True:
            time.sleep(TICK)
            with self.lock:
                if not self._works:
                    self._watcher = None
                    return
                if time.monotonic() - self._works[0].start >= DELAY:
                    self.show(_line_of(self._works[0]))

    def show(self, text: str) -> None:
        before, self._text = self._text, text
        if text == before:
            return
        if _is_notebook():
            from IPython.display import display

            self._cell = self._cell or display({"text/plain": ""}, raw=True, display_id=True)
            self._cell.update({"text/plain": text}, raw=True)
            return
        columns = shutil.get_terminal_size().columns or 80  # Python 3.10 gives 0 for an unknown width
        stream = self._works[0].stream
        with suppress(OSError, ValueError):  # the terminal is gone, the stream is closed
            stream.write("\r" + text.ljust(len(before))[: columns - 1] + ("" if text else "\r"))
            stream.flush()


_display = _Display()


def _line_of(work: Progress) -> str:
    count = "" if work.total is None else f": {work.done:,} of {work.total:,} {work.unit}"
    frame = sys._current_frames().get(work.thread)
    place = "" if work.where is None or frame is None else work.where(frame)
    return f"dy2st: {work.what}{count}, {time.monotonic() - work.start:.0f} s{place}"


@contextmanager
def working(what: str, total: int | None = None, unit: str = "", where: Where | None = None) -> Iterator[Progress]:
    """A block whose progress is shown; the arguments are those of `Progress`."""
    work = Progress(what, total, unit, where)
    if os.environ.get("DY2ST_PROGRESS") == "0" or not (_is_terminal(sys.stderr) or _is_notebook()):
        yield work
        return
    _display.begin(work)
    try:
        yield work
    finally:
        _display.end(work)


@contextmanager
def set_aside(stream: IO[str] | None) -> Iterator[None]:
    """A block that may write to `stream`: on a terminal, the line of progress is cleared before, and comes back after."""
    if not _is_terminal(stream):
        yield
        return
    with _display.lock:
        _display.show("")
        yield


def _is_terminal(stream: IO[str] | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except (AttributeError, ValueError):  # a replaced stderr; a closed one
        return False


def _is_notebook() -> bool:
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)  # None while the module is being imported
    return get_shell is not None and getattr(get_shell(), "kernel", None) is not None
