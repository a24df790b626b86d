"""Runs the grid of calls: `python -m calls.run`, from the folder `tests`, or with words that name some of its cells.

`--page ../docs/python-support.md` writes the table of what is refused into that page.
"""

from support.grid_page import Grid, first_sentence

from .cells import cells, result_of
from .parts import BODIES, CALLEES, CALLERS, FORMS

GRID = Grid(
    "calls", cells, result_of, {"caller": CALLERS, "callee": CALLEES, "form": FORMS, "it does": BODIES}, first_sentence
)

if __name__ == "__main__":
    raise SystemExit(GRID.main(__doc__))
