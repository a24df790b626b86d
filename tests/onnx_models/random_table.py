"""How many random functions are exported and agree, and why the others are refused: writes that into `docs/onnx.md`.

python tests/onnx_models/random_table.py 10000 [FILE]

FILE keeps each outcome as a line of JSON: a run that was cut short goes on from there.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from onnx_models.random_functions import compare, written
from property.compare import Report
from support.random_outcomes import Family
from support.sections import write_section

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


def report_of(seed: int) -> Report:
    """The comparison of the function of a seed."""
    return compare(written(seed))


def main(count: int, kept: Path | None) -> None:
    """Run the functions of seeds below `count`, and write the section, unless one differs."""
    lines = Family(report_of, "are exported and agree on every call", REASONS).section(count, kept)
    write_section("onnx.md", "python tests/onnx_models/random_table.py 10000", "\n".join(lines))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
