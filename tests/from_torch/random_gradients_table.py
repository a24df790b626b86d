"""How many random functions have the gradients of torch's autograd, and why the others haven't: into `docs/training.md`.

python tests/from_torch/random_gradients_table.py 50000 [FILE [PROCESSES [START]]]

FILE keeps each outcome as a line of JSON: a run that was cut short goes on from there.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.random_gradients import DIFFERENCES, HANDED_ON, OVERWRITTEN, compare, written
from property.compare import TOO_LONG, Report
from support.random_outcomes import Family
from support.sections import write_section

REASONS = {
    **{words: words for words in (*DIFFERENCES, OVERWRITTEN, HANDED_ON, TOO_LONG)},
    "a write may overlap what it reads": "writes elements that it reads, or that lie in one memory",
    "a write into what may be a view or a copy": "It gives a view or a copy",
    "the flag of a tensor that a write or a path may have changed is asked for": "requires_grad of a tensor isn't known",
    "set_grad_enabled of a value that depends on the input data": "set_grad_enabled",
}


def report_of(seed: int) -> Report:
    """The comparison of the function of a seed."""
    return compare(written(seed), seed)


def main(count: str, kept: str = "", processes: str = "", start: str = "0") -> None:
    """Run the functions of seeds from `start` to below `count`, and write the section, unless one differs."""
    agree = "have the values, flags, gradients and exceptions of torch, in its names and in Paddle's"
    family = Family(report_of, agree, REASONS, "otherwise", frozenset(DIFFERENCES))
    lines = family.section(int(count), Path(kept) if kept else None, int(processes) if processes else None, int(start))
    write_section("training.md", "python tests/from_torch/random_gradients_table.py 50000", "\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
