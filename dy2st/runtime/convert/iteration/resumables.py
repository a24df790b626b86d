"""Generators of the user's that are left, and go on where they were left (`transformers/resumable.py`).

Where they are is a number. If Python values decide it, only what comes next is recorded; if tensors do, the Program goes by it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, GeneratorType
from typing import Any

from ....errors import ConversionError
from ...heap.markers import no_value
from ...proxies import Staged
from ...recorder.recorder import Recorder
from ..operations.ifelse import convert_ifelse, convert_raise
from .generation import told_of
from .generators import run_body
from .pulling import Pulled

ENDED = -1


class Resumable(Pulled):
    """A call of a generator function. `make(self)` gives the function that goes on from one of its numbered yields."""

    stands_for = GeneratorType

    def __init__(self, rec: Recorder, function: FunctionType, make: Callable[[Any], Callable], site: tuple, cleans_up: bool):
        super().__init__(rec, site)
        vars(self).update(told_of(function))
        self.item = self.sent = no_value
        self.at: Any = 0  # 0: before its start
        self.started: Any = False
        self.resume_points = {0}  # the yields at which it may be
        self.serial = next(rec.heap.elements.serials)
        self.resume = rec.convert_call(make(self))
        self.cleans_up = cleans_up
        if cleans_up:
            rec.iterators.to_close.append(self)

    def describe(self) -> str:
        return f"generator '{vars(self)['__name__']}'"

    def pull(self) -> Any:
        return convert_ifelse(self.at != ENDED, lambda: self._go_on(None), lambda: False)

    def _go_on(self, sent: Any) -> Any:
        """Run to the next yield; whether there was one."""
        at, started = self.at, self.started
        if self.cleans_up:
            self.rec.act(self._why_left())
        self._store(at=ENDED, sent=sent, started=True)
        if isinstance(at, Staged):
            self._resume_at(at, sorted(point for point in self.resume_points if point or started is not True))
        else:
            self._resume(at)
        return self.at != ENDED

    def _resume(self, at: Any) -> None:
        run_body(self.site, lambda: self.resume(at))

    def _resume_at(self, at: Any, points: list[int]) -> None:
        """Go on from one of these points: from each as if it were known, so that nothing is recorded that can't be."""
        first, *others = points
        if not others:
            self._resume(first)
        else:
            convert_ifelse(at == first, lambda: self._resume(first), lambda: self._resume_at(at, others))

    def _store(self, **attributes: Any) -> None:
        for name, value in attributes.items():
            self.store(name, value)

    def _why_left(self) -> str:
        """Where it is left for good, Python runs its `finally` block as soon as nobody holds it any more."""
        return (
            f"{self.rec.here()}: the {self.describe()} has a 'finally' block, or a 'with', and where it is left before its end, "
            "when that runs isn't known while staging; loop over it in one loop, or call close() on it outside of control flow "
            "that tensors decide"
        )

    def refuse_unless_closed(self) -> None:
        """At the end of the recording."""
        if self.at not in (0, ENDED):
            raise ConversionError(self._why_left())

    # --- what the generator itself calls -----------------------------------------------------------------------------------

    def hand(self, at: int, item: Any) -> None:
        """An item is yielded."""
        if at not in self.resume_points:
            self.resume_points.add(at)
            self.rec.heap.elements.rises.append(self.serial)  # a loop that has asked before must be told
        self._store(at=at, item=item)

    def receive(self) -> Any:
        """What the `yield` gives, now that it goes on."""
        sent = self.sent
        self._store(sent=no_value)
        if isinstance(sent, BaseException):
            convert_raise(sent)
        return sent

    def finish(self, value: Any) -> None:
        """It returns a value."""
        self._store(value=value)

    def has_ended(self) -> Any:
        """Whether it is on its way out, rather than at a `yield`."""
        return self.at == ENDED

    # --- what its user calls -----------------------------------------------------------------------------------------------

    def send(self, value: Any) -> Any:
        """`generator.send(value)`"""
        if self._known("send") == 0 and value is not None:
            raise TypeError("can't send non-None value to a just-started generator")
        return self._after(self.at != ENDED, value)

    def throw(self, error: Any) -> Any:
        """`generator.throw(error)`"""
        error = error() if isinstance(error, type) else error
        if self._known("throw") in (0, ENDED):
            self._store(at=ENDED)
            convert_raise(error)
        return self._after(True, error)

    def close(self) -> None:
        """`generator.close()`"""
        if self._known("close") in (0, ENDED):
            self._store(at=ENDED)
            return
        try:
            more = self._go_on(GeneratorExit())
        except (GeneratorExit, StopIteration):
            return
        convert_ifelse(more, lambda: convert_raise(RuntimeError("generator ignored GeneratorExit")), lambda: None)

    def _after(self, alive: Any, sent: Any) -> Any:
        found = convert_ifelse(alive, lambda: self._go_on(sent), lambda: False)
        return convert_ifelse(found, self.take, self.stop)

    def _known(self, use: str) -> Any:
        """Where it is; ConversionError where that is known only when the Program runs, and `use` needs to know it."""
        if isinstance(self.at, Staged) and use != "send":
            raise ConversionError(
                f"{self.rec.here()}: {use}() on a generator that tensors have left at one place or another; let it end by "
                "itself, with a value that is sent to it"
            )
        return None if isinstance(self.at, Staged) else self.at
