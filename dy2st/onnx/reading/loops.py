"""Loops that nodes are made of: through the functions that rewritten loops of Python call.

A loop is staged, also where its number of iterations is a constant: a small file may ask for any number of them. It is unrolled
only where it can't be staged, for example since each iteration gives another rank, and has few iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from ...api.joining import stack
from ...errors import ConversionError
from ...ir.types import ListType, TensorType
from ...ops import dispatch
from ...ops.creation import full
from ...ops.views import expect
from ...runtime.convert.calls.calls import convert_call
from ...runtime.convert.iteration.loops import convert_while_loop
from ...runtime.convert.operations.access import new
from ...runtime.convert.operations.ifelse import convert_ifelse
from ...runtime.convert.operations.logical import convert_logical_and
from ...runtime.proxies import StagedList
from ...runtime.tensors.tensor import Tensor

Step = Callable[..., tuple[Any, Sequence[Any], Sequence[Tensor]]]
MOST_UNROLLED = 1000  # iterations


def repeated(mark: Hashable, limit: Any, going: Any, step: Step, state: Sequence[Any], columns: int) -> tuple[list, list]:
    """`going, state, found = step(i, going, *state)` for i from 0 on, while `going` and i < limit: the last state, and lists.

    limit: an int, a staged one or None. Each iteration appends its results to the lists, of which there are as many as columns.
    mark: the key of this loop.
    """
    if going is not False and not (isinstance(limit, int) and limit <= 1):
        _stage_from_its_start(mark, limit)
    rows = [new([]) for _ in range(columns)]

    def condition(i: Any, going: Any, *state: Any) -> Any:
        return going if limit is None else convert_logical_and(going, lambda: i < limit)

    def turn(i: Any, going: Any, *state: Any) -> Any:
        going, state, found = step(i, going, *state)  # type: ignore[assignment]
        for row, x in zip(rows, found):
            convert_call(row.append)(x)
        return (i + 1, going, *state)

    names = ("i", "going", *(f"state_{k}" for k in range(len(state))))
    _, _, *last = convert_while_loop(condition, turn, [0, going, *state], mark=mark, names=names)
    return list(last), rows


def _stage_from_its_start(mark: Hashable, limit: Any) -> None:
    """Let a loop be staged, even if its condition is known; one of few iterations may be unrolled instead."""
    facts = dispatch.current_mode().rec.facts
    loop = facts.loop(facts.site(mark))
    if loop.is_unrolled:
        return
    loop.why_staged = loop.why_staged or "it is a loop of the model"
    loop.is_long |= isinstance(limit, int) and limit <= MOST_UNROLLED


def over(mark: Hashable, count: Any, step: Callable[..., Any], state: Sequence[Any], columns: int) -> tuple[list, list[Tensor]]:
    """`state, found = step(i, *state)` for i from 0 to count - 1: the last state, and what is found, each stacked."""

    def go_on(i: Any, going: Any, *state: Any) -> Any:
        return (going, *step(i, *state))

    last, rows = repeated(mark, count, True, go_on, state, columns)
    return last, [stacked(row, count=count if isinstance(count, int) else None) for row in rows]


def stacked(row: Any, like: TensorType | None = None, count: int | None = None) -> Tensor:
    """The tensors of a list along a new first axis; of none, a tensor of no elements, whose dynamic dimensions are 0.

    like: the type of the items, where there is none. count: how many there are, where that is a constant. ConversionError: the
    type of the items isn't known.
    """
    held = dispatch.current_mode().rec.heap.resolve(row)
    if not isinstance(held, StagedList):
        return stack(held) if held else _none_of(like)
    if count:
        found = stack(held)
        lengths = found.static_shape
        return found if lengths is None else expect(found, shape=[count, *lengths[1:]], what="a loop's result")
    found = dispatch.current_mode().rec.type_of(held)
    assert isinstance(found, ListType)
    elem = found.elem if isinstance(found.elem, TensorType) else like
    return convert_ifelse(held.length() == 0, lambda: _none_of(elem), lambda: stack(held))


def _none_of(type_: TensorType | None) -> Tensor:
    if type_ is None or type_.shape is None:
        raise ConversionError("a loop may have no turn, and the shape of what it gives isn't known then")
    return full(shape=[0, *(d if isinstance(d, int) else 0 for d in type_.shape)], fill_value=0, dtype=type_.dtype)
