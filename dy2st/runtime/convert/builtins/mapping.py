"""`map`, `filter` and `functools.reduce`: the function is converted, and may meet items that are known only at run time."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from ...heap.markers import MISSING
from ...proxies import StagedSum
from ...recorder.recorder import Recorder, current_recorder, recorder
from ...where.faults import as_the_user, speaks_for_the_user
from ..iteration.entries import convert_iter, refuse_uniterable
from ..iteration.gathering import fold, gathered
from ..iteration.generation import Generation
from ..iteration.pulling import Sifted, is_pulled, one_by_one
from ..operations.ifelse import convert_ifelse
from ..operations.item_sources import Consumption, Iteration
from ..operations.logical import convert_logical_not


class Mapped(Generation):
    """`map(function, items)`: each item is computed when it is consumed."""

    stands_for: type = map

    def __init__(self, rec: Recorder, function: Any, items: Iteration):
        super().__init__(rec)
        self.function, self.items = rec.convert_call(function), items

    def describe(self) -> str:
        return "map"

    def pulled(self) -> Sifted:
        """The same, asked for one item at a time."""
        return Sifted(self, one_by_one(self.rec, self.items), self.handle)

    def run(self, consume: Callable[[Any], Any]) -> Any:
        return fold(self.items, False, lambda stopped, item: self.handle(item, consume), convert_logical_not)

    @speaks_for_the_user
    def handle(self, item: Any, consume: Callable[[Any], Any]) -> Any:
        """Hand on what becomes of an item; whether the consumer wants no more."""
        return consume(self.function(item))


class Filtered(Mapped):
    """`filter(function, items)`"""

    stands_for = filter

    def describe(self) -> str:
        return "filter"

    @speaks_for_the_user
    def handle(self, item: Any, consume: Callable[[Any], Any]) -> Any:
        return convert_ifelse(self.function(item), lambda: consume(item), lambda: False)


def convert_map(function: Any, *iterables: Iterable) -> Any:
    """`map(function, *iterables)`"""
    rec = current_recorder()
    if rec is None or not iterables:
        return as_the_user(map, function, *iterables)
    if not iterables:
        return as_the_user(map, function)
    if len(iterables) == 1:
        made = Mapped(rec, function, convert_iter(iterables[0]))
    else:
        converted = rec.convert_call(function)
        spread = speaks_for_the_user(lambda items: converted(*items))
        made = Mapped(rec, spread, convert_iter(rec.convert_call(zip)(*iterables)))
    return made.pulled() if is_pulled(rec) else made


def convert_filter(function: Any, iterable: Iterable) -> Any:
    """`filter(function, iterable)`"""
    rec = current_recorder()
    if rec is None:
        return as_the_user(filter, function, iterable)
    made = Filtered(rec, _predicate(rec, function), convert_iter(iterable))
    return made.pulled() if is_pulled(rec) else made


def _predicate(rec: Recorder, function: Any) -> Any:
    """What `filter` asks of each item: None asks for its truth, also where it is so on one path only."""
    if not isinstance(function, StagedSum):
        return bool if function is None else function
    return lambda item: rec.on_alternatives(function, lambda f: as_the_user(rec.convert_call(_predicate(rec, f)), item))


def convert_reduce(function: Any, iterable: Any, initial: Any = MISSING) -> Any:
    """`functools.reduce(function, iterable, initial)`"""
    rec = current_recorder()
    if rec is None:
        return as_the_user(functools.reduce, function, iterable, *(() if initial is MISSING else (initial,)))
    refuse_uniterable(rec, rec.heap.resolve(iterable), "reduce() arg 2 must support iteration")
    combine = rec.convert_call(function)
    if initial is not MISSING:
        return fold(convert_iter(iterable), initial, combine)
    return fold_from_first(iterable, combine, lambda: as_the_user(functools.reduce, function, []))


def _itself(item: Any) -> Any:
    return item


def fold_from_first(iterable: Any, combine: Callable, empty: Callable, first: Callable = _itself) -> Any:
    """Fold the items, starting from `first(item)` of the first one; what `empty` gives, or raises, where there is none."""
    rec = recorder()
    items = convert_iter(iterable)
    if isinstance(items, Generation | Consumption):
        iterable = gathered(rec, items)

    def folded() -> Any:
        items = convert_iter(iterable)
        start = first(items.next())
        items.advance()
        return fold(items, start, combine)

    return convert_ifelse(convert_iter(iterable).more(), folded, empty)
