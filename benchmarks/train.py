"""Memory and speed of training: `python benchmarks/train.py` writes TRAINING.md (half an hour), `--quick` takes a look.

`--only LSTM` measures one model, `--output` takes another name. Paddle takes part where it is installed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from report import machine  # noqa: E402
from trained.side import CHECKPOINTED, CONVERTED, CONVERTED_CHECKPOINT, PADDLE, RECOMPUTE, SIDES, STATIC, TORCH  # noqa: E402
from trained.works import WORKS  # noqa: E402

MOST, WARM, SECONDS = 1.2, 2, 300  # times torch's peak; steps that aren't timed; after which a side has no figure
STEPS = {"MLP": 100, "LSTM": 6, "Transformer": 6, "ResNet-18": 3}
PAGE = """# Memory and speed of training

Written by `python benchmarks/train.py{options}`. Each row is a process of its own on one thread, which trains from the same
weights on the same batch with SGD, and gives the same losses. The processes of a model run in turn, A B C A B C; a figure is the
median of the rounds (here {rounds}). *Peak* is the most memory of the process (VmHWM); *beyond the model* is the part of it
that came after imports, and after the model was built. *Steps per second* are those of the quickest step of a process, since
other work on the machine only adds to a time. *Ratio* is the figure over that of torch eager in the same round; for steps, the
time.

{machine}

"""


@dataclass
class Run:
    """start, peak: bytes; seconds: of the quickest step; losses: of all steps."""

    start: int
    peak: int
    seconds: float
    losses: list[float]


def run(side: str, name: str, steps: int) -> Run | None:
    """Train in a process of its own; None where that takes too long."""
    command = [sys.executable, str(HERE / "trained"), side, name, str(steps)]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None
    found = json.loads(done.stdout.splitlines()[-1])
    return Run(found["start"], found["peak"], min(found["seconds"][WARM:]), found["losses"])


def measure(name: str, rounds: int, quick: bool) -> dict[str, list[Run]]:
    """The runs of every side, round by round. ValueError: the losses of a side are others than torch's."""
    runs: dict[str, list[Run]] = {side: [] for side in sides(name)}
    for _ in range(rounds):
        for side in list(runs):
            print(f"{name}, {side} ...", file=sys.stderr, flush=True)
            made = run(side, name, WARM + (2 if quick else STEPS[name]))
            if made is None:
                del runs[side]
                continue
            runs[side].append(made)
            expected = runs[TORCH][0].losses
            if any(abs(a - b) > 1e-3 * abs(b) for a, b in zip(made.losses[:WARM], expected)):
                raise ValueError(f"{name}: the losses of {side} are {made.losses[:WARM]}, not {expected[:WARM]}")
    return runs


def sides(name: str) -> Iterator[str]:
    """The sides that take part: the MLP has no parts to put checkpoints between."""
    has_paddle = subprocess.run([sys.executable, "-c", "import paddle"], capture_output=True).returncode == 0
    for side in SIDES:
        if (side != PADDLE or has_paddle) and (side not in CHECKPOINTED or name != "MLP"):
            yield side


def table(name: str, runs: dict[str, list[Run]]) -> str:
    lines = [
        f"## {WORKS[name].title}",
        "",
        "| side | steps per second | ratio | peak | ratio | beyond the model | ratio |",
        "|---|" + "---:|" * 6,
    ]
    for side, of_side in runs.items():
        rate, peak, beyond = (statistics.median(x) for x in zip(*((1 / r.seconds, r.peak, r.peak - r.start) for r in of_side)))
        ratios = [f"{x:.2f}" for x in against_torch(of_side, runs[TORCH])]
        cells = [f"{rate:.3g}", ratios[0], f"{peak / 1e6:.0f} MB", ratios[1], f"{beyond / 1e6:.0f} MB", ratios[2]]
        lines.append(f"| {side} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def against_torch(of_side: list[Run], of_torch: list[Run]) -> tuple[float, float, float]:
    """Time, peak and what came beyond the model, over torch's: the medians of the rounds' ratios."""
    pairs = list(zip(of_side, of_torch))
    return (
        statistics.median(a.seconds / b.seconds for a, b in pairs),
        statistics.median(a.peak / b.peak for a, b in pairs),
        statistics.median((a.peak - a.start) / (b.peak - b.start) for a, b in pairs),
    )


def aims(results: dict[str, dict[str, list[Run]]]) -> str:
    """Whether the static sides are as quick as torch eager, and take at most so much memory; whether checkpoints lower it."""
    lines = ["## Aims", "", "| model | aim | measured | |", "|---|---|---:|---|"]
    for name, runs in results.items():
        for side in (STATIC, CONVERTED):
            seconds, peak, _ = against_torch(runs[side], runs[TORCH])
            lines.append(f"| {name} | {side}: time at most that of torch eager | {seconds:.2f} | {_word(seconds <= 1)} |")
            lines.append(f"| {name} | {side}: peak at most {MOST} of torch eager's | {peak:.2f} | {_word(peak <= MOST)} |")
        for plain, side in ((STATIC, RECOMPUTE), (CONVERTED, CONVERTED_CHECKPOINT)):
            if side in runs:
                beyond = statistics.median((a.peak - a.start) / (b.peak - b.start) for a, b in zip(runs[side], runs[plain]))
                lines.append(f"| {name} | {side}: beyond the model less than without | {beyond:.2f} | {_word(beyond < 1)} |")
    return "\n".join(lines) + "\n\n"


def _word(is_reached: bool) -> str:
    return "reached" if is_reached else "**missed**"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round of few steps: a look, not a measurement")
    parser.add_argument("--only", nargs="+", choices=WORKS, default=list(WORKS), metavar="MODEL", help=", ".join(WORKS))
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how often each side trains (default: 3)")
    parser.add_argument("--output", type=Path, help="the page")
    options = parser.parse_args()
    rounds = 1 if options.quick else options.rounds
    results = {name: measure(name, rounds, options.quick) for name in options.only}
    head = PAGE.format(options="".join(f" {x}" for x in sys.argv[1:]), rounds=rounds, machine=machine())
    page = head + aims(results) + "\n".join(table(name, runs) for name, runs in results.items())
    print(page)
    output = options.output or (HERE / "TRAINING.md" if options.only == list(WORKS) and not options.quick else None)
    if output:
        output.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
