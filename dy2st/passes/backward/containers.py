"""Backward through what holds other values: tuples and sums hold them by value, dicts, objects and cells have shadows.

    dict.set %d, %k, %x           backwards:               %gx = dict.get %s, %k         %s: the shadow of %d
                                                           adjoint.put_back %s, %b, %k   %b: what was there before, or nothing
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...ir.core import Block, Operation, Value
from ...ir.types import BOOL, CellType, DictType, ListType
from ...ops.python.adjoints import SLOT
from .adjoints import Adjoints, fitted, total
from .list_rules import LIST_RULES
from .refusal import NotDifferentiableError
from .residuals import before
from .shadows import ByIdentity, add_at, flows

if TYPE_CHECKING:
    from .reverse import Reverse

Rule = Callable[["Reverse", Adjoints, Operation, Any], None]


# --- tuples and sums ---------------------------------------------------------------------------------------------------


def _tuple_new(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    for i, value in enumerate(op.operands):
        if value in reverse.activity and g is not None and flows(value.type):
            reverse.add(adjoints, value, reverse.emit.op("tuple.get", g, index=i))


def _tuple_get(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    """The other parts get nothing."""
    if g is None:
        return
    tuple_, emit = op.operands[0], reverse.emit
    zeros = emit.op("adjoint.zeros", tuple_)
    count = len(tuple_.type.elems)  # type: ignore[attr-defined]
    at = op.attrs["index"] % count
    parts = [g if i == at else emit.op("tuple.get", zeros, index=i) for i in range(count)]
    named = {"name": tuple_.type.name, "fields": list(tuple_.type.fields)} if tuple_.type.name else {}  # type: ignore[attr-defined]
    reverse.add(adjoints, tuple_, emit.op("tuple.new", *parts, **named))


def _sum_make(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    if g is not None and flows(op.operands[0].type):
        chosen = op.result.type.alternatives[op.attrs["index"]]  # type: ignore[attr-defined]
        made = reverse.emit.core("sum.get", [g], [chosen], {"index": op.attrs["index"]})
        reverse.add(adjoints, op.operands[0], made.result)


def _sum_get(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    if g is not None:
        whole = op.operands[0]
        made = reverse.emit.core("sum.make", [g], [whole.type], {"index": op.attrs["index"]})
        reverse.add(adjoints, whole, made.result)


def _zeros(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    """Zeros, whatever the operand holds."""


# --- dicts -------------------------------------------------------------------------------------------------------------


def _dict_new(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    """Of two values under one key, the last has stayed."""
    emit, shadow = reverse.emit, reverse.shadows.of(op.result)
    for key, value in [*zip(op.operands[::2], op.operands[1::2])][::-1]:
        if flows(value.type):
            reverse.add(adjoints, value, emit.op("dict.get", shadow, key))
            emit.op("dict.set", shadow, key, adjoints.zero(value))


def _dict_get(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    if g is not None:
        add_at(reverse.emit, reverse.shadows.of(op.operands[0]), op.operands[1], g)


def _dict_get_default(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    """To the item where there is one, to the default where not."""
    if g is not None:
        dict_, key, default = op.operands
        emit, shadow = reverse.emit, reverse.shadows.of(dict_)

        def there() -> Value:
            add_at(emit, shadow, key, g)
            return adjoints.zero(default)

        left = _either(reverse, emit.op("dict.contains", shadow, key), there, lambda: fitted(emit, g, default))
        if flows(default.type):
            reverse.add(adjoints, default, left)


def _either(reverse: Reverse, condition: Value, yes: Callable[[], Value], no: Callable[[], Value]) -> Value:
    """`yes() if condition else no()`."""
    blocks = [Block(), Block()]
    for block, made in zip(blocks, (yes, no)):
        with reverse.emit.at(block):
            result = made()
            reverse.emit.core("yield", [result])
    return reverse.emit.core("if", [condition], [result.type], None, blocks).result


def _dict_set(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    dict_, key, value = op.operands
    shadow = reverse.shadows.of(dict_)
    gradient = reverse.emit.op("dict.get", shadow, key) if flows(value.type) else None
    reverse.emit.op("adjoint.put_back", shadow, _slot(op, [dict_, key]), key)
    if gradient is not None:
        reverse.add(adjoints, value, gradient)


def _dict_delete(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    reverse.emit.op("adjoint.put_back", reverse.shadows.of(op.operands[0]), _slot(op, op.operands), op.operands[1])


def _slot(op: Operation, operands: list[Value], **attrs: Any) -> Value:
    """The item of a container that an operation is about to change."""
    return before(op, Operation("adjoint.slot", operands, attrs, [SLOT], loc=op.loc)).result


def _dict_pop(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    if len(op.operands) > 2:
        raise NotDifferentiableError(op, "dict.pop with a default has no backward form")
    shadow = reverse.shadows.of(op.operands[0])
    reverse.emit.op("adjoint.put_back", shadow, _slot(op, op.operands), op.operands[1])
    if g is not None:
        add_at(reverse.emit, shadow, op.operands[1], g)


def _dict_setdefault(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    dict_, key, value = op.operands
    emit, shadow = reverse.emit, reverse.shadows.of(dict_)
    had = before(op, Operation("dict.contains", [dict_, key], None, [BOOL], loc=op.loc)).result
    if g is not None:
        add_at(emit, shadow, key, g)

    def added() -> Value:
        gradient = emit.op("dict.get", shadow, key) if flows(value.type) else value
        emit.op("dict.delete", shadow, key)
        return gradient

    left = _either(reverse, had, lambda: adjoints.zero(value) if flows(value.type) else value, added)
    if flows(value.type):
        reverse.add(adjoints, value, left)


def _dict_copy(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    """A copy, or a list of the values or items."""
    dict_ = op.operands[0]
    assert isinstance(dict_.type, DictType)
    keys = before(op, Operation("adjoint.places", [dict_], None, [ListType(dict_.type.key)], loc=op.loc)).result
    part = {"part": 1} if op.name == "dict.items" else {}
    reverse.emit.op("adjoint.pour", reverse.shadows.of(dict_), reverse.shadows.of(op.result), keys, **part)


def _dict_clear(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    (dict_,) = op.operands
    whole = before(op, Operation("dict.copy", [dict_], None, [dict_.type], loc=op.loc)).result
    reverse.emit.op("dict.update", reverse.shadows.of(dict_), reverse.emit.op("adjoint.zeros", whole))


# --- objects and cells ---------------------------------------------------------------------------------------------------


def _object_new(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    shadow = reverse.shadows.of(op.result)
    for field, value in zip(op.attrs.get("fields", ()), op.operands):
        if flows(value.type):
            reverse.add(adjoints, value, _held(reverse, shadow, value, {"field": field}))


def _held(reverse: Reverse, shadow: Value, value: Value, attrs: dict[str, Any]) -> Value:
    """The adjoint in a shadow of a value that the container holds."""
    name, type_ = ("cell.get", shadow.type.elem) if isinstance(shadow.type, CellType) else ("object.get", value.type)
    return fitted(reverse.emit, reverse.emit.core(name, [shadow], [type_], attrs).result, value)


def _held_get(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    if g is not None:
        shadow, attrs = reverse.shadows.of(op.operands[0]), dict(op.attrs)
        both = total(reverse.emit, _held(reverse, shadow, op.result, attrs), g, op.result)
        reverse.emit.core("object.set" if attrs else "cell.set", [shadow, both], (), attrs)


def _held_set(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    holder, value = op.operands
    shadow = reverse.shadows.of(holder)
    gradient = _held(reverse, shadow, value, dict(op.attrs)) if flows(value.type) else None
    reverse.emit.op("adjoint.put_back", shadow, _slot(op, [holder], **op.attrs), **op.attrs)
    if gradient is not None:
        reverse.add(adjoints, value, gradient)


def _object_delete(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    reverse.emit.op("adjoint.put_back", reverse.shadows.of(op.operands[0]), _slot(op, op.operands, **op.attrs), **op.attrs)


def _object_copy(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    reverse.emit.op("adjoint.pour_fields", reverse.shadows.of(op.operands[0]), reverse.shadows.of(op.result))


def _cell_new(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    for value in op.operands:
        if flows(value.type):
            reverse.add(adjoints, value, _held(reverse, reverse.shadows.of(op.result), value, {}))


def _of_references(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    """Tensors in place of references: their gradients go into the cells."""
    assert isinstance(reverse.shadows, ByIdentity)  # a reference holds a cell
    found = before(op, Operation("adjoint.references", op.operands, None, [SLOT], loc=op.loc)).result
    gradient = g if g is not None else adjoints.zero(op.result) if flows(op.result.type) else op.result
    reverse.emit.op("adjoint.refer", reverse.shadows.ledger, found, gradient)


RULES: dict[str, Rule] = {
    **LIST_RULES,
    "adjoint.zeros": _zeros,
    "tuple.new": _tuple_new,
    "tuple.get": _tuple_get,
    "sum.make": _sum_make,
    "sum.get": _sum_get,
    "dict.new": _dict_new,
    "dict.get": _dict_get,
    "dict.get_default": _dict_get_default,
    "dict.set": _dict_set,
    "dict.delete": _dict_delete,
    "dict.pop": _dict_pop,
    "dict.setdefault": _dict_setdefault,
    "dict.copy": _dict_copy,
    "dict.values": _dict_copy,
    "dict.items": _dict_copy,
    "dict.clear": _dict_clear,
    "object.new": _object_new,
    "object.get": _held_get,
    "object.set": _held_set,
    "object.delete": _object_delete,
    "object.copy": _object_copy,
    "cell.new": _cell_new,
    "cell.get": _held_get,
    "cell.set": _held_set,
    "reference.tensors": _of_references,
}
