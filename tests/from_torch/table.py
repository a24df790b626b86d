"""How many samples of torch's database of operators are right as Programs: writes that into `docs/from-pytorch.md`.

python tests/from_torch/table.py SAMPLES [PART]

SAMPLES: how many of each operator and dtype, "all" for all. PART: of the operators' names; then it only prints.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.operators import DTYPES, OPERATORS, outcome, samples

PAGE = Path(__file__).parents[2] / "docs" / "from-pytorch.md"
START, END = "<!-- written by `python tests/from_torch/table.py all` -->\n", "<!-- end of the operators -->\n"
KINDS = ("wrong", "failed", "refused", "unmapped")


def main(count: int | None, part: str) -> None:
    """Print what became of the samples of each operator, and the totals; write the page where all operators were tried."""
    total: Counter[str] = Counter()
    rows: list[str] = []
    for name in OPERATORS:
        if part not in name:
            continue
        found, words = _tried(name, count)
        total.update(found)
        bad = "; ".join(f"{kind}: {words[kind]}" for kind in KINDS if kind in words)
        print(name, dict(found), bad, flush=True)
        if bad:
            rows.append(f"| {name} | {found['right']} of {sum(found.values())} | {_cell(bad)} |")
    print(dict(total))
    if not part:
        _write(total, rows, count)


def _tried(name: str, count: int | None) -> tuple[Counter[str], dict[str, str]]:
    found: Counter[str] = Counter()
    words: dict[str, str] = {}
    for dtype in DTYPES:
        for sample in samples(name, dtype, count):
            made = outcome(name, sample)
            found[made.kind] += 1
            words.setdefault(made.kind, f"{dtype}: {made.words}")
    return found, words


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _write(total: Counter[str], rows: list[str], count: int | None) -> None:
    tried = "all" if count is None else f"the first {count} of each operator and dtype"
    kinds = ", ".join(f"{total[kind]:,} {kind}" for kind in ("refused", "unmapped", "wrong", "failed"))
    head = f"\nOf {sum(total.values()):,} samples ({tried}), {total['right']:,} are right; {kinds}.\n"
    table = "\n".join([head, "| operator | right | otherwise |", "|---|---|---|", *rows, ""])
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    PAGE.write_text(f"{before}{START}{table}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main(None if sys.argv[1] == "all" else int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
