"""The fixpoint under staging: a loop, an `if`, a `try`, a recursion or a whole function is recorded until nothing is news."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, TypeVar

from ...errors import InternalError
from ..heap.frames import Frame
from ..heap.markers import Restage

MAX_ATTEMPTS = 1000  # types rise a few times, and there are as many facts to learn as names: more than this is a fault of dy2st
Outcome = TypeVar("Outcome")


class Unstable(Enum):
    """What an attempt gives that has learnt something by itself: it is made again."""

    UNSTABLE = "unstable"


UNSTABLE: Final = Unstable.UNSTABLE


def settle(frame: Frame | None, attempt: Callable[[], Outcome | Unstable], name: Callable[[], str]) -> Outcome:
    """What `attempt()` gives as soon as that is stable. A Restage of `frame` is mended here; any other one goes on outwards.

    frame: the Block in which the attempts are recorded; None for a whole recording. Each trial is begun in a `settle` of its
    Block, so that every Restage finds the one that mends it. name: what it is that InternalError says doesn't settle.
    """
    for _ in range(MAX_ATTEMPTS):
        try:
            outcome = attempt()
        except Restage as restage:
            if restage.frame is not frame:
                raise
            restage.mend()
            continue
        if outcome is not UNSTABLE:
            return outcome
    raise InternalError(f"{name()} doesn't settle: dy2st has failed, not your code; please report it with this function")
