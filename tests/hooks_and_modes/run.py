"""Runs the grid of hooks and modes: `python -m hooks_and_modes.run`, from the folder `tests`, or with words that name some cells.

`--page ../docs/grids.md` writes the counts, and the table of what is refused, into that page.
"""

from support.grid_page import Grid

from .cells import ENGINES, LIBRARIES, MODES, PLACES, cells, does_of, reason, result_of

DOES = list(dict.fromkeys(does for library in LIBRARIES for does in does_of(library)))
AXES = {"library": LIBRARIES, "done to the module": DOES, "which one": PLACES, "mode": MODES, "run by": ENGINES}
GRID = Grid("hooks_and_modes", cells, result_of, AXES, reason)
GRID.command = "cd tests && python -m hooks_and_modes.run --page ../docs/grids.md"

if __name__ == "__main__":
    raise SystemExit(GRID.main(__doc__))
