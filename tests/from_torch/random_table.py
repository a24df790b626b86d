"""How many random functions on tensors give what torch gives, and why the others are refused: into `docs/from-pytorch.md`.

python tests/from_torch/random_table.py 10000 [FILE [PROCESSES]]

FILE keeps each outcome as a line of JSON: a run that was cut short goes on from there.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.random_functions import compare, written
from property.compare import TOO_LONG, Report
from support.random_outcomes import Family
from support.sections import write_section

REASONS = {
    "plain Python takes too long": TOO_LONG,
    "the number of axes of a tensor follows the path": "number of axes only the Program knows",
    "an int beyond 64 bits": "beyond int64",
}


def report_of(seed: int) -> Report:
    """The comparison of the function of a seed."""
    return compare(written(seed))


def main(count: str, kept: str = "", processes: str = "") -> None:
    """Run the functions of seeds below `count`, and write the section, unless one differs."""
    family = Family(report_of, "give what torch gives in each of 24 calls, static and loaded", REASONS)
    lines = family.section(int(count), Path(kept) if kept else None, int(processes) if processes else None)
    write_section("from-pytorch.md", "python tests/from_torch/random_table.py 10000", "\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
