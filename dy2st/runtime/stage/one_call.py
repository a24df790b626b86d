"""A recording for one call, where no Program can hold what the function does to state.

Outside of staged control flow, staging has run the code with Python's own values: what it has done to a cache, a parser or a
registry is what plain Python would have done. A Program for all calls holds such a change as Operations on Values. Where that is
refused, the function is staged anew at each call, and the changes are made as staging has made them.

    self.names[key] = Pattern(key)      # a dict of a hundred kinds of values has no type, but one more entry can be made

What only the Program knows stays its state. Staging makes its changes when the Program has run: nothing behind the first of them
may raise by then (`Recorder.may_raise`); and what is changed isn't a part of the result, which is made anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import BuiltinMethodType, FunctionType, MethodType

from ... import pytree
from ...converted_code import is_converted
from ...pytree import attributes_of, is_container, module_of
from ...undo import UndoLog
from ..heap.heap import Heap
from ..heap.journal import Change, Savepoint, Variable, keep
from ..heap.markers import MISSING
from ..heap.staged_objects import is_staged_object
from ..library import Written
from ..outside.facts import Facts
from ..recorder.keepers import kept_by
from ..recorder.recorder import Recorder
from ..tensors.tensor import Tensor
from .entering_state import add_changed

RUNTIME = __name__.rpartition(".stage")[0] + "."


def learn_what_is_unknown(rec: Recorder, facts: Facts, result: Iterable[int]) -> bool:
    """Whether changes turned out to be state of the Program: only it knows the value, or that is a part of the result (by id)."""
    made, news = set(result), False
    for change in natively_changed(rec.journal.pending(), facts):
        parts = list(_parts(rec.heap, change.after))
        if any(_is_unknown(rec.heap, part) or id(part) in made for part in parts):
            news |= facts.keeps(rec, change.location) and add_changed(rec, facts, change)
    return news


def natively_changed(changes: Iterable[Change], facts: Facts) -> list[Change]:
    """The changes that staging has made, and no Operation will make."""
    return [change for change in changes if change.location.key not in facts.state]


def to_make(changes: Iterable[Change], facts: Facts) -> list[Change]:
    """The same when the recording has been taken back: a layer first loses what it has lost meanwhile, and has got again."""
    made = natively_changed(changes, facts)
    lost = [loss.location for key, loss in facts.lost.items() if loss.place and not (loss.is_on_path or key in facts.state)]
    known = {change.location.key for change in made}
    losses = [Change(location, location.get(), MISSING) for location in lost]
    return [*losses, *(Change(one.location, MISSING, one.before) for one in losses if one.location.key not in known), *made]


def are_known(rec: Recorder, values: Iterable[object]) -> bool:
    """Whether staging knows some values, and all that they hold."""
    return not any(_is_unknown(rec.heap, part) for value in values for part in _parts(rec.heap, value))


def make(changes: Sequence[Change], undo: UndoLog) -> None:
    """Let the locations hold what they held when the recording was over. undo: gets the steps that restore them."""
    before = Savepoint()
    undo.note(before.restore)
    for change in changes:
        before.note(change.location)
        keep(change.location, change.after)


def _is_unknown(heap: Heap, value: object) -> bool:
    """Whether a value means nothing outside of the recording."""
    if isinstance(value, Tensor):
        return value.is_staged
    is_ours = isinstance(value, Written) or module_of(type(value)).startswith(RUNTIME)
    return is_ours or is_staged_object(value) or heap.staged(value) is not None


def _parts(heap: Heap, value: object) -> Iterator[object]:
    """A value, and what the containers, objects and functions in it hold that the recording has made."""

    def inside(part: object) -> Iterable[object]:
        if is_container(part) and (part is value or heap.birth(part) is not None or isinstance(part, tuple)):
            return pytree.held_in(part)
        if pytree.is_object(part) and heap.birth(part) is not None and not is_staged_object(part):
            return attributes_of(part).values()
        return _held_by_function(part) or ([] if is_container(part) else _held_by_library(part))

    return pytree.nodes(value, inside)


def _held_by_function(value: object) -> list:
    """What a method, or a function that was made in converted code, holds."""
    if isinstance(value, MethodType):
        return [value.__self__, value.__func__]
    if isinstance(value, BuiltinMethodType):
        return [value.__self__]
    if isinstance(value, FunctionType) and is_converted(value.__code__):
        return [Variable(cell, "").get() for cell in value.__closure__ or ()]
    return []


def _held_by_library(value: object) -> list:
    """What an object of Python's library keeps, in a list or a dict of its own, too."""
    held: list[object] = []
    for part in kept_by(value):
        held.extend(part.values() if type(part) is dict else part if type(part) is list else [part])
    return held
