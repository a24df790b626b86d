"""The table of `docs/from-pytorch.md`: how many samples of torch's database are right.

python tests/from_torch/table.py [samples of each operator and dtype] [a part of the operators' names]
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.operators import DTYPES, OPERATORS, outcome, samples


def main(count: int | None, part: str) -> None:
    """Print what became of the samples of each operator, and the totals."""
    total: Counter[str] = Counter()
    for name in OPERATORS:
        if part not in name:
            continue
        found: Counter[str] = Counter()
        words: dict[str, str] = {}
        for dtype in DTYPES:
            for sample in samples(name, dtype, count):
                made = outcome(name, sample)
                found[made.kind] += 1
                words.setdefault(made.kind, f"{dtype}: {made.words}")
        total.update(found)
        bad = "; ".join(f"{kind}: {words[kind]}" for kind in ("wrong", "failed", "refused", "unmapped") if kind in words)
        print(name, dict(found), bad, flush=True)
    print(dict(total))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else None, sys.argv[2] if len(sys.argv) > 2 else "")
