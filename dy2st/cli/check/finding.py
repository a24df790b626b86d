"""What a check has found: where, why it is trouble, and what to write instead."""

from __future__ import annotations

import linecache
import os
from dataclasses import dataclass

from ..output.report import Line

FAILING = "failing_path"  # the rule on lines that raise


def raises(error: str, when: str = "whatever the inputs are") -> str:
    """The reason of a Finding of that rule."""
    return f"this path raises {error}, {when}"


@dataclass(frozen=True)
class Finding:
    """One remark about the user's source.

    file, line: where it stands. rule: which piece of advice it is, in a word. reason: why this is trouble. rewrite: what to write
    instead; empty where the reason says it.
    """

    file: str
    line: int
    rule: str
    reason: str
    rewrite: str = ""

    def lines(self) -> list[Line]:
        """The remark for people to read."""
        source = linecache.getline(self.file, self.line).strip()
        lines: list[Line] = [[("place", f"{shown(self.file)}:{self.line}"), ("", ": "), ("error", self.rule)]]
        if source:
            lines.append(f"    {source}")
        lines.append([("strong", "  why: "), ("", self.reason)])
        for k, line in enumerate(self.rewrite.splitlines()):
            lines.append([("strong", "         " if k else "  write: "), ("good", line)])
        return lines


def shown(file: str) -> str:
    """The name of a file, from the current folder where it lies in it."""
    here = os.getcwd() + os.sep
    return file.removeprefix(here)
