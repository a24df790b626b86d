"""From a failure in generated source back to the user's line."""

from __future__ import annotations

from types import TracebackType

from ...ir.core import Operation


class LineTable:
    """The Operation behind each line of one generated module, and how its operands are written there."""

    def __init__(self, filename: str, ops: list[Operation | None], operands: dict[Operation, list[str]], errors: str = ""):
        """errors: of the Program."""
        self.filename = filename
        self._ops, self._operands, self._errors = ops, operands, errors

    def explain(self, error: BaseException) -> BaseException:
        """The error to raise for `error`: in eager code's words, with `dy2st_loc`, and the user's lines for generated frames.

        The innermost generated frame decides; an error that has a `dy2st_loc` already keeps it.
        """
        from ..where.user_frames import with_those_before

        better = self.said(error)
        for one in with_those_before(better):
            one.__traceback__ = self._of_users_lines(one.__traceback__)
        return better

    def said(self, error: BaseException) -> BaseException:
        """The same, with the traceback that it has: what a handler of the Program is given."""
        from ..where.tracebacks import note_line  # only a failure needs them: loading is quick without
        from ..where.user_frames import entries_of
        from .explained import explained

        innermost = next((e for e in reversed(entries_of(error.__traceback__)) if self._is_generated(e)), None)
        op = None if innermost is None else self._operation(innermost)
        better = error
        if innermost is not None and op is not None:
            better = explained(error, innermost.tb_frame, op, self._operands.get(op, []), self._errors)
            if op.loc is not None and getattr(better, "dy2st_loc", None) is None:
                note_line(better, op.loc)
        if better is not error:
            better.__suppress_context__ = True
        better.__traceback__ = error.__traceback__
        return better

    def _is_generated(self, entry: TracebackType) -> bool:
        return entry.tb_frame.f_code.co_filename == self.filename

    def _operation(self, entry: TracebackType) -> Operation | None:
        return self._ops[entry.tb_lineno - 1] if entry.tb_lineno > 0 else None

    def _of_users_lines(self, traceback: TracebackType | None) -> TracebackType | None:
        """A traceback with entries for the user's lines in place of generated ones: one of each Function of the Program."""
        from ..where.user_frames import chained, entries_at, entries_of

        found: list[TracebackType] = []
        is_within = False  # another generated frame of the same Function
        for entry in reversed(entries_of(traceback)):
            op = self._operation(entry) if self._is_generated(entry) else None
            if op is not None and (op.name == "call" or not is_within):
                found[:0] = entries_at(op.loc)
                is_within = True
            elif not self._is_generated(entry):
                found.insert(0, entry)
        return chained(found)
