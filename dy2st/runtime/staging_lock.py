"""Which thread may stage, and which calls may read and write Python state.

While a function is staged, its state holds staged values, which no other thread may see. Therefore one thread stages at a time,
and no call of a Program that has state runs meanwhile. Calls of Programs without state never wait here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Condition, get_ident
from typing import Any

from ..undo import Undo
from .heap.markers import Opaque


class StagingLock:
    """A readers-writer lock: staging is exclusive, calls with state are shared, but one at a time of each function.

    A thread that holds it may take it again. Who stages doesn't wait for calls that wait themselves, so that a call with state
    that starts to stage can't block another one that does the same.
    """

    def __init__(self) -> None:
        self._condition = Condition()
        self._stager, self._depth = 0, 0  # the thread that stages (0: none), and how many times it has taken the lock
        self._calls: list[tuple[int, int]] = []  # id of the function and thread of each call with state
        self._waiting: list[int] = []  # threads
        self._to_stage: set[int] = set()  # those that wait to stage

    @contextmanager
    def staging(self) -> Iterator[None]:
        """Stage: no other thread does, or runs a call that has state."""
        me = get_ident()
        with self._condition:
            if self._stager != me:
                self._to_stage.add(me)
                try:
                    self._wait_for(me, self._may_stage)
                    self._stager = me
                finally:
                    self._to_stage.discard(me)
            self._depth += 1
        try:
            yield
        finally:
            with self._condition:
                self._depth -= 1
                if not self._depth:
                    self._stager = 0
                    self._condition.notify_all()

    def release(self) -> Undo:
        """A step that undoes the staging which is about to begin, wherever an interrupt ends it."""
        me = get_ident()
        return partial(self._release, me, self._depth if self._stager == me else 0)

    def _release(self, me: int, depth: int) -> None:
        with self._condition:
            self._to_stage.discard(me)
            if self._stager == me:
                self._depth = depth
                if not depth:
                    self._stager = 0
            self._condition.notify_all()

    def stateful_call(self, function: Any) -> StatefulCall:
        """Context in which `function`, which has state, is called: no other thread stages, or calls this function."""
        return StatefulCall(self, id(function))

    def begin_call(self, function: int, me: int) -> None:
        """Enter a call; function: its id, me: the thread."""
        with self._condition:
            if self._calls or self._stager or self._to_stage:
                self._wait_for(me, lambda: self._may_call(function, me))
            self._calls.append((function, me))

    def end_call(self, function: int, me: int) -> None:
        """Leave it."""
        with self._condition:
            self._calls.remove((function, me))
            if self._waiting:
                self._condition.notify_all()

    def _wait_for(self, me: int, is_free: Callable[[], bool]) -> None:
        """Wait, if need be. Others that wait are asked again: a thread that waits in a call with state blocks no staging."""
        if is_free():
            return
        self._waiting.append(me)
        try:
            self._condition.notify_all()
            self._condition.wait_for(is_free)
        finally:
            self._waiting.remove(me)

    def _may_stage(self) -> bool:
        me = get_ident()
        return not self._stager and all(thread == me or thread in self._waiting for _, thread in self._calls)

    def _may_call(self, function: int, me: int) -> bool:
        """Whether a call may begin. Staging comes first, unless the thread is in the middle of a call already."""
        if self._stager:
            return self._stager == me
        if any(called == function and thread != me for called, thread in self._calls):
            return False
        return self._to_stage <= {me} or any(thread == me for _, thread in self._calls)

    def forget_other_threads(self) -> None:
        """In a forked process, which has one thread, nobody else holds the lock."""
        me = get_ident()
        self._condition, self._waiting, self._to_stage = Condition(), [], set()
        self._calls = [call for call in self._calls if call[1] == me]
        self._stager, self._depth = (me, self._depth) if self._stager == me else (0, 0)


class StatefulCall(Opaque):
    """What `with` takes for a call of a function that has state; one object serves all calls."""

    def __init__(self, lock: StagingLock, function: int):
        self._lock, self._function = lock, function

    def __enter__(self) -> None:
        self._lock.begin_call(self._function, get_ident())

    def __exit__(self, *error: object) -> None:
        self._lock.end_call(self._function, get_ident())


STAGING = StagingLock()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=STAGING.forget_other_threads)
