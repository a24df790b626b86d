"""What a check has found: where, why it is trouble, and what to write instead."""

from __future__ import annotations

import linecache
import os
from dataclasses import dataclass


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

    def lines(self) -> list[str]:
        """The remark for people to read."""
        source = linecache.getline(self.file, self.line).strip()
        lines = [f"{shown(self.file)}:{self.line}: {self.rule}", f"    {source}", f"  why: {self.reason}"]
        if self.rewrite:
            first, *more = self.rewrite.splitlines()
            lines += [f"  write: {first}", *(f"         {line}" for line in more)]
        return [line for line in lines if line.strip()]


def shown(file: str) -> str:
    """The name of a file, from the current folder where it lies in it."""
    here = os.getcwd() + os.sep
    return file.removeprefix(here)
