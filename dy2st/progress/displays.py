"""How progress looks: a bar of `rich`, a line that is written again and again, the output of a notebook's cell."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, Protocol

from .console import console_for

if TYPE_CHECKING:
    from .going import Progress

NO_READER = (OSError, ValueError)  # the terminal is gone, the stream is closed


class Display(Protocol):
    """What shows one piece of work."""

    def show(self) -> None:
        """Show how far it is now."""

    def hide(self) -> None:
        """Leave nothing behind, until `show`."""


def is_terminal(stream: IO[str] | None) -> bool:
    """Whether a stream is there, open, and leads to a terminal."""
    try:
        return stream is not None and stream.isatty()
    except (AttributeError, ValueError):  # what the user has put in place of stderr; a closed one
        return False


def somebody_looks() -> bool:
    """Whether there is a terminal or a notebook, and nobody has turned progress off."""
    return os.environ.get("DY2ST_PROGRESS") != "0" and (is_terminal(sys.stderr) or _is_notebook())


def display_for(work: Progress) -> Display:
    """The display that fits where this process runs."""
    if _is_notebook():
        return _Cell(work)
    console = console_for(sys.stderr)
    return _Line(work, sys.stderr) if console is None else _Bar(work, console)


def _is_notebook() -> bool:
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)  # of a module that is still being imported, none
    return get_shell is not None and getattr(get_shell(), "kernel", None) is not None


def _text(work: Progress) -> str:
    far = "" if work.total is None else f": {work.done:,} of {work.total:,} {work.unit}"
    return f"dy2st: {work.what}{far}, {work.seconds:.0f} s{work.place()}"


class _Line:
    def __init__(self, work: Progress, stream: IO[str]):
        self._work, self._stream = work, stream
        self._written = ""

    def show(self) -> None:
        columns = shutil.get_terminal_size().columns or 80  # Python 3.10 gives 0 where the terminal tells none
        text = _text(self._work)[: columns - 1]
        if text != self._written:
            self._write(f"\r{text.ljust(len(self._written))}")
            self._written = text

    def hide(self) -> None:
        self._write(f"\r{' ' * len(self._written)}\r")
        self._written = ""

    def _write(self, text: str) -> None:
        with suppress(*NO_READER):
            self._stream.write(text)
            self._stream.flush()


class _Bar:
    def __init__(self, work: Progress, console: Any):
        from rich import progress as bars
        from rich.text import Text

        class Now(bars.ProgressColumn):
            def render(self, task: Any) -> Any:
                return Text.assemble((f"{work.seconds:.0f} s", "yellow"), (work.place(), "dim"))

        known = [bars.BarColumn(), bars.MofNCompleteColumn(), bars.TextColumn(work.unit), bars.TimeRemainingColumn()]
        columns = [bars.SpinnerColumn(), bars.TextColumn("{task.description}", markup=False)]
        columns += known if work.total is not None else [Now()]
        self._work = work
        self._bars = bars.Progress(
            *columns, console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=work.redirects
        )
        self._task = self._bars.add_task(work.what, total=work.total, completed=work.done)

    def show(self) -> None:
        with suppress(*NO_READER):
            self._bars.start()
            self._bars.update(self._task, description=self._work.what, completed=self._work.done, refresh=True)

    def hide(self) -> None:
        with suppress(*NO_READER):
            self._bars.stop()


class _Cell:
    def __init__(self, work: Progress):
        self._work = work
        self._handle: Any = None
        self._written = ""

    def show(self) -> None:
        text = _text(self._work)
        if text != self._written:
            self._publish(text)

    def hide(self) -> None:
        self._publish("")

    def _publish(self, text: str) -> None:
        from IPython.display import display

        self._written = text
        if self._handle is None:
            self._handle = display({"text/plain": text}, raw=True, display_id=True)
        else:
            self._handle.update({"text/plain": text}, raw=True)
