"""Whether what state holds now is of the kind that a Program was staged for: the user may have put something else there.

Staging takes the kinds of values in state for constant: whether one is None, which class it has, how many axes. Its own stores
are part of the types; what the user's code stores between calls is looked at here, before each call. Whether arrays of NumPy are
there is looked at, too: what is computed of them would have to be one (`kept_arrays`). So is the table of a layer in which an
attribute is that the function deletes and stores anew.

No guard (`outside.guards`): the Program reads state anew at each call, so any value of the type will do, and it is found at its
location. A guard holds a constant of the Program against what a chain of names leads to now.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from ...ir.flows import KEY, Entry, slots
from ...ir.native import CONTAINERS, columns, matches
from ...ir.types import (
    NEVER,
    UNBOUND,
    AtomType,
    ClassType,
    RecordType,
    ScalarType,
    SumType,
    TensorType,
    TupleType,
    Type,
)
from ...pytree import is_container
from ..heap.elements import ElementClass
from ..heap.identity import is_kept, same_object
from ..heap.journal import Contents
from ..heap.markers import MISSING
from ..library import CLASSES, PYTHONS, Kept, taken_apart
from ..outside.facts import StateSlot
from ..pythons import fields_of
from ..tensors.foreign import array_of
from ..tensors.tensor import Tensor
from ..tensors.value_types import type_of_native


class StateKinds:
    """The kinds of values that the state of one Program holds.

    objects: text of an atom or class -> the Python object; texts: the other way round, by identity.
    """

    def __init__(self, state: Mapping[str, StateSlot], objects: Mapping[str, Any], texts: Mapping[Hashable, str]):
        self._texts = texts
        self._slots = [(slot.location, slot.type, slot.found) for slot in state.values()]
        self._objects = objects
        self._losses = [slot.loss for slot in state.values() if slot.loss is not None]
        self._arrays: Any = (np.ndarray, np.generic) if any(slot.holds_arrays for slot in state.values()) else ()

    def hold(self) -> bool:
        """Whether all state is of these kinds now."""
        seen: set[tuple[int, int, Type]] = set()
        return all(loss.is_current() for loss in self._losses) and all(
            self._fits(type_, known, location.owner if isinstance(location, Contents) else location.get(), seen)
            for location, type_, known in self._slots
        )

    def _fits(self, type_: Type, known: ElementClass | None, value: Any, seen: set) -> bool:
        """Whether `value` is of this type; `known` tells what the containers and objects in it hold."""
        if isinstance(type_, ScalarType):
            return matches(type_, value)
        if isinstance(type_, TensorType):
            array = array_of(value)
            if array is not None:
                return _has_shape(type_, type_of_native(array))
            return isinstance(value, (Tensor, *self._arrays)) and _has_shape(type_, _type_of(value))
        if isinstance(type_, SumType):
            return any(self._fits(alternative, known, value, seen) for alternative in type_.alternatives)
        if isinstance(type_, AtomType):
            return same_object(self._objects.get(type_.text, MISSING), value)
        if type_ == UNBOUND or value is MISSING:
            return type_ == UNBOUND and value is MISSING
        known = None if known is None else known.find()
        if (id(value), id(known), type_) in seen:
            return True
        seen.add((id(value), id(known), type_))
        return self._holds(type_, known, value, seen)

    def _holds(self, type_: Type, known: ElementClass | None, value: Any, seen: set) -> bool:
        if isinstance(type_, TupleType):
            cls = self._objects.get(f"tuple {type_.name}") if type_.name else tuple
            same = type(value) is cls and len(value) == len(type_.elems)
            return same and all(self._part(known, i, t, x, seen) for i, (t, x) in enumerate(zip(type_.elems, value)))
        if isinstance(type_, RecordType):
            return type(value) is dict and all(self._is_entry(type_, known, k, x, seen) for k, x in value.items())
        if type(type_) in CONTAINERS:
            if type(value) is not CONTAINERS[type(type_)]:
                return False
            held = zip(slots(type_), columns(value))
            return all(self._part(known, slot, part, x, seen) for (slot, part), column in held for x in column)
        return not isinstance(type_, ClassType) or self._is_object(type_, known, value, seen)

    def _is_object(self, type_: ClassType, known: ElementClass | None, value: Any, seen: set) -> bool:
        cls = self._objects.get(f"class {type_.name}")
        cls = PYTHONS.get(cls, cls)  # type: ignore[arg-type]
        if cls in CLASSES:
            return isinstance(value, cls)
        held = fields_of(value) if is_container(value) else {}
        if isinstance(cls, type) and issubclass(cls, Kept):
            found = taken_apart(value) if is_kept(value, self._texts) else None
            if found is None or found[0] is not cls:
                return False
            held = found[1]
        elif type(value) is not cls:
            return False
        fields = {} if known is None else {key[1:]: slot for key, slot in known.slots.items() if isinstance(key, str)}
        learnt = [(name, slot) for name, slot in fields.items() if slot.type != NEVER]
        values = {name: held[name] if name in held else getattr(value, name, MISSING) for name, _ in learnt}
        return all(self._fits(slot.type, slot.inner, values[name], seen) for name, slot in learnt)

    def _is_entry(self, type_: RecordType, known: ElementClass | None, key: Any, value: Any, seen: set) -> bool:
        """Whether a dict of known keys may hold this value under this key."""
        if not (known is not None and known.is_general) and key not in type_.names:
            return False
        return self._part(known, KEY, type_.key, key, seen) and self._part(known, Entry(key), type_.at(key), value, seen)

    def _part(self, known: ElementClass | None, key: Any, declared: Type, value: Any, seen: set) -> bool:
        slot = None if known is None else known.at(key)
        if slot is None:
            return self._fits(declared, None, value, seen)
        return self._fits(declared if isinstance(key, int) else slot.type, slot.inner, value, seen)


def _type_of(value: Any) -> Any:
    return value.type if isinstance(value, Tensor) else type_of_native(value)


def _has_shape(type_: TensorType, given: TensorType) -> bool:
    if type_.dtype != given.dtype:
        return False
    if type_.shape is None or given.shape is None:
        return True
    same_rank = len(type_.shape) == len(given.shape)
    return same_rank and all(not isinstance(d, int) or d == n for d, n in zip(type_.shape, given.shape))
