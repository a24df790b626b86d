"""Path coverage of a random function: for each condition and loop header, whether both of its sides were taken."""

from __future__ import annotations

import ast
import inspect
import sys
from types import FrameType, ModuleType
from typing import Any

FORKS = ast.If | ast.While | ast.For | ast.match_case


class Tracer:
    """Watches the calls of one function."""

    def __init__(self) -> None:
        self._forks: dict[int, int] = {}
        self.seen: set[tuple[int, bool]] = set()  # the line of a fork, and whether its body was next
        self._last: dict[FrameType, int] = {}
        self._filename = ""

    def covers(self, share: float) -> bool:
        """Whether the calls took at least this share of the sides, of the forks that some call reached."""
        reached = {line for line, _ in self.seen}
        return len(self.seen) >= share * 2 * len(reached)

    def traced(self, module: ModuleType) -> Any:
        """`module.f`, recording which sides are taken. Only the function itself counts, not the helpers."""
        self._filename = module.__file__ or ""
        self._forks = forks_of(module.f)

        def call(*args: Any) -> Any:
            before = sys.gettrace()
            sys.settrace(self._event)
            try:
                return module.f(*args)
            finally:
                sys.settrace(before)

        return call

    def _event(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != self._filename:
            return None
        if event == "line":
            self._leave(frame, frame.f_lineno)
            self._last[frame] = frame.f_lineno
        elif event == "exception":
            self._last.pop(frame, None)
        elif event == "return":
            self._leave(frame, -1)
            self._last.pop(frame, None)
        return self._event

    def _leave(self, frame: FrameType, line: int) -> None:
        """The line before this one was left: if it was a fork, one of its sides was taken."""
        last = self._last.get(frame)
        if last in self._forks:
            self.seen.add((last, line == self._forks[last]))


def forks_of(function: Any) -> dict[int, int]:
    """The line of each fork in a function, with the first line of its body."""
    lines, start = inspect.getsourcelines(function)
    tree = ast.parse("".join(lines))
    forks = (node for node in ast.walk(tree) if isinstance(node, FORKS) and not _is_endless(node))
    return {_head(node).lineno + start - 1: node.body[0].lineno + start - 1 for node in forks}


def _head(node: Any) -> Any:
    return node.pattern if isinstance(node, ast.match_case) else node


def _is_endless(node: ast.AST) -> bool:
    """Whether there is no other side: `while True`, `case _`."""
    if isinstance(node, ast.match_case):
        return isinstance(node.pattern, ast.MatchAs) and node.pattern.pattern is None and node.guard is None
    return isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
