"""What gradients of values of any structure need: nothing yet (`adjoint.zeros`), more of it (`adjoint.add`), a place (a shadow).

The gradient of a value has the value's own type: arrays for its arrays, and anything where the value holds no floating point.
Containers are shared by reference: gradients of what they hold lie in their shadows. Inside another value a container stands for
itself.
"""

from __future__ import annotations

from functools import partial, singledispatch
from typing import Any

import numpy as np

from ...dtypes import FLOWING
from ...ir.native import UNBOUND, Cell, Instance, leaves, mapped, parts, rebuilt
from ...ir.types import INT, ClassType, DictType, ListType, Type
from ..registry import define
from ..walks import add_at
from .hashing import hashed
from .references import refers


def _zeros(value: Any) -> Any:
    return rebuilt(value, [*map(_nothing, parts(value))]) if isinstance(value, (list, dict, Instance, Cell)) else _nothing(value)


def _nothing(value: Any) -> Any:
    """Zeros for a value in a container."""
    return mapped(zero_like, _is_tuple, value)


def deep_zeros(value: Any) -> Any:
    """Zeros like a value, with containers of their own."""
    return mapped(zero_like, lambda part: isinstance(part, (list, dict, tuple)), value)


@singledispatch
def zero_like(value: Any) -> Any:
    """The gradient of a value through which none flows; of a class of tensors that is registered here, zeros."""
    return value


@zero_like.register(np.ndarray)
@zero_like.register(np.generic)
def _(value: Any) -> Any:
    return np.zeros(value.shape, value.dtype)


def _add(a: Any, b: Any) -> Any:
    return mapped(sum_of, _is_tuple, a, b)


@singledispatch
def sum_of(a: Any, b: Any) -> Any:
    """The sum of two gradients of a value; of a value through which none flows, the value."""
    return a


@sum_of.register(np.ndarray)
@sum_of.register(np.generic)
def _(a: Any, b: Any) -> Any:
    return np.asarray(a + b) if a.dtype.kind in FLOWING else a


def _is_tuple(value: Any) -> bool:
    return isinstance(value, tuple)


def _first(type_: Type, *_: Type) -> Type:
    return type_


zeros = define(
    "adjoint.zeros",
    kernel=_zeros,
    infer=_first,
    reads=(0,),
    allocates=True,
    onnx=lambda g, x: g.as_type(x, g.declared[0]).zeros(),
)
add = define(
    "adjoint.add",
    kernel=_add,
    infer=_first,
    grad=lambda ctx, g: (g, g),
    reads=(0, 1),
    allocates=True,
    onnx=lambda g, x, y: g.as_type(x, g.declared[0]).plus(g.as_type(y, g.declared[0])),
)


# --- shadows that are found at run time, by what they are the shadows of ------------------------------------------------

LEDGER, SLOT = ClassType("adjoint.ledger", None), ClassType("adjoint.slot", None)


class Ledger(Instance):
    """The shadows of containers, by identity. A container is kept alive for as long."""

    def __init__(self) -> None:
        super().__init__(LEDGER.name)
        self.shadows: dict[int, tuple[Any, Any]] = {}


def _shadow(ledger: Ledger, container: Any) -> Any:
    found = ledger.shadows.get(id(container))
    if found is None:
        found = ledger.shadows[id(container)] = container, _zeros(container)
    return found[1]


def _enter(ledger: Ledger, value: Any, gradient: Any) -> Any:
    """Put the gradients of a result into the shadows of the containers in it; what is held by value is given back."""
    return mapped(partial(_collect, ledger), _is_tuple, value, gradient)


def _collect(ledger: Ledger, value: Any, gradient: Any) -> Any:
    if not isinstance(value, list | dict):
        return gradient
    shadow = _shadow(ledger, value)
    for key in _places(value):
        shadow[key] = _add(shadow[key], _enter(ledger, value[key], gradient[key]))
    return value


def _slot(container: Any, key: Any = None, field: str = "") -> Any:
    if isinstance(container, Cell):
        return container.value
    held, key = (container.fields, field) if isinstance(container, Instance) else (container, key)
    return held.get(hashed(key), UNBOUND)


def _put_back(shadow: Any, before: Any, key: Any = None, field: str = "") -> tuple:
    """Nothing has arrived yet at what a container has held before it was written."""
    if isinstance(shadow, Cell):
        shadow.value = _nothing(before)
        return ()
    held, key = (shadow.fields, field) if isinstance(shadow, Instance) else (shadow, key)
    if before is UNBOUND:
        del held[hashed(key)]
    else:
        held[hashed(key)] = _nothing(before)
    return ()


def _places(container: Any, start: Any = None, stop: Any = None, step: Any = None) -> list:
    return list(range(len(container)))[start:stop:step] if isinstance(container, list) else list(container)


def _places_type(container: Type, **_: Any) -> Type:
    return ListType(container.key if isinstance(container, DictType) else INT)


def _pour(into: Any, given: Any, places: list, part: int | None = None) -> tuple:
    """Add what has arrived at a copy of a container, or of a part of it, to what has arrived at the container."""
    items = given.values() if isinstance(given, dict) else given
    for place, g in zip(places, items):
        into[place] = _add(into[hashed(place)], g if part is None else g[part])
    return ()


def _pour_fields(into: Instance, given: Instance) -> tuple:
    for field, g in given.fields.items():
        into.fields[field] = _add(into.fields[field], g)
    return ()


def _undelete(shadow: list, before: list, places: list) -> tuple:
    """Let a list have again the items that it had at `places`."""
    left, gone = list(shadow)[::-1], set(map(hashed, places))
    shadow[:] = [x if i in gone else left.pop() for i, x in enumerate(before)]
    return ()


def _order(keys: list, reverse: bool = False) -> list:
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


def _unsort(shadow: list, order: list) -> tuple:
    """Let a list have the order again that it had before what was at `order[k]` came to `k`."""
    sorted_, shadow[:] = list(shadow), [None] * len(shadow)
    for place, x in zip(order, sorted_):
        shadow[place] = x
    return ()


def _references(value: Any) -> Instance:
    """The references in a value, in order; a container counts once."""
    return Instance(SLOT.name, found=[part for part in leaves(value, _is_tensor) if isinstance(part, tuple)])


def _is_tensor(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic) or refers(value)


def _refer(ledger: Ledger, references: Instance, gradient: Any) -> tuple:
    """Add what has arrived at the tensors that were made of references to what has arrived at the cells."""
    arrived = leaves(gradient, _is_tensor, partial(_shadow, ledger))
    for (cell, places), g in zip(references.fields["found"], arrived):
        if g.dtype.kind in FLOWING:
            held = _shadow(ledger, cell)
            held.value = held.value.copy()
            add_at(held.value, places, g)
    return ()


def _none(*_: Type, **__: Any) -> tuple:
    return ()


ledger = define("adjoint.ledger", kernel=Ledger, infer=lambda: LEDGER, allocates=True)
shadow = define("adjoint.shadow", kernel=_shadow, infer=lambda ledger, c: c, mutates=(0,), reads=(0, 1))
enter = define("adjoint.enter", kernel=_enter, infer=lambda ledger, v, g: g, mutates=(0,), reads=(0, 1, 2))
slot = define("adjoint.slot", kernel=_slot, infer=lambda *_, **__: SLOT, reads=(0,))
put_back = define("adjoint.put_back", kernel=_put_back, infer=_none, mutates=(0,), reads=(1,))
places = define("adjoint.places", kernel=_places, infer=_places_type, reads=(0,), allocates=True)
pour = define("adjoint.pour", kernel=_pour, infer=_none, mutates=(0,), reads=(1, 2))
pour_fields = define("adjoint.pour_fields", kernel=_pour_fields, infer=_none, mutates=(0,), reads=(1,))
order = define("adjoint.order", kernel=_order, infer=lambda keys, reverse=False: ListType(INT), reads=(0,), allocates=True)
unsort = define("adjoint.unsort", kernel=_unsort, infer=_none, mutates=(0,), reads=(1,))
references = define("adjoint.references", kernel=_references, infer=lambda v: SLOT, reads=(0,))
refer = define("adjoint.refer", kernel=_refer, infer=_none, mutates=(0,), reads=(1, 2))
undelete = define("adjoint.undelete", kernel=_undelete, infer=_none, mutates=(0,), reads=(1, 2))
