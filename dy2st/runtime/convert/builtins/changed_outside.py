"""What Python's library changes of objects from outside: a parser that takes an option, a registry that takes an entry.

Staging can't see such a change, so it compares what the objects hold before the call and after. The change goes into the undo
journal, which takes it back where staging begins again. A Program for all calls can't make it: the call is staged for itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import is_
from types import FunctionType, MethodType, ModuleType
from typing import Any

from .... import pytree
from ....errors import ConversionError
from ....pytree import module_of
from ...heap.journal import Attribute, Contents, Location
from ...heap.markers import MISSING
from ...proxies import Staged
from ...pythons import held
from ...recorder.recorder import Recorder
from ...tensors.tensor import Tensor
from ...where.user_code import is_foreign

NOT_ENTERED = (type, ModuleType, FunctionType, MethodType, Tensor, Staged)
Holding = dict[tuple, tuple[Location, object]]  # each place in an object, by its key, with what it holds
ABSENT = None, MISSING


def may_change(function: object) -> bool:
    """Whether a function is written in Python: what those of C change is known by their names."""
    return isinstance(getattr(function, "__func__", function), FunctionType)


@contextmanager
def changes_noted(rec: Recorder, name: str, values: Iterable[object]) -> Iterator[None]:
    """Note what the code inside changes of these values; ConversionError in a recording that is for all calls.

    name: what is called.
    """
    before = [(value, _holding(value)) for value in {id(value): value for value in _entered(rec, values)}.values()]
    try:
        yield
    finally:
        _note(rec, name, before)


def _note(rec: Recorder, name: str, before: list[tuple[object, Holding]]) -> None:
    written = [written for value, known in before for written in _written(known, _holding(value))]
    if not written:
        return
    if not rec.facts.changes_itself(rec):
        for place, part in reversed(written):
            place.restore(part)
        raise ConversionError(
            f"{rec.here()}: {name} changes an object from outside, which a Program can't; keep what it holds in a list, a "
            "dict or attributes of your own, or call it outside of the function"
        )
    for place, part in written:
        rec.journal.wrote(place, part)


def _written(before: Holding, now: Holding) -> Iterator[tuple[Location, object]]:
    """The places that hold something else, with what they held."""
    for key, (place, _) in {**before, **now}.items():
        (_, old), (_, new) = before.get(key, ABSENT), now.get(key, ABSENT)
        if not (_same_items(old, new) if isinstance(place, Contents) else old is new):
            yield place, old


def _entered(rec: Recorder, values: Iterable[object]) -> list[object]:
    """The objects and containers from outside that these values are or hold; of the user's own objects, only those given."""
    given = [value for value in values if _is_outside(rec, value)]

    def inside(value: object) -> list[object]:
        parts = pytree.held_in(value) if pytree.is_container(value) else [*pytree.attributes_of(value).values()]
        return [part for part in parts if _is_outside(rec, part) and (pytree.is_container(part) or _is_of_library(part))]

    return list(pytree.nodes(given, lambda value: given if value is given else inside(value)))[1:]


def _is_outside(rec: Recorder, value: object) -> bool:
    if issubclass(type(value), NOT_ENTERED) or rec.heap.birth(value) is not None or rec.heap.staged(value) is not None:
        return False
    return pytree.is_container(value) or bool(type(value).__dictoffset__)


def _is_of_library(value: object) -> bool:
    return is_foreign(module_of(type(value)))


def _holding(value: object) -> Holding:
    if pytree.is_container(value):
        places: list[tuple[Location, object]] = [] if pytree.is_frozen(type(value)) else [(Contents(value), held(value))]
    else:
        places = [(Attribute(value, name), part) for name, part in pytree.attributes_of(value).items()]
    return {place.key: (place, part) for place, part in places}


def _same_items(old: Any, new: Any) -> bool:
    if isinstance(old, set):
        return {*map(id, old)} == {*map(id, new)}
    same = len(old) == len(new) and all(map(is_, old, new))
    return same and (not isinstance(old, dict) or all(map(is_, old.values(), new.values())))
