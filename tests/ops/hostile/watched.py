"""Runs the worker, and again from the next call on where it crashes or hangs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from ops.hostile.cases import Case, all_cases

TESTS = Path(__file__).parents[2]
START, STALLED = 60.0, 8.0  # seconds without progress: until the first call is over, and from then on


@dataclass
class Report:
    """How many calls were made, and what went wrong with which."""

    calls: int = 0
    faults: list[tuple[Case, str]] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{fault}: {case}" for case, fault in self.faults]
        return "\n".join([*lines, f"{self.calls} calls, {len(self.faults)} faults"])


def watched(per_operator: int | None, seed: int, operators: list[str], ways: list[str]) -> Report:
    """The report on all cases, or on so many of each operator."""
    cases = all_cases(per_operator, seed, operators, ways)
    report, start = Report(), 0
    while start < len(cases):
        start = _run(report, cases, [start, [per_operator, seed, operators, ways]])
    return report


def _run(report: Report, cases: list[Case], arguments: list) -> int:
    """Run one worker; where to go on."""
    start = arguments[0]
    with tempfile.TemporaryFile() as progress, tempfile.TemporaryFile() as said:
        os.pwrite(progress.fileno(), start.to_bytes(8, "little"), 0)
        worker = subprocess.Popen(
            [sys.executable, "-m", "ops.hostile.worker", json.dumps([*arguments, progress.fileno()])],
            stderr=said, pass_fds=[progress.fileno()],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *filter(None, sys.path)]), "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
        stalled = _wait(worker, progress.fileno())
        at = int.from_bytes(os.pread(progress.fileno(), 8, 0), "little")
        said.seek(0)
        lines = said.read().decode(errors="replace").splitlines()
    faults = [json.loads(line) for line in lines if line.startswith("[")]
    report.faults += [(cases[number], fault) for number, fault in faults if number != "done"]
    if faults and faults[-1][0] == "done":
        report.calls += faults[-1][1]
        return len(cases)
    report.faults.append((cases[at], "hung" if stalled else f"ended with {worker.returncode}: {lines[-1:]}"))
    report.calls += at - start
    return at + 1


def _wait(worker: subprocess.Popen, progress: int) -> bool:
    """Wait for the worker's end; whether it had to be killed, for lack of progress."""
    first = last = os.pread(progress, 8, 0)
    since = time.monotonic()
    while True:
        try:
            worker.wait(0.2)
            return False
        except subprocess.TimeoutExpired:
            now = os.pread(progress, 8, 0)
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since > (STALLED if last != first else START):
                worker.kill()
                worker.wait()
                return True
