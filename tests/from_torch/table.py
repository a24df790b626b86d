"""How many samples of torch's database of operators are right as Programs: writes that into `docs/from-pytorch.md`.

python tests/from_torch/table.py SAMPLES [--part PART] [--outcomes FILE] [--seconds N]

SAMPLES: how many of each operator and dtype, "all" for all. --part: of the operators' names; then it only prints.
--outcomes: a file of JSON lines, one for each operator; those in it aren't tried again. --seconds: the limit of one operator, of
the process's time.
The first two samples of each operator and dtype are also saved, loaded in a process without torch, and called with plain arrays.
"""

from __future__ import annotations

import json
import re
import signal
import sys
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.alone import Alone
from from_torch.operators import DTYPES, OPERATORS, Outcome, outcomes, samples
from support.sections import cell, write_section

from dy2st.torch.calls import table

KINDS = ("wrong", "failed", "refused", "unmapped", "late")
SAVED = 2  # samples of each operator and dtype that are saved and loaded


class Late(BaseException):
    """An operator has taken too long."""


class Found:
    """What became of an operator's samples: `staged` and `alone` count kinds, `words` has the reasons of each kind."""

    def __init__(self) -> None:
        self.staged: Counter[str] = Counter()
        self.alone: Counter[str] = Counter()
        self.words: dict[str, Counter[str]] = defaultdict(Counter)

    def note(self, counter: Counter[str], made: Outcome, prefix: str = "") -> None:
        """Count an outcome."""
        counter[made.kind] += 1
        if made.kind in KINDS:
            self.words[made.kind][prefix + _short(made.words)] += 1

    def line(self, name: str, count: int | None) -> str:
        """It as JSON."""
        return json.dumps({"operator": name, "samples": count, **vars(self)})

    @classmethod
    def of(cls, record: dict[str, Any]) -> Found:
        """What `line` has written."""
        found = cls()
        found.staged, found.alone = Counter(record["staged"]), Counter(record["alone"])
        found.words.update((kind, Counter(words)) for kind, words in record["words"].items())
        return found


def main(count: int | None, part: str, file: Path | None, seconds: int) -> None:
    """Print what became of the samples of each operator, and the totals; write the page where all operators were tried."""
    done = _read(file, count)
    with Alone() as alone:
        for name in OPERATORS:
            if part in name and name not in done:
                start = time.perf_counter()
                done[name] = found = _tried(name, count, alone, seconds)
                print(f"{name} {dict(found.staged)} {_reasons(found)} ({time.perf_counter() - start:.1f} s)", flush=True)
                if file is not None:
                    with file.open("a") as out:
                        print(found.line(name, count), file=out)
    chosen = {name: done[name] for name in OPERATORS if part in name}
    print(_head(chosen, count))
    if not part:
        _write(chosen, count)


def _read(file: Path | None, count: int | None) -> dict[str, Found]:
    """The outcomes in a file, of as many samples."""
    lines = file.read_text().splitlines() if file is not None and file.exists() else []
    records = [json.loads(line) for line in lines]
    return {record["operator"]: Found.of(record) for record in records if record["samples"] == count}


def _tried(name: str, count: int | None, alone: Alone, seconds: int) -> Found:
    found = Found()
    try:
        with _limit(seconds):
            for dtype in DTYPES:
                for number, sample in enumerate(samples(name, dtype, count)):
                    staged, loaded = outcomes(name, sample, alone=alone if number < SAVED else None)
                    found.note(found.staged, staged)
                    if loaded is not None:
                        found.note(found.alone, loaded, "saved: ")
    except Late:
        left = sum(1 for dtype in DTYPES for _ in samples(name, dtype, count)) - found.staged.total()
        found.staged["late"] += left
        found.words["late"][f"not tried within {seconds} s"] += left
    return found


@contextmanager
def _limit(seconds: int) -> Iterator[None]:
    """Raise Late in here after so much of the process's time."""

    def stop(*_: Any) -> None:
        raise Late

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _short(words: str) -> str:
    """A reason without what to write instead, the samples' own shapes, and the dtypes."""
    first = re.split(r"; |: the", words)[0]
    return re.sub(r"\[[^\]]*\]", "[...]", first)[:110]


def _reasons(found: Found) -> str:
    """The commonest reasons of each kind."""
    parts = []
    for kind in KINDS:
        words = found.words.get(kind, Counter()).most_common()
        more = f"; and {len(words) - 2} other reasons" if len(words) > 2 else ""
        if words:
            parts.append(f"{kind}: " + "; ".join(reason for reason, _ in words[:2]) + more)
    return ". ".join(parts)


def _head(done: dict[str, Found], count: int | None) -> str:
    """The totals in words."""
    staged: Counter[str] = sum((found.staged for found in done.values()), Counter())
    alone: Counter[str] = sum((found.alone for found in done.values()), Counter())
    tried = "all" if count is None else f"the first {count} of each operator and dtype"
    kinds = ", ".join(f"{staged[kind]:,} {kind}" for kind in ("unmapped", "wrong", "failed"))
    late = f", {staged['late']:,} not tried for lack of time" if staged["late"] else ""
    right, raises, refused = (f"{staged[kind]:,}" for kind in ("right", "raises", "refused"))
    return (
        f"The table maps {len(table()):,} functions and methods of torch's.\n\n"
        f"Of {staged.total():,} samples ({tried}), {right} are right, {raises} raise an error as in torch,\n"
        f"{refused} are refused in words; {kinds}{late}.\n"
        f"Of the first {SAVED} of each operator and dtype, {alone.total():,} were saved, loaded in a process without torch and\n"
        f"called with NumPy's arrays: {alone['right']:,} of them give the same there."
    )


def _write(done: dict[str, Found], count: int | None) -> None:
    """Operators of which not all is right, those with the same reasons in one row."""
    alike: dict[str, list[str]] = defaultdict(list)
    for name, found in done.items():
        if reasons := _reasons(found):
            alike[reasons].append(name)
    rows = []
    for reasons, names in alike.items():
        right, tried = (sum(f(done[name].staged) for name in names) for f in (lambda c: c["right"], Counter.total))
        rows.append(f"| {', '.join(names)} | {right:,} of {tried:,} | {cell(reasons)} |")
    text = "\n".join([_head(done, count), "", "| operator | right | otherwise |", "|---|---|---|", *rows])
    write_section("from-pytorch.md", "python tests/from_torch/table.py all", text)


if __name__ == "__main__":
    given = ArgumentParser()
    given.add_argument("samples")
    given.add_argument("--part", default="")
    given.add_argument("--outcomes", type=Path)
    given.add_argument("--seconds", type=int, default=300)
    options = given.parse_args()
    main(None if options.samples == "all" else int(options.samples), options.part, options.outcomes, options.seconds)
