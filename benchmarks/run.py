"""Measure every case and write RESULTS.md: `python benchmarks/run.py` (3 minutes), `--quick` (a look), `--only lstm collatz`.

dy2st must be installed (`pip install .`); torch takes part where it is installed too.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from cases import NAMES, build  # noqa: E402
from harness import measure  # noqa: E402
from report import render  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few short rounds: a look, not a measurement")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="CASE", help=", ".join(NAMES))
    parser.add_argument("--output", type=Path, default=HERE / "RESULTS.md")
    options = parser.parse_args()
    rounds, slice_seconds, limit = (3, 0.02, 3.0) if options.quick else (11, 0.1, 10.0)
    results = []
    for name in options.only:
        for case in build(name):
            print(f"{case.title} ...", file=sys.stderr, flush=True)
            results.append((case, measure(case, rounds, slice_seconds, limit)))
    page = render(results, " --quick" if options.quick else "")
    print(page)
    if options.only == NAMES:
        options.output.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
