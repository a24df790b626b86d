"""The innermost graph of a lowering: that of the Program, of a branch, or of the body of a loop."""

from __future__ import annotations

from .values import GraphValue


class Scope:
    """One graph.

    is_turn: it is the body of a loop. codes: of the checks that were made in it (`faults.py`). kept: names of values that nobody
    reads, and that are computed because that may fail.
    """

    def __init__(self, is_turn: bool = False) -> None:
        self.is_turn = is_turn
        self.codes: list[GraphValue] = []
        self.kept: set[str] = set()
