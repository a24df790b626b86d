"""Runs the grid of containers: `python -m containers.run`, from the folder `tests`, or with words that name some of its cells.

`--page ../docs/python-support.md` writes the table of what is refused into that page.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from .cells import PLACES, WAYS, Cell, cells, result_of
from .classes import ROWS

MARK = "<!-- written by `python -m containers.run --page ../docs/python-support.md`, in the folder tests -->\n"
END = "<!-- end -->"


def reason(result: str) -> str:
    """A refusal without the line, and without the names of this grid's classes and variables."""
    text = result.partition(": ")[2]
    text = re.sub(r"\S*cell_\d+\.py:\d+: ", "", text).partition("\n")[0]
    text = re.sub(r"\b(Sub|Pair|D|O|N|Net)\b( object #\d+)?", "C", text)
    text = re.sub(r"\b(a|an) (OrderedDict|defaultdict|Counter|deque|list|tuple|dict|set|frozenset|C)\b", "a C", text)
    text = re.sub(r"\b(this|of the) (OrderedDict|defaultdict|Counter|deque|list|tuple|dict|set|frozenset|C)\b", r"\1 C", text)
    return re.split(r" \(|; ", text)[0][:160]


def named(found: list[str], everything: list[str], word: str) -> str:
    """The names, in their order; `word` where it is all of them."""
    return word if len(found) == len(everything) else ", ".join(sorted(found, key=everything.index))


def table(refused: dict[Cell, str]) -> str:
    """What is refused, by reason, in Markdown."""
    by_reason: dict[str, list[Cell]] = defaultdict(list)
    for cell, result in refused.items():
        by_reason[reason(result)].append(cell)
    rows = []
    for why, found in sorted(by_reason.items(), key=lambda item: -len(item[1])):
        kinds = named(list({cell.kind for cell in found}), list(ROWS), "every class")
        places = named(list({cell.place for cell in found}), list(PLACES), "everywhere")
        ways = named(list({cell.way for cell in found}), list(WAYS), "every way")
        rows.append(f"| {why} | {kinds} | {places} | {ways} | {len(found)} |".replace("<", "&lt;"))
    return "\n| refused with | containers | met as | run | cells |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    refused: dict[Cell, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for cell in cells():
            if not all(word in cell for word in options.words):
                continue
            result = result_of(cell, Path(folder))
            counts[result.partition(":")[0]] += 1
            if result.startswith("refused"):
                refused[cell] = result
            if result != "equal" and not options.page:
                print(f"{cell}: {result[:300]}", flush=True)
    print(dict(counts))
    if options.page:
        before, mark, after = options.page.read_text(encoding="utf-8").partition(MARK)
        equal, refusals = counts["equal"], counts["refused"]
        head = f"\n{equal + refusals:,} cells: {equal:,} give what plain Python gives, {refusals:,} are refused:\n"
        options.page.write_text(f"{before}{mark}{head}{table(refused)}\n{after[after.index(END) :]}", encoding="utf-8")
    return counts["WRONG"]


if __name__ == "__main__":
    raise SystemExit(main())
