"""One row in one phase, in a process of its own, which writes a line of JSON for each test. `phases.py` starts it."""

from __future__ import annotations

import argparse
import builtins
import collections
import contextlib
import importlib
import json
import os
import shutil
import signal
import sys
import tempfile
import unittest
from pathlib import Path

import numpy

import dy2st
from dy2st.ops.dispatch import RECORDERS

from .assertions import Assertions, plain_subtests
from .conversions import Conversions, of_library
from .one_test import run_test
from .phases import ORDINARY
from .swap import HOOK, copy_tests, swap
from .table import PARTLY, ROWS


class Log:
    """Lines of JSON in a file."""

    def __init__(self, path: str):
        self._file = open(path, "a", buffering=1)

    def write(self, **entry):
        self._file.write(json.dumps(entry) + "\n")


def warm_up():
    """What dy2st imports is Python's own, no swapped module, and there in each phase: gast adds subclasses to those of ast."""

    def f(x, n):
        y = [v for v in range(3)]
        if n > 1:
            y.append(x)
        for i in range(n):
            x = x + i
        return x, len(y), f"{n}"

    dy2st.jit.to_static(f)(dy2st.to_tensor(numpy.ones(2, "float32")), dy2st.to_tensor(3))
    dy2st.jit.to_static(lambda: sorted({"a": 1}.items()))()


def loaded_tests(row: str, folder: Path, log: Log) -> list[unittest.TestCase]:
    """The tests of a row, with its modules swapped."""
    modules, tests, _ = ROWS[row]
    loader = unittest.TestLoader()
    suite = unittest.TestSuite()
    for name in modules:
        importlib.import_module(name)
    for name in tests:
        package = folder / "test" / name
        parts = sorted(path.stem for path in package.glob("test_*.py")) if package.is_dir() else []
        for full in [f"{name}.{part}" for part in parts] or [name]:
            suite.addTest(loader.loadTestsFromModule(importlib.import_module(f"test.{full}")))
    if loader.errors:
        log.write(load_error=loader.errors[0][-600:])
    return list(flattened(suite))


def flattened(suite):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from flattened(each)
        else:
            yield each


class Fixtures:
    """Sets up each module and class before its first test, and tears a class down after its last one.

    What fails there is printed: then the tests fail, too, in the baseline already.
    """

    def __init__(self):
        self.cls, self.modules = None, set()

    def enter(self, cls):
        if cls is self.cls:
            return
        if self.cls is not None:
            self._run(self.cls, "tearDownClass")
        self.cls, module = cls, sys.modules.get(cls.__module__)
        if module is not None and module not in self.modules:
            self.modules.add(module)
            self._run(module, "setUpModule")
        self._run(cls, "setUpClass")

    def _run(self, owner, name):
        try:
            getattr(owner, name, lambda: None)()
        except (Exception, unittest.SkipTest) as error:
            print(f"{owner}.{name}: {type(error).__name__}: {error}", file=sys.stderr)


@contextlib.contextmanager
def left_as_found(folder: Path):
    """A test that fails may leave files behind, which the next one would find."""
    before, process = set(folder.iterdir()), os.getpid()
    try:
        yield
    finally:
        if os.getpid() != process:
            os._exit(1)  # a child, which an exception has brought here
        os.chdir(folder)
        for path in set(folder.iterdir()) - before:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("row")
    parser.add_argument("phase")
    parser.add_argument("log")
    parser.add_argument("--skip", default="[]", help="names of tests, as JSON")
    parser.add_argument("--only", default="")
    parser.add_argument("--test-limit", type=float)
    parser.add_argument("--count", action="store_true")
    options = parser.parse_args()
    import test.support.import_helper  # before its modules are swapped
    import test.support.script_helper

    test.support.script_helper.interpreter_requires_environment()  # which runs a process, once
    test.support.use_resources, test.support.verbose = [], False
    log = Log(options.log)
    folder = Path(tempfile.mkdtemp(prefix="cpython"))
    os.chdir(folder)
    run_row(options, folder, log)
    os.chdir("/")
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)  # threads and children that tests have left


def run_row(options, folder: Path, log: Log) -> None:
    row, phase = options.row, options.phase
    conversions = Conversions()
    warm_up()
    setattr(builtins, HOOK, conversions.rewritten if phase in ORDINARY else lambda function: function)
    modules, tests, hidden = ROWS[row]
    copy_tests(tests, folder)
    if phase in ORDINARY and options.count:
        conversions.count_calls()
    if phase == "rewritten":
        RECORDERS.add("another thread")
    swap(modules, hidden, PARTLY.get(row, {}), folder)
    found = loaded_tests(row, folder, log)
    own = of_library if phase == "staged" else lambda function: function
    assertions = Assertions(own)
    assertions.watch()
    plain_subtests(own)
    if phase == "staged":
        conversions.watch_staging()
        assertions.forget_earlier_stagings()
        if options.count:
            conversions.count_calls()
    skipped, fixtures, seen = json.loads(options.skip), Fixtures(), collections.Counter()
    for each in found:
        name = each.id()
        seen[name] += 1
        name += f"#{seen[name]}" if seen[name] > 1 else ""
        if options.only not in name:
            continue
        fixtures.enter(type(each))
        if name not in skipped:
            log.write(start=name)
            with left_as_found(folder):
                outcome = run_test(each, phase, assertions, options.test_limit)
            log.write(test=name, **outcome)
    log.write(done=True, **conversions.figures())


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    main()
