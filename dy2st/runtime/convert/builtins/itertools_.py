"""`itertools` on items that are known only when the Program runs: written as generators, and converted like a user's."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ....pytree import flat
from ...heap.markers import MISSING
from ...library.variadic import chain
from ...proxies import StagedInt, as_index
from ...recorder.recorder import Recorder, current_recorder
from ...where.faults import as_the_user, speaks_for_the_user
from ..iteration.collecting import iteration_of, listed, says_its_items
from ..iteration.generation import Generation
from ..iteration.pulling import Cursor, is_pulled
from ..operations.item_sources import Iteration, note_made
from ..operations.structures import is_run_time


def from_iterable(iterables: Iterable) -> Iterator:
    for iterable in iterables:
        yield from iterable


def islice(iterable: Iterable, *bounds: Any) -> Iterator:
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    start = 0 if start is None else start
    step = 1 if step is None else step
    position = 0
    if stop is None or stop > 0:
        for item in iterable:
            if position >= start and (position - start) % step == 0:
                yield item
            position += 1
            if stop is not None and position >= stop:
                break


def takewhile(predicate: Callable, iterable: Iterable) -> Iterator:
    for item in iterable:
        if not predicate(item):
            break
        yield item


def dropwhile(predicate: Callable, iterable: Iterable) -> Iterator:
    is_dropping = True
    for item in iterable:
        if is_dropping and predicate(item):
            continue
        is_dropping = False
        yield item


def accumulate(iterable: Iterable, function: Callable = operator.add, *, initial: Any = None) -> Iterator:
    total, started = initial, initial is not None
    if started:
        yield total
    for item in iterable:
        total = function(total, item) if started else item
        started = True
        yield total


def pairwise(iterable: Iterable) -> Iterator:
    before, started = None, False
    for item in iterable:
        if started:
            yield before, item
        before, started = item, True


class Endless(Cursor):
    """What goes on for ever, if it begins: a position, which a loop leaves by what it does itself."""

    def __init__(self, rec: Recorder, stands_for: type, item: Callable[[Any], Any], begins: Any = True):
        super().__init__(rec, Iteration(lambda: None, item), stands_for)
        self.begins = begins

    def pull(self) -> Any:
        return self.begins


def added_up(number: Any, step: Any) -> Iterator:
    while True:
        yield number
        number = number + step


def count(start: Any = 0, step: Any = 1) -> Any:
    rec = current_recorder()
    if rec is None:
        return as_the_user(itertools.count, start, step)
    if all(isinstance(x, int | StagedInt) for x in (start, step)):
        return Endless(rec, itertools.count, lambda i: start + i * step)
    return rec.calls.generator_of(rec, added_up)(start, step)  # type: ignore[arg-type]  # floats are rounded at each step


def cycle(iterable: Iterable) -> Any:
    rec = current_recorder()
    if rec is None:
        return as_the_user(itertools.cycle, iterable)
    items = listed(rec, iterable)
    length = rec.convert_call(len)(items)
    return Endless(rec, itertools.cycle, lambda i: rec.at(items)[i % length], length > 0)


def repeat(*args: Any, **kwargs: Any) -> Any:
    rec = current_recorder()
    if rec is None:
        return as_the_user(itertools.repeat, *args, **kwargs)
    return as_the_user(_repeated, *args, **kwargs)


@speaks_for_the_user
def _repeated(object: Any, times: Any = MISSING) -> Any:
    rec = current_recorder()
    assert rec is not None
    if times is MISSING:
        return Endless(rec, itertools.repeat, lambda i: object)
    count = times if is_run_time(times) else as_index(times)
    return Cursor(rec, Iteration(lambda: count, lambda i: object), itertools.repeat)


_repeated.__name__ = _repeated.__qualname__ = "repeat"  # in what Python says of arguments


def _converted(original: Any, function: Any) -> Callable:
    """`function`, converted, where an item or a predicate may be staged; Python's own elsewhere."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        rec = current_recorder()
        if rec is None or not (is_pulled(rec) or any(map(_may_be_staged, flat(args, list, tuple)))):
            return note_made(as_the_user(original, *args, **kwargs))
        made = as_the_user(rec.calls.generator_of(rec, function), *args, **kwargs)
        made.stands_for = original if isinstance(original, type) else itertools.chain
        return made

    return call


def _may_be_staged(value: Any) -> bool:
    if is_run_time(value) or callable(value) or says_its_items(value):
        return True
    found = iteration_of(value)
    return isinstance(found, Generation) or (found is not None and found.is_staged)


CONVERTED: dict[Any, Callable] = {
    itertools.count: count,
    itertools.cycle: cycle,
    itertools.repeat: repeat,
    itertools.chain: _converted(itertools.chain, chain),
    itertools.chain.from_iterable: _converted(itertools.chain.from_iterable, from_iterable),
    itertools.islice: _converted(itertools.islice, islice),
    itertools.takewhile: _converted(itertools.takewhile, takewhile),
    itertools.dropwhile: _converted(itertools.dropwhile, dropwhile),
    itertools.accumulate: _converted(itertools.accumulate, accumulate),
    itertools.pairwise: _converted(itertools.pairwise, pairwise),
}
