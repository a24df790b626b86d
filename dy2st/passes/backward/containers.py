"""Backward through lists, tuples and sums.

A list has a shadow: a list of the adjoints of its items, made where the backward of the list's Block starts, when the list is
complete. What is done to the list is undone to the shadow, in reverse order: where the list grew, the shadow gives an adjoint.

    %l = list.new                                          %s = adjoint.zeros %l
    list.append %l, %x            backwards:               %g2[i] to each %s[i]          from  list.stack
    %y = list.stack %l                                     %gx = list.pop %s             from  list.append
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...ir.core import Block, Operation, Value
from ...ir.types import INT, ListType, TensorType, Type
from ...ops.subscript import FULL
from .adjoints import Adjoints
from .emitter import Emitter
from .refusal import NotDifferentiableError
from .residuals import before

if TYPE_CHECKING:
    from .reverse import Reverse

WRITES = frozenset(("list.append", "list.pop", "list.set", "list.new"))
Rule = Callable[["Reverse", Adjoints, Operation, Any], None]


class Shadows:
    """The shadow of each list that gradients flow through."""

    def __init__(self, emit: Emitter):
        self.emit = emit
        self.known: dict[Value, Value] = {}

    def open(self, value: Value) -> None:
        """Make the shadow of a list."""
        self.known[value] = self.emit.op("adjoint.zeros", value)

    def __getitem__(self, value: Value) -> Value:
        return self.known[value]

    def add_at(self, shadow: Value, index: Value, gradient: Value) -> None:
        """Add to the adjoint of one item."""
        emit = self.emit
        item = emit.op("list.get", shadow, index)
        total = emit.op("add" if isinstance(item.type, TensorType) else "adjoint.add", item, gradient)
        emit.op("list.set", shadow, index, total)

    def merge(self, value: Value, gradients: Value) -> None:
        """Add a list of gradients item by item."""
        shadow = self.known.get(value)
        if shadow is None:
            raise TypeError("this list comes from elsewhere")
        for_each(self.emit, shadow, lambda i: self.add_at(shadow, i, self.emit.op("list.get", gradients, i)))


def for_each(emit: Emitter, list_: Value, body: Callable[[Value], None]) -> None:
    """`for i in range(len(list_)): body(i)`."""
    count = emit.op("list.len", list_)
    blocks = [Block([INT]), Block([INT])]
    with emit.at(blocks[0]) as condition:
        emit.core("yield", [emit.op("py.lt", condition.args[0], count)])
    with emit.at(blocks[1]) as turn:
        body(turn.args[0])
        emit.core("yield", [emit.op("py.add", turn.args[0], emit.const(1))])
    emit.core("while", [emit.const(0)], [INT], None, blocks)


# --- lists ----------------------------------------------------------------------------------------------------------------


def _shadow(reverse: Reverse, op: Operation, value: Value) -> Value:
    shadow = reverse.shadows.known.get(value)
    if shadow is None:
        raise NotDifferentiableError(op, f"{op.name}: a list that another container, a call or a path gives")
    return shadow


def _new(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    shadow = _shadow(reverse, op, op.result)
    for i, value in enumerate(op.operands):
        reverse.add(adjoints, value, reverse.emit.op("list.get", shadow, reverse.emit.const(i)))


def _append(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    _add_item(reverse, adjoints, op, reverse.emit.op("list.pop", _shadow(reverse, op, op.operands[0])))


def _add_item(reverse: Reverse, adjoints: Adjoints, op: Operation, gradient: Value) -> None:
    value = op.operands[-1]
    if isinstance(value.type, ListType):
        raise NotDifferentiableError(op, "a list in a list")
    reverse.add(adjoints, value, gradient)


def _get(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    if g is not None:
        reverse.shadows.add_at(_shadow(reverse, op, op.operands[0]), op.operands[1], g)


def _set(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    list_, index, _ = op.operands
    shadow = _shadow(reverse, op, list_)
    gradient = reverse.emit.op("list.get", shadow, index)
    old = before(op, Operation("list.get", [list_, index], None, [_elem(list_.type)], loc=op.loc)).result
    reverse.emit.op("list.set", shadow, index, adjoints.zero(old))
    _add_item(reverse, adjoints, op, gradient)


def _elem(type_: Type) -> Type:
    assert isinstance(type_, ListType)
    return type_.elem


def _pop(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    shadow = _shadow(reverse, op, op.operands[0])
    gradient = g if g is not None else adjoints.zero(op.result)
    index = -1 if len(op.operands) == 1 else reverse.emit.known(op.operands[1])
    if index == -1:
        reverse.emit.op("list.append", shadow, gradient)
    elif isinstance(index, int) and index >= 0:
        reverse.emit.op("list.insert", shadow, op.operands[1], gradient)
    else:
        raise NotDifferentiableError(op, "pop(i) of a list where i isn't known, or counts from the end")


def _stack(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    if g is None:
        return
    shadow, axis = _shadow(reverse, op, op.operands[0]), _axis(op)

    def add_part(i: Value) -> None:
        part = reverse.emit.op("getitem", g, index=[FULL] * axis + [{"int": i}])
        reverse.shadows.add_at(shadow, i, part)

    for_each(reverse.emit, shadow, add_part)


def _axis(op: Operation) -> int:
    axis, rank = op.attrs.get("axis", 0), op.result.type.rank  # type: ignore[attr-defined]
    if axis < 0 and rank is None:
        raise NotDifferentiableError(op, "a negative axis of tensors whose rank is known only at run time")
    return axis % rank if axis < 0 else axis


def _concat(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    """Where each part starts follows from the lengths of those before it."""
    if g is None:
        return
    emit, list_, axis = reverse.emit, op.operands[0], _axis(op)
    shadow = _shadow(reverse, op, list_)
    starts = emit.op("list.new")
    starts.type = ListType(INT)
    emit.op("list.append", starts, emit.const(0))

    def add_part(i: Value) -> None:
        start = emit.op("list.get", starts, i)
        stop = emit.op("py.add", start, emit.op("py.dim", emit.op("list.get", shadow, i), axis=axis))
        emit.op("list.append", starts, stop)
        part = emit.op("getitem", g, index=[FULL] * axis + [{"slice": [start, stop, None]}])
        reverse.shadows.add_at(shadow, i, part)

    for_each(emit, shadow, add_part)


# --- tuples, dicts, sums -----------------------------------------------------------------------------------------------------


def _tuple_new(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    for i, value in enumerate(op.operands):
        if value in reverse.activity and g is not None:
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


def _dict_new(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    """A dict that is part of the result, and is left as it is made."""
    if g is None:
        return
    for key, value in zip(op.operands[::2], op.operands[1::2]):
        if value in reverse.activity:
            reverse.add(adjoints, value, reverse.emit.op("dict.get", g, key))


def _sum_make(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    if g is not None:
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


RULES: dict[str, Rule] = {
    "adjoint.zeros": _zeros,
    "list.new": _new,
    "list.append": _append,
    "list.get": _get,
    "list.set": _set,
    "list.pop": _pop,
    "list.stack": _stack,
    "list.concat_tensors": _concat,
    "tuple.new": _tuple_new,
    "tuple.get": _tuple_get,
    "dict.new": _dict_new,
    "sum.make": _sum_make,
    "sum.get": _sum_get,
}
