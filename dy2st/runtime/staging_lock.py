"""Which thread may stage, and which calls may read and write Python state.

While a function is staged, its state holds staged values, which no other thread may see. Therefore one thread stages at a time,
and no call of a Program that has state runs meanwhile. Calls of Programs without state never wait here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import Condition, RLock, get_ident
from types import FrameType
from typing import Any, NamedTuple

from .heap.markers import Opaque

SECONDS = 0.2  # between two looks for a holder that an interrupt has ended: nobody notifies those that wait for it


class Holder(NamedTuple):
    """A thread that stages (function: 0), or that is in a call with state of a function (its id), by `with` in a frame."""

    function: int
    thread: int
    frame: FrameType


class StagingLock:
    """A readers-writer lock: staging is exclusive, calls with state are shared, but one at a time of each function.

    A thread that holds it may take it again. Who stages doesn't wait for calls that wait themselves, so that a call with state
    that starts to stage can't block another one that does the same. An interrupt may end a `with` before its exit: a holder
    whose frame runs no more is dropped by those that wait.
    """

    def __init__(self) -> None:
        self._staging: list[Holder] = []  # of one thread
        self._calls: list[Holder] = []
        self._forget_waiting()

    def _forget_waiting(self) -> None:
        self._lock = RLock()
        self._condition = Condition(self._lock)
        self._waiting: set[int] = set()  # threads
        self._to_stage: set[int] = set()  # those of them that wait to stage

    def staging(self) -> Held:
        """Context in which this thread stages: no other thread does, or runs a call that has state."""
        return Held(self, 0)

    def stateful_call(self, function: Any) -> Held:
        """Context in which `function`, which has state, is called: no other thread stages, or calls this function."""
        return Held(self, id(function))

    def begin(self, holder: Holder) -> None:
        """Take the lock, and wait for it if need be."""
        try:
            with self._condition:
                if self._calls or self._staging or self._to_stage:
                    self._wait_for(holder)
                self._holders(holder).append(holder)
        except BaseException:
            self._abandon(holder)
            raise

    def end(self, ended: Holder) -> None:
        """Give back the last one that is equal."""
        holder = next((other for other in reversed(self._holders(ended)) if other == ended), ended)
        try:
            with self._condition:
                self._drop(holder)
        except BaseException:
            self._abandon(holder)
            raise

    def _holders(self, holder: Holder) -> list[Holder]:
        return self._calls if holder.function else self._staging

    def _drop(self, holder: Holder) -> None:
        holders = self._holders(holder)
        holders[:] = [other for other in holders if other is not holder]
        if self._waiting:
            self._condition.notify_all()

    def _abandon(self, holder: Holder) -> None:
        """Undo what an interrupt has left of `begin` or `end`, in which this thread may still hold the inner lock."""
        try:
            while True:
                self._lock.release()
        except RuntimeError:  # it doesn't
            pass
        with self._condition:
            self._waiting.discard(holder.thread)
            self._to_stage.discard(holder.thread)
            self._drop(holder)

    def _wait_for(self, holder: Holder) -> None:
        """Wait, if need be. Others that wait are asked again: a thread that waits in a call with state blocks no staging."""
        may_hold: Callable[[Holder], bool] = self._may_call if holder.function else self._may_stage
        if may_hold(holder):
            return
        self._waiting.add(holder.thread)
        if not holder.function:
            self._to_stage.add(holder.thread)
        self._condition.notify_all()
        while not may_hold(holder):
            if not self._condition.wait(SECONDS):
                self._drop_interrupted()
        self._waiting.discard(holder.thread)
        self._to_stage.discard(holder.thread)

    def _drop_interrupted(self) -> None:
        """Drop holders whose frames run no more."""
        frames = sys._current_frames()
        for holders in (self._staging, self._calls):
            holders[:] = [holder for holder in holders if _runs(holder.frame, frames.get(holder.thread))]

    def _may_stage(self, holder: Holder) -> bool:
        me = holder.thread
        is_alone = all(other.thread == me for other in self._staging)
        return is_alone and all(call.thread == me or call.thread in self._waiting for call in self._calls)

    def _may_call(self, holder: Holder) -> bool:
        """Whether a call may begin. Staging comes first, unless the thread is in the middle of a call already."""
        me = holder.thread
        if self._staging:
            return all(other.thread == me for other in self._staging)
        if any(call.function == holder.function and call.thread != me for call in self._calls):
            return False
        return self._to_stage <= {me} or any(call.thread == me for call in self._calls)

    def forget_other_threads(self) -> None:
        """In a forked process, which has one thread, nobody else holds the lock."""
        me = get_ident()
        self._forget_waiting()
        for holders in (self._staging, self._calls):
            holders[:] = [holder for holder in holders if holder.thread == me]


def _runs(frame: FrameType, innermost: FrameType | None) -> bool:
    """Whether a frame runs, in a thread of this innermost frame."""
    while innermost is not None and innermost is not frame:
        innermost = innermost.f_back  # None for a generator which the thread has left meanwhile
    return innermost is frame or not _clear(frame)


def _clear(frame: FrameType) -> bool:
    """Drop the local variables of a frame, unless it runs: Python has no other question that another thread can't overtake."""
    try:
        frame.clear()
    except RuntimeError:
        return False
    return True


class Held(Opaque):
    """The context of staging, or of calls of one function: one object serves all threads, and may be entered again."""

    def __init__(self, lock: StagingLock, function: int):
        self._lock, self._function = lock, function

    def __enter__(self) -> None:
        self._lock.begin(Holder(self._function, get_ident(), sys._getframe(1)))

    def __exit__(self, *error: object) -> None:
        self._lock.end(Holder(self._function, get_ident(), sys._getframe(1)))


STAGING = StagingLock()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=STAGING.forget_other_threads)
