"""Backward through lists: what was done to a list is undone to its shadow. Where the list grew, the shadow gives an adjoint.

    %l = list.new                                          %s = adjoint.zeros %l
    list.append %l, %x            backwards:               %g2[i] to each %s[i]          from  list.stack
    %y = list.stack %l                                     %gx = list.pop %s             from  list.append
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.core import Block, Operation, Value
from ...ir.types import INT, ListType, Type
from ...ops.subscript import FULL
from .adjoints import Adjoints
from .emitter import Emitter
from .refusal import NotDifferentiableError
from .residuals import before
from .shadows import add_at, flows, for_each

if TYPE_CHECKING:
    from .reverse import Reverse


def _new(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    shadow = reverse.shadows.of(op.result)
    for i, value in enumerate(op.operands):
        if flows(value.type):
            reverse.add(adjoints, value, reverse.emit.op("list.get", shadow, reverse.emit.const(i)))


def _append(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    _arrive(reverse, adjoints, op, reverse.emit.op("list.pop", reverse.shadows.of(op.operands[0])))


def _arrive(reverse: Reverse, adjoints: Adjoints, op: Operation, gradient: Value) -> None:
    """At the last operand, which the list has taken in."""
    if flows(op.operands[-1].type):
        reverse.add(adjoints, op.operands[-1], gradient)


def _get(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    if g is not None:
        add_at(reverse.emit, reverse.shadows.of(op.operands[0]), op.operands[1], g)


def _set(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    list_, index, _ = op.operands
    shadow = reverse.shadows.of(list_)
    gradient = reverse.emit.op("list.get", shadow, index)
    reverse.emit.op("list.set", shadow, index, _nothing(adjoints, _item(op)))
    _arrive(reverse, adjoints, op, gradient)


def _item(op: Operation) -> Value:
    """The item of a list that an operation is about to change."""
    list_, index = op.operands[:2]
    return before(op, Operation("list.get", [list_, index], None, [_elem(list_.type)], loc=op.loc)).result


def _nothing(adjoints: Adjoints, value: Value) -> Value:
    """The adjoint in a shadow of an item that nothing depends on; containers stand for themselves."""
    return adjoints.zero(value) if flows(value.type) else value


def _elem(type_: Type) -> Type:
    assert isinstance(type_, ListType)
    return type_.elem


def _pop(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    shadow, gradient = reverse.shadows.of(op.operands[0]), g if g is not None else _nothing(adjoints, op.result)
    if len(op.operands) == 1 or reverse.emit.known(op.operands[1]) == -1:
        reverse.emit.op("list.append", shadow, gradient)
    else:
        reverse.emit.op("list.insert", shadow, _was_at(reverse.emit, shadow, op.operands[1]), gradient)


def _delete(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    shadow = reverse.shadows.of(op.operands[0])
    reverse.emit.op("list.insert", shadow, _was_at(reverse.emit, shadow, op.operands[1]), _nothing(adjoints, _item(op)))


def _was_at(emit: Emitter, shadow: Value, index: Value) -> Value:
    """From the start, where an item was that is gone now."""
    known = emit.known(index)
    if isinstance(known, int) and known >= 0:
        return index
    return emit.op("py.mod", index, emit.op("py.add", emit.op("list.len", shadow), emit.const(1)))


def _insert(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    emit, shadow = reverse.emit, reverse.shadows.of(op.operands[0])
    _arrive(reverse, adjoints, op, emit.op("list.pop", shadow, _put_at(emit, shadow, op.operands[1])))


def _put_at(emit: Emitter, shadow: Value, index: Value) -> Value:
    """From the start, where `insert` has put an item that is there now."""
    last = emit.op("py.sub", emit.op("list.len", shadow), emit.const(1))
    blocks = [Block(), Block()]
    with emit.at(blocks[0]):
        emit.core("yield", [emit.op("py.max", emit.op("py.add", index, last), emit.const(0))])
    with emit.at(blocks[1]):
        emit.core("yield", [emit.op("py.min", index, last)])
    return emit.core("if", [emit.op("py.lt", index, emit.const(0))], [INT], None, blocks).result


def _reverse(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    reverse.emit.op("list.reverse", reverse.shadows.of(op.operands[0]))


def _sort_by(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    order = before(op, Operation("adjoint.order", [op.operands[1]], dict(op.attrs), [ListType(INT)], loc=op.loc)).result
    reverse.emit.op("adjoint.unsort", reverse.shadows.of(op.operands[0]), order)


def _clear(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    reverse.emit.op("list.extend", reverse.shadows.of(op.operands[0]), reverse.emit.op("adjoint.zeros", _whole(op)))


def _delete_slice(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    emit, shadow = reverse.emit, reverse.shadows.of(op.operands[0])
    emit.op("adjoint.undelete", shadow, emit.op("adjoint.zeros", _whole(op)), _positions(op, 0, dict(op.attrs)))


def _whole(op: Operation) -> Value:
    """A copy of a list that an operation is about to change."""
    return before(op, Operation("list.copy", op.operands[:1], None, [op.operands[0].type], loc=op.loc)).result


def _positions(op: Operation, number: int, attrs: Any = None) -> Value:
    """The positions in an operand, or in a slice of it."""
    operands = [op.operands[number], *(op.operands[1:] if attrs else ())]
    made = Operation("adjoint.places", operands, attrs, [ListType(INT)], loc=op.loc, n_positional=1)
    return before(op, made).result


def _slice(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    """Part of a list, or a copy of all of it."""
    given = reverse.shadows.of(op.result)
    reverse.emit.op("adjoint.pour", reverse.shadows.of(op.operands[0]), given, _positions(op, 0, dict(op.attrs)))


def _concat_lists(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    emit, given, shadows = reverse.emit, reverse.shadows.of(op.result), [reverse.shadows.of(v) for v in op.operands]
    emit.op("adjoint.pour", shadows[0], given, _positions(op, 0))
    rest = emit.op("list.slice", given, start=emit.op("list.len", shadows[0]))
    emit.op("adjoint.pour", shadows[1], rest, _positions(op, 1))


def _extend(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    emit, shadow, positions = reverse.emit, reverse.shadows.of(op.operands[0]), _positions(op, 1)
    start = emit.op("py.sub", emit.op("list.len", shadow), emit.op("list.len", positions))
    emit.op("adjoint.pour", reverse.shadows.of(op.operands[1]), emit.op("list.slice", shadow, start=start), positions)
    emit.op("list.delete_slice", shadow, start=start)


def _stack(reverse: Reverse, adjoints: Adjoints, op: Operation, g: Any) -> None:
    if g is None:
        return
    shadow, axis = reverse.shadows.of(op.operands[0]), _axis(op)

    def add_part(i: Value) -> None:
        add_at(reverse.emit, shadow, i, reverse.emit.op("getitem", g, index=[FULL] * axis + [{"int": i}]))

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
    shadow = reverse.shadows.of(list_)
    starts = emit.op("list.new")
    starts.type = ListType(INT)
    emit.op("list.append", starts, emit.const(0))

    def add_part(i: Value) -> None:
        start = emit.op("list.get", starts, i)
        stop = emit.op("py.add", start, emit.op("py.dim", emit.op("list.get", shadow, i), axis=axis))
        emit.op("list.append", starts, stop)
        add_at(emit, shadow, i, emit.op("getitem", g, index=[FULL] * axis + [{"slice": [start, stop, None]}]))

    for_each(emit, shadow, add_part)


LIST_RULES = {
    "list.new": _new,
    "list.append": _append,
    "list.get": _get,
    "list.set": _set,
    "list.pop": _pop,
    "list.insert": _insert,
    "list.delete": _delete,
    "list.delete_slice": _delete_slice,
    "list.clear": _clear,
    "list.reverse": _reverse,
    "list.sort_by": _sort_by,
    "list.extend": _extend,
    "list.slice": _slice,
    "list.copy": _slice,
    "list.concat": _concat_lists,
    "list.stack": _stack,
    "list.concat_tensors": _concat,
}
