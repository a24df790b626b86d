"""What Python's library changes of objects from outside: a parser that takes an option, a registry that takes an entry.

Staging can't see such a change, so it compares what the objects hold before the call and after. No Program can make the change:
it is undone and refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import is_
from types import FunctionType, MethodType, ModuleType
from typing import Any

from ... import pytree
from ...errors import ConversionError
from ...pytree import module_of
from ..heap.identity import SCALARS, same_object
from ..heap.journal import Attribute, Contents, Location
from ..heap.markers import MISSING
from ..proxies import Staged
from ..pythons import held
from ..tensors.tensor import Tensor
from ..where.profiling import unwatched
from ..where.user_code import is_foreign
from .recorder import Recorder

NOT_ENTERED = (type, ModuleType, FunctionType, MethodType, Tensor, Staged)
Holding = tuple[object, Any]  # an object or container, and what it holds
Written = tuple[Location, object]  # a place, and what it held before


def may_change(function: object) -> bool:
    """Whether a function is written in Python: what those of C change is known by their names."""
    return isinstance(getattr(function, "__func__", function), FunctionType)


@unwatched
def held_before(rec: Recorder, values: Iterable[object]) -> list[Holding]:
    """The objects and containers from outside that these values are or hold, each with what it holds before a call."""
    entered = {id(value): value for value in _entered(rec, values)}
    return [(value, holding_of(value)) for value in entered.values()]


def refuse_changes(rec: Recorder, name: str, before: list[Holding]) -> None:
    """Undo and refuse the changes that a call has made. ConversionError: there is one.

    name: of the function that was called. before: what objects from outside held before the call.
    """
    written = written_since(before) if before else []
    if not written:
        return
    put_back(written)
    raise ConversionError(
        f"{rec.here()}: {name} changes an object from outside, which a Program can't; keep what it holds in a list, a "
        "dict or attributes of your own, or call it outside of the function"
    )


@unwatched
def put_back(written: list[Written]) -> None:
    """Let places hold again what they held before."""
    for place, part in reversed(written):
        place.restore(part)


@unwatched
def written_since(before: list[Holding]) -> list[Written]:
    """The places that hold something else than before, with what they held."""
    return [place for value, old in before for place in _places_written(value, old, holding_of(value))]


def _places_written(value: object, before: Any, after: Any) -> list[Written]:
    (old, items), (now, new_items) = before, after
    contents: list[Written] = [] if items is None or _same_items(items, new_items) else [(Contents(value), items)]
    pairs = [(name, old.get(name, MISSING), now.get(name, MISSING)) for name in {**old, **now}]
    return contents + [(Attribute(value, name), part) for name, part, new in pairs if not (part is new or same_object(part, new))]


def _entered(rec: Recorder, values: Iterable[object]) -> list[object]:
    """The objects and containers from outside that these values are or hold; of the user's own objects, only those given."""
    given = [value for value in values if _is_outside(rec, value)]

    def inside(value: object) -> list[object]:
        parts = pytree.held_in(value) if pytree.is_container(value) else [*pytree.attributes_of(value).values()]
        return [part for part in parts if _is_outside(rec, part) and (pytree.is_container(part) or _is_of_library(part))]

    return list(pytree.nodes(given, lambda value: given if value is given else inside(value)))[1:]


def _is_outside(rec: Recorder, value: object) -> bool:
    if type(value) in SCALARS or issubclass(type(value), NOT_ENTERED):
        return False
    if rec.heap.birth(value) is not None or rec.heap.staged(value) is not None:
        return False
    return pytree.is_container(value) or bool(type(value).__dictoffset__)


def _is_of_library(value: object) -> bool:
    return is_foreign(module_of(type(value)))


def holding_of(value: object) -> Any:
    """The attributes of an object by their names, and what a container holds; nothing of what can't change."""
    attributes = pytree.attributes_of(value) if pytree.has_attributes(type(value)) else {}
    is_changeable = pytree.is_container(value) and not pytree.is_frozen(type(value))
    return attributes, held(value) if is_changeable else None


def _same_items(old: Any, new: Any) -> bool:
    if isinstance(old, set):
        return {*map(id, old)} == {*map(id, new)}
    same = len(old) == len(new) and all(map(is_, old, new))
    return same and (not isinstance(old, dict) or all(map(is_, old.values(), new.values())))
