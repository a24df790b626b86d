"""From a failure in generated source back to the user's line."""

from __future__ import annotations

from types import TracebackType

from ...ir.core import Operation


class LineTable:
    """The Operation behind each line of one generated module, and how its operands are written there."""

    def __init__(self, filename: str, ops: list[Operation | None], operands: dict[Operation, list[str]]):
        self.filename = filename
        self._ops, self._operands = ops, operands

    def explain(self, error: BaseException) -> BaseException:
        """The error to raise for `error`: in eager code's words, with `dy2st_loc`, a note, and no generated frame.

        The innermost generated frame decides; an error that has a `dy2st_loc` already keeps it.
        """
        from ..where.tracebacks import note_line  # only a failure needs them: loading is quick without
        from .explained import explained

        innermost, kept = None, None
        for step in reversed(_steps(error.__traceback__)):
            if step.tb_frame.f_code.co_filename != self.filename:
                step.tb_next, kept = kept, step
            elif innermost is None:
                innermost = step
        op = self._ops[innermost.tb_lineno - 1] if innermost is not None and innermost.tb_lineno > 0 else None
        better = error
        if op is not None and innermost is not None:
            better = explained(error, innermost.tb_frame, op, self._operands.get(op, []))
        better.__traceback__ = kept
        if op is not None and op.loc is not None and getattr(better, "dy2st_loc", None) is None:
            note_line(better, op.loc)
        return better


def _steps(traceback: TracebackType | None) -> list[TracebackType]:
    found = []
    while traceback is not None:
        found.append(traceback)
        traceback = traceback.tb_next
    return found
