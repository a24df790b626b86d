"""The items of anything that can be iterated, put together: in a list, or folded into one value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...recorder.recorder import Recorder
from ...where.faults import speaks_for_the_user
from ...where.user_code import user_instruction
from ..operations.iteration import Iteration
from ..operations.logical import convert_logical_and
from .generation import Generation, push_all
from .loops import convert_while_loop


def gathered(rec: Recorder, iteration: Iteration) -> Any:
    """The items as a new list."""
    if not iteration.is_staged:
        return rec.new(list(iteration))
    items: list = rec.heap.born_here([])

    def take(item: Any) -> None:
        rec.convert_call(items.append)(item)

    each(iteration, take)
    return items


def each(iteration: Iteration, take: Callable[[Any], Any]) -> None:
    """Call `take` for each item."""
    if isinstance(iteration, Generation):
        push_all(iteration, take)
        return

    def more() -> Any:
        return iteration.more()

    def body() -> tuple:
        take(iteration.next())
        return ()

    convert_while_loop(more, body, [], iteration, user_instruction())


@speaks_for_the_user
def fold(iteration: Iteration, start: Any, combine: Callable[[Any, Any], Any], going: Callable[[Any], Any] | None = None) -> Any:
    """`combine(... combine(start, item), item)` over what is left of an iteration, as long as `going(total)`."""

    def more(total: Any) -> Any:
        return iteration.more() if going is None else convert_logical_and(going(total), iteration.more)

    def body(total: Any) -> Any:
        return combine(total, iteration.next())

    return convert_while_loop(more, body, [start], iteration, user_instruction())
