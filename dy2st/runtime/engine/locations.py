"""From a failure in generated source back to the user's line."""

from __future__ import annotations

from types import TracebackType

from ...ir.core import Loc


class LineTable:
    """The `Loc` behind each line of one generated module."""

    def __init__(self, filename: str, locs: list[Loc | None]):
        self.filename = filename
        self._locs = locs

    def annotate(self, error: BaseException) -> None:
        """Attach `dy2st_loc` and a note to `error`, and take the generated frames out of its traceback.

        The innermost generated frame decides; an error that has a `dy2st_loc` already keeps it.
        """
        loc, kept = None, None
        for step in reversed(_steps(error.__traceback__)):
            if step.tb_frame.f_code.co_filename != self.filename:
                step.tb_next, kept = kept, step
            elif loc is None and 0 < step.tb_lineno <= len(self._locs):
                loc = self._locs[step.tb_lineno - 1]
        error.__traceback__ = kept
        if loc is not None and getattr(error, "dy2st_loc", None) is None:
            _attach(error, loc)


def _steps(traceback: TracebackType | None) -> list[TracebackType]:
    found = []
    while traceback is not None:
        found.append(traceback)
        traceback = traceback.tb_next
    return found


def _attach(error: BaseException, loc: Loc) -> None:
    note = f"at {loc}" + (f", in {loc.function}" if loc.function else "")
    try:
        error.dy2st_loc = loc  # type: ignore[attr-defined]
        error.__notes__ = [*getattr(error, "__notes__", ()), note]  # type: ignore[attr-defined]
    except (AttributeError, TypeError):
        return  # a class with slots holds neither; the error itself goes on
