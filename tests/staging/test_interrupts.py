"""An interrupt at any line of staging leaves the user's objects as they were, and the next call is as if there had been none."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from support.sampling import SEED, amount, case_in_failure

import dy2st
from dy2st.runtime.staging_lock import STAGING

from . import interrupted
from .interrupts import PACKAGE, Snapshot, interrupt, lines_run

UNDO = ("runtime/heap/journal.py", "runtime/heap/attribute_order.py", "runtime/control/trial.py", "runtime/stage/", "undo.py")
TENSORS_ARE_WRITTEN = ("_writes", "_data", "setting 1", ".stop_gradient", "Tensor")  # by a run, as plain Python does

pytestmark = [
    pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # a callback of a weak reference
    pytest.mark.skipif(sys.gettrace() is not None, reason="needs Python's hook for tracing"),
]


def x():
    return dy2st.to_tensor(np.array([1.0, 2.0, -0.5], np.float32))


def roots() -> tuple:
    return interrupted.w, interrupted.log, interrupted.Registry, interrupted.setting.get(), interrupted.total


def is_free() -> bool:
    """Whether another thread may stage, and call what has state."""

    def stage():
        with STAGING.staging(), STAGING.stateful_call(stage):
            done.append(True)

    done: list[bool] = []
    other = threading.Thread(target=stage, daemon=True)
    other.start()
    other.join(10)
    return bool(done)


def new_call(conversion: Callable) -> Callable:
    """The first call of a new static function, with new objects."""
    interrupted.World()
    static, given = dy2st.jit.to_static(conversion), x()
    return lambda: static(given)


class Interrupted:
    """Calls of one conversion, each interrupted at one line."""

    def __init__(self, conversion: Callable, event: str = "line"):
        self.conversion, self.event = conversion, event
        self.expected = new_call(conversion)().numpy().tolist()
        self.after = Snapshot(*roots())

    def places(self, files: tuple[str, ...], whole: int, part: int) -> Iterator[tuple]:
        """Lines of files, drawn by the day's seed; of each the first time that it runs, and another time."""
        paths, draw = tuple(f"{PACKAGE}/{file}" for file in files), random.Random(int(SEED))
        found = lines_run(new_call(self.conversion), self.event, paths)
        lines = sorted(found)
        for line in draw.sample(lines, min(len(lines), amount(whole, part))):
            yield from ((line, n) for n in sorted({1, draw.randint(1, found[line])}))

    def check(self, line: tuple, occurrence: int) -> None:
        """Interrupt a call there: compare the user's objects, and call again."""
        call = new_call(self.conversion)
        before = Snapshot(*roots())
        met = interrupt(call, line, occurrence, self.event)
        if not met:
            return
        changes = before.changes(*roots())
        if met == "run":
            changes = [said for said in changes if not any(word in said for word in TENSORS_ARE_WRITTEN)]
            if Snapshot(*roots()).like(self.after):
                return
        assert is_free(), "a lock is held"
        if line[0].endswith("staging_lock.py"):  # which is given back after the run, when all changes are made
            return
        place = f"{Path(line[0]).relative_to(PACKAGE)}:{line[1]}, for the {occurrence}th time"
        with case_in_failure(f"{self.conversion.__name__} interrupted at {place}"):
            assert changes == []
            if met == "staging":
                assert call().numpy().tolist() == self.expected


@pytest.mark.long
@pytest.mark.parametrize("conversion", interrupted.CONVERSIONS)
def test_l_04_an_interrupt_at_any_line_changes_no_object_of_the_user(conversion):
    tried = Interrupted(conversion)
    for place in tried.places(("",), 10_000, 2):
        tried.check(*place)


@pytest.mark.long
@pytest.mark.parametrize("conversion", interrupted.CONVERSIONS)
def test_l_04_an_interrupt_of_what_restores_changes_no_object_of_the_user(conversion):
    tried = Interrupted(conversion)
    for place in tried.places(UNDO, 10_000, 1):
        tried.check(*place)


@pytest.mark.long
@pytest.mark.parametrize("conversion", interrupted.CONVERSIONS)
def test_l_04_an_interrupt_at_any_instruction_of_the_journal_changes_no_object_of_the_user(conversion):
    tried = Interrupted(conversion, "opcode")
    for place in tried.places(("runtime/heap/journal.py",), 100_000, 1):
        tried.check(*place)
