"""Runs the grid of containers: `python -m containers.run`, from the folder `tests`, or with words that name some of its cells.

`--page ../docs/python-support.md` writes the table of what is refused into that page.
"""

from __future__ import annotations

import re

from support.grid_page import Grid, first_sentence

from .cells import PLACES, WAYS, cells, result_of
from .classes import ROWS


def reason(text: str) -> str:
    """A refusal without the line, and without the names of this grid's classes and variables."""
    text = re.sub(r"\b(Sub|Pair|D|O|N|Net)\b( object #\d+)?", "C", text)
    text = re.sub(r"\bhold the \w+", "hold the C", text)
    text = re.sub(r"\b(a|an) (OrderedDict|defaultdict|Counter|deque|list|tuple|dict|set|frozenset|C)\b", "a C", text)
    text = re.sub(r"\b(this|of the) (OrderedDict|defaultdict|Counter|deque|list|tuple|dict|set|frozenset|C)\b", r"\1 C", text)
    return first_sentence(text)


GRID = Grid("containers", cells, result_of, {"containers": ROWS, "met as": PLACES, "run": WAYS}, reason)

if __name__ == "__main__":
    raise SystemExit(GRID.main(__doc__))
