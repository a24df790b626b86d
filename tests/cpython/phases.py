"""A row in its phases, each in a process of its own, and where a phase differs from the baseline."""

from __future__ import annotations

import collections
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import dy2st
from dy2st import errors

from .table import LONGER

ORDINARY = ("outside", "rewritten")  # nothing is staged in them
PHASES = (*ORDINARY, "staged")
BOOTSTRAP = "import sys; sys.path[:0] = {paths}; from cpython.worker import main; main()"
ERRORS = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, errors.Dy2stError)}
REFUSED = ERRORS - {"InternalError"}  # a fault of dy2st's own refuses nothing
NO_TESTS = f"{sys.executable} has no Lib/test with CPython's own tests; one that was built from source has"


@dataclass
class Options:
    """only: a part of the names of tests. limit, test_limit: seconds of a row and of a test. count: count the calls of `_jst`."""

    only: str = ""
    limit: float = 150
    test_limit: float = 20
    count: bool = False


@dataclass
class Phase:
    """What one row did in one phase."""

    tests: dict[str, dict] = field(default_factory=dict)
    figures: dict = field(default_factory=dict)
    load_error: str = ""
    finished: bool = False


def has_tests() -> bool:
    """Whether this interpreter has CPython's own tests."""
    return importlib.util.find_spec("test") is not None and importlib.util.find_spec("test.test_heapq") is not None


def run_phase(row: str, phase: str, options: Options) -> Phase:
    """All tests of a row; again without the one that killed the process, three times at most."""
    found, end = Phase(), time.monotonic() + options.limit * LONGER.get(row, 1)
    for _ in range(4):
        said, timed_out, lines = _run_worker(row, phase, options, list(found.tests), max(5, end - time.monotonic()))
        started = None
        for entry in lines:
            if "test" in entry:
                found.tests[entry.pop("test")], started = entry, None
            elif "load_error" in entry:
                found.load_error = entry["load_error"]
            elif entry.pop("done", False):
                found.figures, found.finished = entry, True
            else:
                started = entry["start"]
        if started is not None:
            found.tests[started] = {"status": "too slow" if timed_out else "crashed", "text": said}
        elif not found.finished:
            found.load_error = said
        if found.finished or timed_out or started is None:
            break
    return found


def _run_worker(row: str, phase: str, options: Options, skip: list[str], limit: float) -> tuple[str, bool, list[dict]]:
    """What the process said, whether it took too long, and the entries of its log."""
    paths = [str(Path(dy2st.__file__).parents[1]), str(Path(__file__).parents[1])]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        log.touch()
        command = [sys.executable, "-P", "-c", BOOTSTRAP.format(paths=paths), row, phase, str(log), "--skip", json.dumps(skip)]
        command += ["--only", options.only, "--test-limit", str(options.test_limit), *["--count"] * options.count]
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment,
                timeout=limit, cwd="/", start_new_session=True,
            )  # fmt: skip
            said, timed_out = done.stdout, False
        except subprocess.TimeoutExpired as error:
            said, timed_out = error.stdout or b"", True
        return said.decode(errors="replace")[-1500:], timed_out, [json.loads(line) for line in log.read_text().splitlines()]


@dataclass
class Difference:
    """A test that passes in the baseline and not in the phase. kind: wrong, error, crashed, too slow, refused."""

    kind: str
    last: str
    text: str


@dataclass
class Comparison:
    """A phase beside the baseline. asserts: tests that pass with another number of assertions, with both numbers."""

    row: str
    phase: Phase
    compared: list[str]
    passed: list[str]
    seconds: tuple[float, float]
    differences: dict[str, Difference]
    asserts: dict[str, tuple[int, int]]

    @property
    def kinds(self) -> collections.Counter:
        return collections.Counter(difference.kind for difference in self.differences.values())


def compare(row: str, base: Phase, phase: Phase) -> Comparison:
    expected = {name for name, entry in base.tests.items() if entry["status"] == "passed"}
    missing = {"status": "crashed", "last": f"not reached: {phase.load_error.strip()[-200:]}"}
    after = {name: phase.tests.get(name, missing) for name in base.tests if name in expected}
    compared = [name for name, entry in after.items() if entry["status"] != "not staged"]
    passed = [name for name in compared if after[name]["status"] == "passed"]
    seconds = [sum(side.tests[name]["seconds"] for name in passed) for side in (base, phase)]
    differences = {
        name: Difference(_kind(after[name]), after[name].get("last", ""), after[name].get("text", ""))
        for name in compared
        if name not in passed
    }
    counts = {name: (base.tests[name]["asserts"], after[name]["asserts"]) for name in passed}
    asserts = {name: pair for name, pair in counts.items() if pair[0] != pair[1]}
    return Comparison(row, phase, compared, passed, (seconds[0], seconds[1]), differences, asserts)


def _kind(entry: dict) -> str:
    if entry["status"] != "failed":
        return entry["status"]
    name = entry["last"].partition(":")[0].rpartition(".")[2]
    return "refused" if name in REFUSED else "wrong" if name == "AssertionError" else "error"
