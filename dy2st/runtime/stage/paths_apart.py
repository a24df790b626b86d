"""Path splitting: where None joins another type and staging is refused, the statements after the `if` go into both branches.

    if (mask == 1).all():
        mask = None
    cache = Cache()                # in a dict beside `mask`, None or a tensor, it would have to be a value of the Program
    return decode(mask, cache)     # after splitting, `mask` has one type on each path

The Program grows by the duplicated statements, so splitting is tried only after a refusal.
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
    """The result of `attempt(facts)`, after splitting paths if need be; raises the refusal that recorded the most operations."""
    forget, refused = facts.remembered(), []
    for _ in range(MOST + 1):
        try:
            return attempt(facts)
        except (ConversionError, StagedValueError) as error:
            refused.append((facts.reached, error))
        if not _split_next(facts):
            break
        forget()
        facts.undo.restore()
    raise max(refused, key=lambda one: one[0])[1]


def _split_next(facts: Facts) -> bool:
    """Split the path of one more function; whether there is one."""
    for function, line in facts.met_kinds:
        known = facts.splits.get(function.__code__, frozenset())
        if line not in known and isinstance(function, FunctionType) and can_split(function, line):
            facts.splits[function.__code__] = known | {line}
            return True
    return False
