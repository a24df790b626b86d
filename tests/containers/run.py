"""Runs the grid, or what of it is named: `python -m containers.run "list subclass"`, from the folder `tests`."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from .cells import cells, result_of


def main() -> None:
    words = sys.argv[1:]
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for cell in cells():
            if all(word in cell for word in words):
                result = result_of(cell, Path(folder))
                counts[result.partition(":")[0]] += 1
                if result != "equal":
                    print(f"{cell}: {result[:300]}", flush=True)
    print(dict(counts))


if __name__ == "__main__":
    main()
