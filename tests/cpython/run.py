"""Runs CPython's own tests on rewritten modules of its library: `python -m cpython.run`, from the folder `tests`.

    python -m cpython.run --rows heapq,fnmatch --phases outside
    python -m cpython.run --rows copy --phases staged --only test_deepcopy
    python -m cpython.run --phases outside --page ../docs/python-support.md          # writes the table into that page

The interpreter must have `Lib/test`. Nothing of CPython is kept here: modules and tests are copied to a temporary folder.

- `baseline`: the modules as they are. What passes there is compared.
- `outside`: each function is rewritten and runs with ordinary values where nothing is staged, as an inner function does that has
  left a static function.
- `rewritten`: the same, while something else is being staged: each function runs its rewritten body instead of its plain one.
- `staged`: each test method is called through `dy2st.jit.to_static`, without tensors; it and what it calls are rewritten.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from support.sections import write_section

from .expected import EXPECTED
from .phases import NO_TESTS, PHASES, Comparison, Difference, Options, Phase, compare, has_tests, run_phase
from .table import ROWS

COMMAND = "cd tests && python -m cpython.run --phases {} --page ../docs/python-support.md"


def unexpected(phase: str, found: Comparison) -> dict[str, Difference]:
    """The differences of a phase that no reason is known for. What is refused while staging is refused in words."""
    known = EXPECTED[phase]
    return {name: d for name, d in found.differences.items() if name not in known and (phase != "staged" or d.kind != "refused")}


def headline(phase: str, found: Comparison) -> str:
    before, after = found.seconds
    passed = f"{len(found.passed)} of {len(found.compared)} passed"
    return f"{found.row} {phase}: {passed}, {dict(found.kinds)}; {before:.2f} s -> {after:.2f} s"


def show(phase: str, found: Comparison) -> None:
    print(headline(phase, found))
    figures, refused = found.phase.figures, found.phase.figures.get("refused", {})
    print(f"    {({**figures, 'refused': len(refused)})} {found.phase.load_error.strip()[-200:]}")
    for name, message in refused.items() if phase != "staged" else ():
        print(f"    refused {name}: {message[:160]}")
    for name, difference in unexpected(phase, found).items():
        print(f"    {difference.kind} {name}: {difference.last[:160]}")
    for name, (expected, made) in found.asserts.items():
        print(f"    {made} assertions in place of {expected}: {name}")
    sys.stdout.flush()


def line(name: str, phase: str, found: Comparison) -> str:
    """A line of the table: how many tests pass, what becomes of the others, and how many times as long it takes."""
    before, after = found.seconds
    others = ", ".join(f"{count} {kind}" for kind, count in sorted(found.kinds.items()))
    times = f"{after / before:.1f}" if before > 0.05 else ""
    passed = f"{len(found.passed):,} of {len(found.compared):,}"
    cells = [name, found.phase.figures.get("converted", 0), passed, others, len(unexpected(phase, found)), times]
    return f"| {' | '.join(map(str, cells))} |\n"


def total(found: list[Comparison]) -> Comparison:
    """All rows as one."""
    figures = {"converted": sum(one.phase.figures.get("converted", 0) for one in found)}
    compared, passed = ([name for one in found for name in getattr(one, part)] for part in ("compared", "passed"))
    before, after = (sum(one.seconds[side] for one in found) for side in (0, 1))
    differences = {name: d for one in found for name, d in one.differences.items()}
    return Comparison("all", Phase(figures=figures), compared, passed, (before, after), differences, {})


def table(phase: str, found: list[Comparison]) -> str:
    """The figures of all rows, in Markdown."""
    head = "| modules | functions rewritten | tests passed | others | of these for no known reason | times as long |\n"
    head += "|---|---|---|---|---|---|\n"
    return head + "".join(line(one.row, phase, one) for one in found) + line("**all**", phase, total(found))


def write(page: Path, phase: str, found: list[Comparison]) -> None:
    """Puts the table of a phase between its marks."""
    write_section(page, COMMAND.format(phase), table(phase, found))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default=",".join(ROWS), help="names of table.py, with commas")
    parser.add_argument("--phases", default=",".join(PHASES))
    parser.add_argument("--only", default=Options.only, help="only tests whose name holds this")
    parser.add_argument("--limit", type=float, default=Options.limit, help="seconds for each row and phase")
    parser.add_argument("--test-limit", type=float, default=Options.test_limit, help="seconds for each test")
    parser.add_argument("--count", action="store_true", help="count the calls of `_jst`; the times aren't those of dy2st then")
    parser.add_argument("--page", type=Path)
    given = parser.parse_args()
    if not has_tests():
        print(NO_TESTS)
        return 2
    options = Options(given.only, given.limit, given.test_limit, given.count)
    found: dict[str, list[Comparison]] = {phase: [] for phase in given.phases.split(",")}
    for row in given.rows.split(","):
        base = run_phase(row, "baseline", options)
        for phase, comparisons in found.items():
            comparisons.append(compare(row, base, run_phase(row, phase, options)))
            show(phase, comparisons[-1])
    for phase, comparisons in found.items():
        print(headline(phase, total(comparisons)))
        if given.page:
            write(given.page, phase, comparisons)
    return int(any(unexpected(phase, one) for phase, comparisons in found.items() for one in comparisons))


if __name__ == "__main__":
    raise SystemExit(main())
