"""Finds, for each planted fault, random functions that catch it: prints the table `CAUGHT_BY` of test_planted_faults."""

from __future__ import annotations

import pytest
from property.compare import compare
from property.faults import FAULTS
from property.generate import write_module

ENOUGH = 2
LIMIT = 300


def seeds_that_catch(name: str) -> list[int]:
    found: list[int] = []
    for seed in range(LIMIT):
        text = write_module(seed)
        with pytest.MonkeyPatch.context() as patch:
            FAULTS[name](patch)
            try:
                differs = bool(compare(text).difference)
            except Exception:
                differs = False  # a crash is caught too, but says little
        if differs and not compare(text).difference:
            found.append(seed)
        if len(found) == ENOUGH:
            break
    return found


if __name__ == "__main__":
    print("CAUGHT_BY = {")
    for name in FAULTS:
        print(f'    "{name}": {tuple(seeds_that_catch(name))},', flush=True)
    print("}")
