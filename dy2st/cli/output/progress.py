"""What a command is at, on stderr, where that is a terminal and a second has passed: a bar, or plain lines without `rich`."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from .coloured import console_for

DELAY = 1.0  # seconds before anything is shown
_PAUSE = 5.0  # seconds between plain lines


class Progress:
    """How far a piece of work has come. total: how many of `unit` there are; None: nobody knows how long it takes."""

    def __init__(self, what: str, total: int | None = None, unit: str = ""):
        self.what, self.total, self.unit = what, total, unit
        self.done = 0
        self._thread = threading.get_ident()
        self._is_aside = self._is_over = False
        self._lock = threading.RLock()
        self._timer = threading.Timer(DELAY, self._begin)
        self._timer.daemon = True
        self._display: _Bar | _PlainLines | None = None

    def advance(self, count: int) -> None:
        """So many more are done."""
        with self._lock:
            self.done += count
            if self._display is not None:
                self._display.update(self.done)

    def place(self) -> str:
        """The line of the user's code that runs now, " at net.py:12"; "" where none does."""
        from ...runtime.where.user_code import user_loc  # what is quick does without

        frame = None if self._is_over or self._is_aside else sys._current_frames().get(self._thread)
        loc = None if frame is None else user_loc(frame)
        is_script = loc is not None and loc.file == getattr(sys.modules["__main__"], "__file__", None)  # which has called us
        return "" if loc is None or is_script else f" at {os.path.basename(loc.file)}:{loc.line}"

    def start(self) -> None:
        """Let the clock run, where somebody looks at it."""
        if sys.stderr.isatty():
            self._timer.start()

    def stop(self) -> None:
        """Leave nothing behind that moves."""
        self._timer.cancel()
        with self._lock:
            self._is_over = True
            if self._display is not None:
                self._display.stop()

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """A block that may write to the terminal itself."""
        with self._lock:
            if self._display is None:
                yield
                return
            self._is_aside = True
            self._display.stop()
            yield
            self._display.start()
            self._is_aside = False

    def _begin(self) -> None:
        console = console_for(sys.stderr)
        with self._lock:
            if self._is_over:
                return
            self._display = _PlainLines(self) if console is None else _Bar(self, console)
            self._display.start()


_shown: list[Progress] = []


@contextmanager
def working(what: str, total: int | None = None, unit: str = "") -> Iterator[Progress]:
    """A block that may take long: `what` is "converting net.py:Net"."""
    progress = Progress(what, total, unit)
    _shown.append(progress)
    progress.start()
    try:
        yield progress
    finally:
        progress.stop()
        _shown.remove(progress)


@contextmanager
def set_aside(stream: IO[str]) -> Iterator[None]:
    """A block that may write to `stream`: where that is the terminal, no bar is in its way."""
    if not (_shown and stream.isatty()):
        yield
        return
    with _shown[-1].set_aside():
        yield


class _PlainLines:
    def __init__(self, progress: Progress):
        self._progress = progress
        self._next = 0.0

    def start(self) -> None:
        self.update(self._progress.done)

    def update(self, done: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        at = self._progress
        far = "..." if at.total is None else f": {done:,} of {at.total:,} {at.unit}"
        sys.stderr.write(f"dy2st: {at.what}{far}\n")

    def stop(self) -> None:
        """A line that is written stays."""


class _Bar:
    def __init__(self, progress: Progress, console: Any):
        from rich import progress as bars
        from rich.text import Text

        class Place(bars.ProgressColumn):
            def render(self, task: Any) -> Any:
                return Text(progress.place(), "dim")

        known = [bars.BarColumn(), bars.MofNCompleteColumn(), bars.TextColumn(progress.unit), bars.TimeRemainingColumn()]
        columns = [bars.SpinnerColumn(), bars.TextColumn("{task.description}", markup=False)]
        columns += known if progress.total is not None else [bars.TimeElapsedColumn(), Place()]
        self._bars = bars.Progress(*columns, console=console, transient=True, redirect_stdout=False)
        self._task = self._bars.add_task(progress.what, total=progress.total, completed=progress.done)
        self.start, self.stop = self._bars.start, self._bars.stop

    def update(self, done: int) -> None:
        self._bars.update(self._task, completed=done)
