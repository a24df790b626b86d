"""`python -m programs_of_another_hand.measure 0 20000` in tests/: runs so many programs, prints how they end, kind by kind.

`--page ../docs/python-support.md` writes their numbers into that page.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections import Counter, defaultdict
from pathlib import Path

from support.sections import write_section

from .judge import LIMIT, Verdict, judged
from .program import program

KINDS = {
    "same": "does what plain Python does, static, saved and loaded",
    "refused": "is refused in words",
    "warned": "differs where a JoinWarning says so",
    "silent": "differs silently",
    "exception": "raises another exception",
    "inner": "fails inside of dy2st",
    "endless": "takes more than 40 seconds",
    "broken": "has no answer in plain Python",
}
COMMAND = "cd tests && python -m programs_of_another_hand.measure 900000 20000 --page ../docs/python-support.md"


def _judged(seed: int) -> tuple[int, Verdict]:
    return seed, judged(program(seed))


def measure(first: int, count: int, processes: int, seconds: float) -> dict[int, Verdict]:
    """The verdict of each seed, as far as the time allows."""
    found, end = {}, time.monotonic() + seconds
    with multiprocessing.get_context("spawn").Pool(processes, maxtasksperchild=200) as pool:
        for seed, verdict in pool.imap_unordered(_judged, range(first, first + count)):
            found[seed] = verdict
            if time.monotonic() > end:
                pool.terminate()
                break
    return found


def table(found: dict[int, Verdict]) -> str:
    """Kinds with their shares, then each group of what isn't the same: how often, its first seed and text."""
    kinds = Counter(verdict.kind for verdict in found.values())
    lines = [f"{len(found)} programs: " + ", ".join(f"{kind} {n} ({n / len(found):.2%})" for kind, n in kinds.most_common())]
    groups = defaultdict(list)
    for seed, verdict in sorted(found.items()):
        if verdict.kind != "same":
            groups[verdict.kind, verdict.group].append(seed)
    for (kind, group), seeds in sorted(groups.items(), key=lambda entry: (entry[0][0], -len(entry[1]))):
        lines.append(f"{len(seeds):5d} {kind:9s} {group}   seeds {', '.join(map(str, seeds[:6]))}")
    return "\n".join(lines)


def write(page: Path, first: int, found: dict[int, Verdict]) -> None:
    """Put the numbers of a run between their marks."""
    kinds = Counter(verdict.kind for verdict in found.values())
    rows = [f"| {KINDS[kind]} | {kinds[kind]:,} | {kinds[kind] / len(found):.2%} |" for kind in KINDS]
    head = f"\n{len(found):,} programs, of the seeds from {first} on:\n\n| a program | number | share |\n|---|---|---|\n"
    write_section(page, COMMAND, head + "\n".join(rows))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int, help="the first seed")
    parser.add_argument("count", type=int, help="how many")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--show", action="store_true", help="print each program's source, verdict and calls")
    parser.add_argument("--page", type=Path, help="write the numbers into this page")
    asked = parser.parse_args()
    if asked.show:
        for seed in range(asked.first, asked.first + asked.count):
            shown = program(seed)
            print(shown.source, *shown.calls, shown.habits, judged(shown, LIMIT), sep="\n")
        return
    found = measure(asked.first, asked.count, asked.processes, asked.seconds)
    print(table(found))
    if asked.page:
        write(asked.page, asked.first, found)


if __name__ == "__main__":
    main()
