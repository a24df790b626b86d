"""Runs the grid of redefinitions: `python -m redefinitions.run`, from the folder `tests`, or with words that name some cells.

`--write` writes the counts, and the table of what is refused, into `docs/grids.md`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from support.grid_page import first_sentence
from support.sections import cell as as_cell
from support.sections import write_section

from .cells import Cell, cells, result_of

COMMAND = "cd tests && python -m redefinitions.run --write"


def main() -> int:
    """Run the cells that the words name; the number of wrong ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    results: dict[Cell, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for cell in cells():
            if all(any(word in part for part in cell) for word in options.words):
                results[cell] = result_of(cell, Path(folder))
                if results[cell].startswith("WRONG"):
                    print(f"{cell}: {results[cell][:300]}", flush=True)
    counts = Counter(result.partition(":")[0] for result in results.values())
    print(dict(counts))
    if options.write and not options.words:
        write_section("grids.md", COMMAND, section(results, counts))
    return counts["WRONG"]


def section(results: dict[Cell, str], counts: Counter[str]) -> str:
    """The counts, and what is refused, by reason."""
    kinds = [f"{counts[kind]:,} {name}" for kind, name in (("equal", "equal"), ("refused", "refused"), ("WRONG", "wrong"))]
    reasons = Counter(first_sentence(text.partition(": ")[2]) for text in results.values() if text.startswith("refused"))
    rows = [f"| {as_cell(why)} | {count:,} |" for why, count in reasons.most_common()]
    return "\n".join([f"{len(results):,} cells: {', '.join(kinds)}.", "", "| refused with | cells |", "|---|---|", *rows])


if __name__ == "__main__":
    raise SystemExit(main())
