"""Measure every case: `python benchmarks/run.py` (15 minutes), `--quick` (a look), `--only lstm collatz`.

All of them together are written to RESULTS.md, RESULTS.json and, with matplotlib, ratios.png and growth.png; `--output` takes
another name, and writes what was measured. dy2st must be installed (`pip install .`). torch, Paddle, JAX, and ONNX Runtime
with onnxscript, take part where they are installed too. Everything runs on one thread.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))  # before NumPy is imported

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from cases import NAMES, build  # noqa: E402
from harness import costs, measure  # noqa: E402
from plots import draw  # noqa: E402
from report import as_json, render  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few short rounds: a look, not a measurement")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="CASE", help=", ".join(NAMES))
    parser.add_argument("--output", type=Path, help="the page; beside it come a JSON and two plots")
    options = parser.parse_args()
    rounds, slice_seconds, limit = (3, 0.02, 3.0) if options.quick else (11, 0.1, 10.0)
    results = []
    for name in shown(options.only):
        for case in build(name):
            print(f"{case.title} ...", file=sys.stderr, flush=True)
            results.append((case, measure(case, rounds, slice_seconds, limit), costs(case)))
    page = render(results, "".join(f" {word}" for word in sys.argv[1:]))
    print(page)
    output = options.output or (HERE / "RESULTS.md" if options.only == NAMES else None)
    if output:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(page, encoding="utf-8")
        output.with_suffix(".json").write_text(as_json(results), encoding="utf-8")
        draw(results, output.parent)


def shown(names: list[str]) -> Iterable[str]:
    """`names`, with a progress bar where rich is installed."""
    try:
        from rich.console import Console
        from rich.progress import track
    except ImportError:
        return names
    return track(names, "Cases", console=Console(stderr=True))


if __name__ == "__main__":
    main()
