"""A recording for one call, where no Program can hold what the function does to state.

Outside of staged control flow, staging has run the code with Python's own values: what it has done to a cache, a parser or a
registry is what plain Python would have done. A Program for all calls holds such a change as Operations on Values. Where that is
refused, the function is staged anew at each call, and the changes are made as staging has made them.

    self.names[key] = Pattern(key)      # a dict of a hundred kinds of values has no type, but one more entry can be made

What only the Program knows stays its state. Staging makes its changes when the Program has run: nothing behind the first of them
may raise by then (`Recorder.may_raise`); and what is changed isn't a part of the result, which is made anew.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType

from ... import pytree
from ...converted_code import is_converted
from ...errors import ConversionError
from ...pytree import attributes_of, is_container, module_of
from ..heap.heap import Heap
from ..heap.journal import Change, Variable
from ..heap.staged_objects import is_staged_object
from ..library import Written
from ..outside.facts import Facts
from ..recorder.recorder import Recorder
from ..tensors.tensor import Tensor
from .entering_state import add_changed

RUNTIME = __name__.rpartition(".stage")[0] + "."


def learn_what_is_unknown(rec: Recorder, facts: Facts, result: Iterable[int]) -> bool:
    """Whether changes turned out to be state of the Program: only it knows the value, or that is a part of the result (by id)."""
    made, news = set(result), False
    for change in natively_changed(rec.journal.pending(), facts):
        parts = list(_parts(rec.heap, change.after))
        for part in parts:
            if any(_is_unknown(rec.heap, held) for held in _held_by_library(part)):
                raise _no_place(change, part)
        if any(_is_unknown(rec.heap, part) or id(part) in made for part in parts):
            news |= add_changed(rec, facts, change)
    return news


def natively_changed(changes: Iterable[Change], facts: Facts) -> list[Change]:
    """The changes that staging has made, and no Operation will make."""
    return [change for change in changes if change.location.key not in facts.state]


def are_known(rec: Recorder, changes: Iterable[Change]) -> bool:
    """Whether staging knows all that locations hold now."""
    return not any(_is_unknown(rec.heap, part) for change in changes for part in _parts(rec.heap, change.after))


def make(changes: Iterable[Change]) -> None:
    """Let the locations hold what they held when the recording was over."""
    for change in changes:
        change.location.restore(change.after)


def _is_unknown(heap: Heap, value: object) -> bool:
    """Whether a value means nothing outside of the recording."""
    if isinstance(value, Tensor):
        return value.is_staged
    is_ours = isinstance(value, Written) or module_of(type(value)).startswith(RUNTIME)
    return is_ours or is_staged_object(value) or heap.staged(value) is not None


def _parts(heap: Heap, value: object) -> Iterator[object]:
    """A value, and what the containers, objects, functions and objects of Python's library in it hold that the recording has made."""

    def inside(part: object) -> Iterable[object]:
        if is_container(part) and (part is value or heap.birth(part) is not None or isinstance(part, tuple)):
            return pytree.held_in(part)
        if pytree.is_object(part) and heap.birth(part) is not None and not is_staged_object(part):
            return attributes_of(part).values()
        return _held_by_function(part) if isinstance(part, FunctionType) else _held_by_library(part)

    return pytree.nodes(value, inside)


def _no_place(change: Change, holder: object) -> ConversionError:
    return ConversionError(
        f"{change.location} would hold a {type(holder).__name__} with a value that only the Program knows, which nothing can look into: "
        "keep the value itself, and make the object where it is used"
    )


def _held_by_function(function: FunctionType) -> list:
    """What a function holds that was made in converted code."""
    return [Variable(cell, "").get() for cell in function.__closure__ or ()] if is_converted(function.__code__) else []


def _held_by_library(value: object) -> list:
    """What a method, a partial, an iterator or another object of Python's library holds, in a list or a dict of its own, too."""
    if isinstance(value, type | ModuleType) or module_of(type(value)).partition(".")[0] not in sys.stdlib_module_names:
        return []
    held = []
    for part in gc.get_referents(value):
        held.extend(part.values() if type(part) is dict else part if type(part) is list else [part])
    return held
