"""Runs a grid of generated cells from the command line, and writes the table of what it refuses into a page of the docs."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from support.sections import write_section


class Grid:
    """A grid: its cells are named tuples.

    package: what runs it, `python -m <package>.run`. result_of(cell, folder): a text that starts with `equal`, `refused: `,
    `warned: ` or `WRONG: `. axes: heading in the table -> all values of that field, in the order of the cell's fields.
    reason: a refusal without what differs from cell to cell.
    """

    def __init__(self, package: str, cells: Callable[[], Iterable], result_of: Callable, axes: Mapping[str, Iterable[str]],
                 reason: Callable[[str], str]):  # fmt: skip
        self.cells, self.result_of, self.axes, self.reason = cells, result_of, axes, reason
        self.command = f"cd tests && python -m {package}.run --page ../docs/python-support.md"

    def main(self, doc: str | None) -> int:
        """Run the cells that the words of the command line name; the number of wrong ones."""
        parser = argparse.ArgumentParser(description=doc)
        parser.add_argument("words", nargs="*")
        parser.add_argument("--page", type=Path)
        options = parser.parse_args()
        results = self._results(options.words, options.page is None)
        counts = Counter(result.partition(":")[0] for result in results.values())
        print(dict(counts))
        if options.page:
            self._write(options.page, results, counts)
        return counts["WRONG"]

    def _results(self, words: list[str], shows: bool) -> dict[Any, str]:
        results: dict[Any, str] = {}
        with tempfile.TemporaryDirectory() as folder:
            for cell in self.cells():
                if all(word in cell for word in words):
                    results[cell] = self.result_of(cell, Path(folder))
                    if shows and results[cell] != "equal":
                        print(f"{cell}: {results[cell][:300]}", flush=True)
        return results

    def _write(self, page: Path, results: dict[Any, str], counts: Counter[str]) -> None:
        equal, others = counts["equal"], {cell: text for cell, text in results.items() if text.startswith(("refused", "warned"))}
        said = f", {counts['warned']:,} with a TracerWarning" if counts["warned"] else ""
        head = f"\n{equal + len(others):,} cells: {equal:,} give what plain Python gives, {len(others):,} are refused{said}:\n"
        write_section(page, self.command, head + self._table(others))

    def _table(self, refused: dict[Any, str]) -> str:
        """What is refused, by reason, in Markdown."""
        by_reason: dict[str, list[Any]] = defaultdict(list)
        for cell, result in refused.items():
            by_reason[self.reason(result.partition(": ")[2])].append(cell)
        rows = []
        for why, found in sorted(by_reason.items(), key=lambda item: -len(item[1])):
            columns = [_named([cell[k] for cell in found], list(values)) for k, values in enumerate(self.axes.values())]
            rows.append(f"| {' | '.join([why, *columns, str(len(found))])} |".replace("<", "&lt;"))
        head = f"\n| refused with | {' | '.join(self.axes)} | cells |\n|{'---|' * (len(self.axes) + 2)}\n"
        return head + "\n".join(rows) + "\n"


def _named(found: list[str], everything: list[str]) -> str:
    """The names, each once, in their order; `all` where it is every one of them."""
    names = sorted(set(found), key=everything.index)
    return "all" if len(names) == len(everything) else ", ".join(names)


def first_sentence(text: str) -> str:
    """A refusal without its file and line, up to what it recommends."""
    text = re.sub(r"\S+\.py:\d+: ", "", text).partition("\n")[0]
    return re.split(r" \(|; ", text)[0][:160]
