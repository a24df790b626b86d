"""`iter(xs)` and `next(it)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from ....errors import ConversionError
from ...proxies import StagedSum
from ...recorder.recorder import Recorder, current_recorder, recorder
from ...where.faults import as_the_user
from ...where.user_code import user_loc
from ..operations.attributes import store_attribute
from ..operations.ifelse import convert_ifelse
from ..operations.item_sources import Consumption, Iteration, make_pulled, refuse_untraceable
from .entries import convert_iter, steps
from .generation import CarriedNames, Generation
from .pulling import Pulled, position_in


def builtin_iter(iterable: Any, *sentinel: Any) -> Any:
    """`iter(xs)`, `iter(function, sentinel)`"""
    rec = current_recorder()
    if rec is not None and sentinel:
        if not callable(iterable):
            as_the_user(iter, iterable, *sentinel)  # which raises
        made: Generation = rec.calls.generator_of(rec, called_until)(iterable, *sentinel)  # type: ignore[arg-type]
        made.stands_for = type(iter(int, 1))
        return made
    if rec is None or (isinstance(iterable, Iterator) and not isinstance(iterable, Iteration)):
        return as_the_user(iter, iterable, *sentinel)
    found = convert_iter(iterable)
    is_itself = found is iterable and not isinstance(found, Consumption)  # of `zip` and the like, as Python has it
    return found if is_itself or isinstance(found, Generation) else position_in(rec, iterable, found)


def called_until(function: Callable[[], Any], sentinel: Any) -> Iterator:
    while True:
        try:
            item = function()
        except StopIteration:
            return
        if sentinel == item:
            return
        yield item


def convert_next(iterator: Any, *default: Any) -> Any:
    """`next(it)`; of a generator that is asked only once, its first item."""
    rec = current_recorder()
    if isinstance(iterator, StagedSum):
        return iterator_of_path(iterator, default)
    if isinstance(iterator, Pulled):
        return convert_ifelse(iterator.pull(), iterator.take, lambda: default[0] if default else iterator.stop())
    if isinstance(iterator, Generation):
        return _first(iterator, default)
    if isinstance(iterator, Iteration):
        return _of_position(rec, iterator)
    step = getattr(type(iterator), "__next__", None)
    if rec is not None and isinstance(step, FunctionType):
        return as_the_user(next, steps(rec, iterator, step), *default)
    if rec is not None:
        refuse_untraceable(rec, iterator)
    return as_the_user(next, iterator, *default)


def _of_position(rec: Recorder | None, iteration: Iteration) -> Any:
    """`next` of what a loop iterates by its position: it is made anew in another form."""
    if rec is not None:
        refuse_untraceable(rec, iteration)
        make_pulled(rec, iteration)
    raise ConversionError(
        f"{user_loc()}: next() of this {iteration.stands_for.__name__} isn't converted; loop over it, or make a list of it, "
        "list(...)"
    )


def iterator_of_path(iterators: StagedSum, default: tuple) -> Any:
    """`next` of the one that the path has chosen."""
    rec = recorder()
    return rec.on_alternatives(iterators, lambda iterator: convert_next(iterator, *default))


def _first(generation: Generation, default: tuple) -> Any:
    rec = generation.rec
    held = rec.heap.born_here(CarriedNames(("found", "item"), [False, default[0] if default else None]))

    def take(item: Any) -> bool:
        store_attribute(rec, held, "found", True)
        store_attribute(rec, held, "item", item)
        return True

    generation.drive(take)
    found, item = held.values(("found", "item"))
    return item if default else convert_ifelse(found, lambda: item, lambda: _exhausted(default))


def _exhausted(default: tuple) -> Any:
    if not default:
        raise StopIteration
    return default[0]
