"""Loop peeling: a first iteration that fills a cache, or turns None into a tensor, is recorded apart from the later ones.

    past = None
    for _ in range(n):                      iteration 0 is recorded apart: past is None there
        logits, past = model(ids, past)     the others become one `while`, which carries the tensors of past
        if (ids == end).all():
            break

The way to stage a loop is found by trying. `ATTEMPTS` lists how many iterations each attempt records apart.
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
    """Changes of kind that the first iteration of a loop makes."""

    NONE = 0
    FILLED = 1  # an empty container gets tensors or numbers, as from each iteration that appends
    KINDS = 2  # a later iteration starts with a value of another kind


class Attempt(NamedTuple):
    """A way to stage a loop.

    turns: the number of iterations that are recorded apart, before the loop. of_one_kind: whether NotRolled is raised where a
    carried value changes its kind from one iteration to the next.
    """

    turns: int
    of_one_kind: bool


PLAIN = Attempt(0, False)
ATTEMPTS = {
    News.NONE: (PLAIN,),
    News.FILLED: (Attempt(0, True), Attempt(1, True), Attempt(2, True), PLAIN),
    News.KINDS: (Attempt(1, True), Attempt(2, True), PLAIN),
}
# For a loop whose first condition depends on the input data. The last attempt gives the refusal.
UNSEEN = (PLAIN, Attempt(1, True), PLAIN)
# The reason for each number of iterations recorded apart, for `unrolled`.
PEELED = (
    "",
    "its first iteration leaves values of other kinds than it starts with",
    "its first two iterations leave values of other kinds than they start with",
)

LOOKED_AT = 16  # items of a long list, which stand for all
NUMBER = "number"  # the kind of tensors, too
EMPTY = object()  # what an empty cell holds


class FirstTurn:
    """Snapshot of the values that a loop reads before its first iteration, to compare with those after it.

    functions: the condition and the body; values: of the names that the loop carries.
    """

    def __init__(self, rec: Recorder, functions: Iterable[Callable], values: list):
        self._rec, self._noted = rec, rec.journal.noted()
        self._names = [*map(_kind, values)]
        self._objects = [*map(_Inside, self._own_objects([*functions, *values]))]

    def news(self, values: list) -> News:
        """The largest change since the snapshot; values: of the carried names, after the iteration."""
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
    """Snapshot of a container or an object: whether it is empty, and the kinds of its attributes."""

    def __init__(self, obj: object):
        self._obj, self._is_empty = obj, is_container(obj) and not _items_of(obj)
        self._attributes = {name: _kind(value) for name, value in _attributes_of(obj).items()}

    def news(self) -> News:
        """The change since the snapshot."""
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
    """The part of a value that staged code can branch on: None, a flag, a text, the class of an object, or that it is numeric."""
    if isinstance(value, Unbound):
        return EMPTY
    if isinstance(value, bool | str | bytes):
        return (type(value), value)
    if isinstance(value, Tensor | Staged | int | float | complex):
        return NUMBER
    return (tuple, *map(_kind, value)) if type(value) is tuple else type(value)


def _differ(before: object, after: object) -> bool:
    """Whether two kinds differ. A name without a value before the loop is a local of the body, and doesn't count."""
    if before is EMPTY or before == after:
        return False
    are_flags = isinstance(before, tuple) and before[0] is bool and after is NUMBER
    return not are_flags
