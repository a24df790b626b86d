"""Runs the grid of kinds: `python -m kinds.run`, from the folder `tests`, or with words that name some of its cells.

`--write` writes the counts, and what is refused, into its section of `docs/grids.md`. `--processes 4` shares the work.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from support.grid_page import first_sentence
from support.sections import cell as table_cell
from support.sections import write_section

from .cells import Cell, cells, result_of
from .parts import KINDS, MAKERS, USES

COMMAND = "python -m kinds.run --write"


def results_of(some: list[Cell]) -> dict[Cell, str]:
    """What becomes of some cells."""
    with tempfile.TemporaryDirectory() as folder:
        return {cell: result_of(cell, Path(folder)) for cell in some}


def reason(text: str) -> str:
    """A refusal without its line, its class and what differs from cell to cell."""
    text = re.sub(r"^(saving: )?[A-Za-z]\w*(Error|Exception): ", "", text.replace("\n", " "))
    text = re.sub(r"\S+\.py:\d+: ", "", text)
    return first_sentence(re.sub(r"\((here: )?[^()]*\)", "(...)", text))


def page(results: dict[Cell, str]) -> str:
    """The section: how many cells there are, how they come out, and why some are refused."""
    counts = Counter(result.partition(":")[0] for result in results.values())
    lines = [
        f"{len(USES)} uses of {len(KINDS)} values of two kinds, made by turns in {len(MAKERS)} ways: as a static function "
        "and loaded, with four inputs each.",
        "",
        "A number that has met a tensor is one, of its dtype, as a JoinWarning tells.",
        "",
        "| cells | equal | but for that dtype | refused | wrong |",
        "|---|---|---|---|---|",
        f"| {len(results):,} | {counts['equal']:,} | {counts['told']:,} | {counts['refused']:,} | {counts['WRONG']:,} |",
        "",
        "| refused with | kinds | cells |",
        "|---|---|---|",
    ]
    by_reason: dict[str, list[Cell]] = defaultdict(list)
    for cell, result in results.items():
        if result.startswith("refused"):
            by_reason[reason(result.partition(": ")[2])].append(cell)
    for why, found in sorted(by_reason.items(), key=lambda item: (-len(item[1]), item[0])):
        lines.append(f"| {table_cell(why)} | {_named(cell.kind for cell in found)} | {len(found)} |")
    return "\n".join(lines)


def _named(found: Iterable[str]) -> str:
    kinds = sorted(set(found), key=list(KINDS).index)
    return "many" if len(kinds) > 6 else ", ".join(kinds)


def main() -> int:
    """Run the cells that the words of the command line name; the number of wrong ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    chosen = [cell for cell in cells() if all(word in cell for word in options.words)]
    results: dict[Cell, str] = {}
    with ProcessPoolExecutor(options.processes) as pool:
        for found in pool.map(results_of, [chosen[k : k + 50] for k in range(0, len(chosen), 50)]):
            results.update(found)
            for cell, result in found.items():
                if result.startswith("WRONG"):
                    print(f"{cell}: {result[:500]}", flush=True)
    counts = Counter(result.partition(":")[0] for result in results.values())
    print(dict(counts))
    if options.write and not options.words:
        write_section("grids.md", COMMAND, page(results))
    return counts["WRONG"]


if __name__ == "__main__":
    raise SystemExit(main())
