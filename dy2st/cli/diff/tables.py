"""Which lines of a table are in one model only."""

from __future__ import annotations

from difflib import SequenceMatcher

_LONGEST = 400  # characters of a line; state may hold a whole array


def different_lines(old: list[str], new: list[str]) -> list[str]:
    """`- ` and a line that is gone, `+ ` and one that is new, in the order of the tables."""
    found = []
    for kind, i, i_end, j, j_end in SequenceMatcher(None, old, new).get_opcodes():
        if kind != "equal":
            found += [f"- {shortened(line)}" for line in old[i:i_end]] + [f"+ {shortened(line)}" for line in new[j:j_end]]
    return found


def shortened(line: str) -> str:
    """A line of a length to read."""
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}... ({len(line):,} characters)"
