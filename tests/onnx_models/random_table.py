"""How many random functions are exported and agree, and why the others are refused: writes that into `docs/onnx.md`.

python tests/onnx_models/random_table.py 10000
"""

from __future__ import annotations

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
    "which one object a name is, or where a key is, follows the path": "follows the path",
    "a dict in a list of unknown length, or with keys that only the run knows": "nothing stands for a dict|the key isn't known",
    "tensors in objects are written in place under several names": "under several names|that is written in place",
    "a result of an unknown number of axes": "unknown number of axes",
    "the condition of a loop changes a list": "the condition of this loop changes",
    "an int beyond 64 bits": "beyond int64|beyond 64 bits",
}


def reason(seed: int) -> str:
    """Why a random function is refused, "" where it agrees. AssertionError: it differs."""
    report = compare(written(seed))
    assert not report.difference, f"{seed}: {report.difference}"
    return next((words for words, text in REASONS.items() if re.search(text, report.refusal)), report.refusal)


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


def main(count: int) -> None:
    """Run the functions of seeds below `count`, and write the section."""
    with multiprocessing.get_context("spawn").Pool() as pool:
        reasons = Counter(pool.imap_unordered(reason, range(count), chunksize=20))
    for why, number in reasons.most_common():
        print(number, why)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    PAGE.write_text(f"{before}{START}{table(reasons)}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]))
