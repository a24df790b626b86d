"""Loops whose first turn isn't like the later ones: it fills a cache, or gives a tensor for None. It is recorded by itself.

    past = None
    for _ in range(n):                      turn 0 is recorded as it is: past is None there
        logits, past = model(ids, past)     the others become one `while`, which carries the tensors of past
        if (ids == end).all():
            break

Which way a loop is staged is found by trying. `ATTEMPTS` says how many turns come first in each attempt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from types import FunctionType
from typing import NamedTuple

from ....pytree import attributes_of, has_attributes, held_in, is_container, nodes
from ...heap.journal import Contents, Item
from ...heap.markers import MISSING, Unbound
from ...heap.staged_objects import is_staged_object
from ...proxies import Staged
from ...recorder.recorder import Recorder
from ...tensors.tensor import Tensor


class News(IntEnum):
    """How the first turn of a loop differs from the later ones."""

    NONE = 0
    FILLED = 1  # an empty container gets tensors or numbers, as from each turn that appends
    KINDS = 2  # a later turn meets a value of another kind


class Attempt(NamedTuple):
    """A way to stage a loop.

    turns: how many are recorded by themselves before it. of_one_kind: whether the loop is refused where something that it carries
    is of one kind before it and may be of another after a turn.
    """

    turns: int
    of_one_kind: bool


PLAIN = Attempt(0, False)
ATTEMPTS = {
    News.NONE: (PLAIN,),
    News.FILLED: (Attempt(0, True), Attempt(1, True), Attempt(2, True), PLAIN),
    News.KINDS: (Attempt(1, True), Attempt(2, True), PLAIN),
}
UNSEEN = (PLAIN, Attempt(1, True), PLAIN)  # of a loop that only the Program enters: the last one says why it is refused
# Why so many turns are recorded by themselves.
PEELED = (
    "",
    "its first turn leaves other kinds of values than it meets",
    "its first two turns leave other kinds of values than they meet",
)

LOOKED_AT = 16  # items of a long list, which stand for all
NUMBER = "number"  # the kind of tensors, too
EMPTY = object()  # what an empty cell holds


class FirstTurn:
    """What a loop meets before its first turn, to be held against what that leaves.

    functions: the condition and the body; values: of the names that the loop carries.
    """

    def __init__(self, rec: Recorder, functions: Iterable[Callable], values: list):
        self._rec, self._noted = rec, rec.journal.noted()
        self._names = [*map(_kind, values)]
        self._objects = [*map(_Inside, self._own_objects([*functions, *values]))]

    def news(self, values: list) -> News:
        """How the turn differs that has just ended with these values of the names."""
        return max(News.NONE, *self._all_news(values))

    def _all_news(self, values: list) -> Iterator[News]:
        yield News.KINDS if any(map(_differ, self._names, map(_kind, values))) else News.NONE
        for inside in self._objects:
            yield inside.news()
        for change in self._rec.journal.changed_after(self._noted):  # of what was there before the recording
            if isinstance(change.location, Contents):
                yield News.FILLED if not change.before else News.NONE
            elif change.before is MISSING:
                yield News.FILLED if isinstance(change.location, Item) else News.KINDS
            elif _differ(_kind(change.before), _kind(change.after)):
                yield News.KINDS

    def _own_objects(self, values: list) -> list[object]:
        """Lists, dicts and objects that the recording has made, and that the loop can get at."""
        return [x for x in nodes(values, self._inside) if self._is_own(x)]

    def _inside(self, value: object) -> Iterable[object]:
        if isinstance(value, FunctionType):
            return [content for cell in value.__closure__ or () if (content := _content_of(cell)) is not EMPTY]
        if type(value) in (tuple, list):
            return value[:LOOKED_AT]  # type: ignore[index]
        return [*_items_of(value)[:LOOKED_AT], *_attributes_of(value).values()] if self._is_own(value) else ()

    def _is_own(self, value: object) -> bool:
        is_whole = is_container(value) or has_attributes(type(value))
        is_known = is_whole and not isinstance(value, Tensor | Staged | tuple | type) and not is_staged_object(value)
        return is_known and self._rec.heap.birth(value) is not None


def _content_of(cell: object) -> object:
    try:
        return cell.cell_contents  # type: ignore[attr-defined]
    except ValueError:
        return EMPTY


def _items_of(obj: object) -> list[object]:
    return held_in(obj) if is_container(obj) else []


def _attributes_of(obj: object) -> dict[str, object]:
    return attributes_of(obj) if has_attributes(type(obj)) else {}


class _Inside:
    """What is kept of a container or an object: whether it is empty, and the kinds of its attributes."""

    def __init__(self, obj: object):
        self._obj, self._is_empty = obj, is_container(obj) and not _items_of(obj)
        self._attributes = {name: _kind(value) for name, value in _attributes_of(obj).items()}

    def news(self) -> News:
        """How it differs by now."""
        if is_staged_object(self._obj):
            return News.NONE
        attributes = {name: _kind(value) for name, value in _attributes_of(self._obj).items()}
        if any(name not in self._attributes or _differ(self._attributes[name], kind) for name, kind in attributes.items()):
            return News.KINDS
        items = [*map(_kind, _items_of(self._obj)[:LOOKED_AT])] if self._is_empty else []
        if not items:
            return News.NONE
        return News.FILLED if all(kind is NUMBER for kind in items) else News.KINDS


def _kind(value: object) -> object:
    """What code may ask of a value while staging: that it is None, this flag or text, an object of this class, a tensor."""
    if isinstance(value, Unbound):
        return EMPTY
    if isinstance(value, bool | str | bytes):
        return (type(value), value)
    if isinstance(value, Tensor | Staged | int | float | complex):
        return NUMBER
    return (tuple, *map(_kind, value)) if type(value) is tuple else type(value)


def _differ(before: object, after: object) -> bool:
    """Whether a later turn meets another kind than the first one did. A name that had no value is one of the body's own."""
    if before is EMPTY or before == after:
        return False
    are_flags = isinstance(before, tuple) and before[0] is bool and after is NUMBER
    return not are_flags
