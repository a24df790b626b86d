"""Many random functions in a row: how each comes out, kept in a file from which a run that was cut short goes on."""

from __future__ import annotations

import json
import multiprocessing
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from property.compare import Report


@dataclass(frozen=True)
class Family:
    """Random functions. report_of: the comparison of one, by its seed; agree: what is said of those that agree.

    reasons: words for each known reason to refuse one, with a pattern of what is said then. differences: those of the words that
    name a known difference, not a refusal. head: of their column.
    """

    report_of: Callable[[int], Report]
    agree: str
    reasons: Mapping[str, str]
    head: str = "refused because"
    differences: frozenset[str] = frozenset()

    def section(self, count: int, kept: Path | None, processes: int | None = None, start: int = 0) -> list[str]:
        """Lines in Markdown on the functions of seeds from `start` to below `count`. The process ends in words where one differs.

        kept: a file with an outcome in each line, as JSON; those that differed are tried again.
        """
        found = self._outcomes(range(start, count), kept, processes)
        reasons = Counter(why for why, _ in found.values())
        for why, number in reasons.most_common():
            print(number, why)
        if differing := [f"{seed}: {difference}" for seed, (_, difference) in sorted(found.items()) if difference]:
            sys.exit("\n".join(differing))
        return self._rows(reasons)

    def outcome(self, seed: int) -> tuple[int, str, str]:
        """The seed, why the function is refused, and how it differs: "" where it agrees."""
        try:
            report = self.report_of(seed)
        except Exception as error:
            return seed, "", f"{type(error).__name__}: {error}"
        known = (words for words, text in self.reasons.items() if re.search(text, report.refusal))
        return seed, next(known, report.refusal), report.difference

    def _outcomes(self, seeds: range, kept: Path | None, processes: int | None) -> dict[int, tuple[str, str]]:
        lines = kept.read_text(encoding="utf-8").splitlines() if kept is not None and kept.exists() else []
        found = {seed: (why, difference) for seed, why, difference in map(json.loads, lines) if seed in seeds and not difference}
        left = [seed for seed in seeds if seed not in found]
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            for seed, *rest in pool.imap_unordered(self.outcome, left, chunksize=20):
                found[seed] = (rest[0], rest[1])
                if kept is not None:
                    with kept.open("a", encoding="utf-8") as file:
                        file.write(json.dumps([seed, *rest]) + "\n")
        return found

    def _rows(self, reasons: Counter[str]) -> list[str]:
        count, agree = sum(reasons.values()), reasons.pop("", 0)
        refused: Counter[str] = Counter()
        for why, number in reasons.items():
            refused[why if why in self.reasons else "other reasons"] += number
        rows = [f"| {'differs: ' * (why in self.differences)}{why} | {number:,} |" for why, number in refused.most_common()]
        known = sum(refused[why] for why in self.differences)
        rest = f"{known:,} differ in ways that the table names" if known else "none differs"
        head = f"Of {count:,} random functions, {agree:,} ({agree / count:.1%}) {self.agree}; {rest}."
        return [head, "", f"| {self.head} | functions |", "|---|---|", *rows]
