"""How many random functions run in JAX and agree, and why the others are refused: into `docs/jax.md`.

python tests/on_jax/random_table.py 3000 [FILE [PROCESSES]]

FILE keeps each outcome as a line of JSON: a run that was cut short goes on from there.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from on_jax.random_functions import compare, written
from onnx_models.random_table import REASONS as OF_GRAPHS
from property.compare import TOO_LONG, Report
from support.random_outcomes import Family
from support.sections import write_section

REASONS = {
    "plain Python takes too long": TOO_LONG,
    "the result shares memory that the Program writes": "the result may share memory with",
    "a length depends on elements": "a length depends on elements|number of items depends on elements|Unique",
    "items of a list, or two paths, have different shapes": "items of a list have|one path gives|shape in each turn|Concat of",
    "containers of the state or of an argument are exchanged": "change places here|exchanged here",
    **OF_GRAPHS,
}


def report_of(seed: int) -> Report:
    """The comparison of the function of a seed."""
    return compare(written(seed))


def main(count: str, kept: str = "", processes: str = "") -> None:
    """Run the functions of seeds below `count`, and write the section, unless one differs."""
    family = Family(report_of, "run in JAX and agree with plain Python on every call", REASONS)
    lines = family.section(int(count), Path(kept) if kept else None, int(processes) if processes else None)
    write_section("jax.md", "python tests/on_jax/random_table.py 3000", "\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
