"""A function that is refused where None has met another kind is staged with its paths apart: each goes to the end by itself.

    if (mask == 1).all():
        mask = None
    cache = Cache()                # kept in a dict beside `mask`: None or a tensor, so the dict would be a value of the Program
    return decode(mask, cache)     # with its paths apart, each path knows which `mask` is

The Program is longer then, by what comes after the `if`: so this is tried only after the other way has been refused.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TypeVar

from ...errors import ConversionError, StagedValueError
from ..convert.calls.calls import can_split
from ..outside.facts import Facts

MOST = 3  # each may double what follows
Staged = TypeVar("Staged")


def attempt_paths(attempt: Callable[[Facts], Staged], facts: Facts) -> Staged:
    """What `attempt(facts)` gives, or gives when paths are apart; the refusal that got furthest where that is refused, too."""
    forget, refused = facts.remembered(), []
    for _ in range(MOST + 1):
        try:
            return attempt(facts)
        except (ConversionError, StagedValueError) as error:
            refused.append((facts.reached, error))
        if facts.has_acted or not _split_next(facts):
            break
        forget()
        facts.world.take_back()
    raise max(refused, key=lambda one: one[0])[1]


def _split_next(facts: Facts) -> bool:
    """Split the path of one more function; whether there is one."""
    for function, line in facts.met_kinds:
        known = facts.splits.get(function.__code__, frozenset())
        if line not in known and isinstance(function, FunctionType) and can_split(function, line):
            facts.splits[function.__code__] = known | {line}
            return True
    return False
