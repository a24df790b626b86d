"""How many random functions are exported and agree, and why the others are refused: writes that into `docs/onnx.md`.

python tests/onnx_models/random_table.py 10000 [FILE]

FILE keeps each outcome as a line of JSON: a run that was cut short goes on from there.
"""

from __future__ import annotations

import json
import multiprocessing
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from onnx_models.random_functions import compare, written

PAGE = Path(__file__).parents[2] / "docs" / "onnx.md"
START, END = "<!-- written by `python tests/onnx_models/random_table.py 10000` -->\n", "<!-- end of the random functions -->\n"
REASONS = {
    "an alias is changed after its list, object or tensor was copied": (
        "after its (items|elements) were copied|may be known by another name"
    ),
    "which one object a name is, or where a key is, follows the path": "follows the path|which one object",
    "a dict in a list of unknown length, or with keys that only the run knows": "nothing stands for a dict|keys? (of|isn't)",
    "tensors in objects are written in place under several names": "under several names|that is written in place",
    "a result of an unknown number of axes": "unknown number of axes",
    "the condition of a loop changes a list": "the condition of this loop changes",
    "an int beyond 64 bits": "beyond int64|beyond 64 bits",
}


def outcome(seed: int) -> tuple[int, str, str]:
    """The seed, why the function is refused, and how it differs: "" where it agrees."""
    try:
        report = compare(written(seed))
    except Exception as error:
        return seed, "", f"{type(error).__name__}: {error}"
    known = (words for words, text in REASONS.items() if re.search(text, report.refusal))
    return seed, next(known, report.refusal), report.difference


def outcomes(count: int, kept: Path | None) -> dict[int, tuple[str, str]]:
    """The outcome of each seed below `count`, those of an earlier run from its file."""
    lines = kept.read_text(encoding="utf-8").splitlines() if kept is not None and kept.exists() else []
    found = {seed: (why, difference) for seed, why, difference in map(json.loads, lines) if seed < count}
    left = [seed for seed in range(count) if seed not in found]
    with multiprocessing.get_context("spawn").Pool() as pool:
        for seed, *rest in pool.imap_unordered(outcome, left, chunksize=20):
            found[seed] = (rest[0], rest[1])
            if kept is not None:
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([seed, *rest]) + "\n")
    return found


def table(reasons: Counter[str]) -> str:
    """The section, between its marks."""
    count, agree = sum(reasons.values()), reasons.pop("", 0)
    share = f"{agree:,} ({agree / count:.1%}) are exported and agree on every call"
    head = f"\nOf {count:,} random functions, {share}; none differs.\n"
    others = Counter({why if why in REASONS else "other reasons": 0 for why in reasons})
    for why, number in reasons.items():
        others[why if why in REASONS else "other reasons"] += number
    rows = [f"| {why} | {number:,} |" for why, number in others.most_common()]
    return "\n".join([head, "| refused because | functions |", "|---|---|", *rows, ""])


def main(count: int, kept: Path | None) -> None:
    """Run the functions of seeds below `count`, and write the section, unless one differs."""
    found = outcomes(count, kept)
    reasons = Counter(why for why, _ in found.values())
    for why, number in reasons.most_common():
        print(number, why)
    if differing := [f"{seed}: {difference}" for seed, (_, difference) in sorted(found.items()) if difference]:
        sys.exit("\n".join(differing))
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    PAGE.write_text(f"{before}{START}{table(reasons)}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
