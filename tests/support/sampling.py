"""How much of a large generated family a run tries: some cases, drawn by a seed that changes from day to day, or all of them.

`DY2ST_TESTS=all` tries all. `DY2ST_SEED=20261122` draws what that day drew. Worker processes read the seed of the first process.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from datetime import date
from typing import TypeVar

Case = TypeVar("Case")

ASKED = os.environ.get("DY2ST_TESTS", "sampled")
SEED = os.environ.setdefault("DY2ST_SEED", f"{date.today():%Y%m%d}")
HEADER = f"dy2st: DY2ST_SEED={SEED} DY2ST_TESTS={ASKED} (`DY2ST_TESTS=all` tries every generated case)"
if ASKED not in ("all", "sampled") or not SEED.isdecimal():
    raise ValueError(f"DY2ST_TESTS is all or sampled, and DY2ST_SEED a number; got {ASKED!r} and {SEED!r}")


def amount(whole: int, part: int) -> int:
    """How many examples to try, of a family that has so many as a whole."""
    return whole if ASKED == "all" else min(part, whole)


def sampled(cases: Iterable[Case], part: int) -> list[Case]:
    """So many of the cases, in their order; all of them in a run of everything."""
    cases = list(cases)
    chosen = random.Random(int(SEED)).sample(range(len(cases)), amount(len(cases), part))
    return [cases[k] for k in sorted(chosen)]
