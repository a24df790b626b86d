"""What gradients in the Program need of values of any structure: zeros like them, and sums.

    %s = adjoint.zeros %l        l holds (a, b)             ->     s holds (zeros like a, zeros like b)
                                 l is one sequence %l_now   ->     %s_1 = adjoint.zeros %l_now

A container in another value stands for itself. Shadows that are found by identity when the Program runs are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.core import Operation
from ...ir.types import ListType, ScalarType, TensorType
from .pure_types import has_references
from .refusals import refuse
from .state import Content, Run, mapped_content
from .things import Bundle, KnownSum, Location, Thing, mapped_thing

if TYPE_CHECKING:
    from .walk import Walk

_BY_IDENTITY = (
    "backward() goes through a dict, an object, a list in a list, or a list under several names, which has no counterpart: "
    "keep what the loss is computed from in tensors, tuples and lists of tensors"
)


def adjoint_operation(walk: Walk, op: Operation) -> list[Thing]:
    """What an operation of the family `adjoint` gives."""
    things = [walk.thing(v) for v in op.operands]
    if op.name == "adjoint.zeros":
        return [_of_container(walk, op, things[0])]
    if op.name == "adjoint.add":
        return [_sum(walk, op, *things)]
    raise refuse(op, _BY_IDENTITY)


def _of_container(walk: Walk, op: Operation, thing: Thing) -> Thing:
    """Zeros like a value; of a container, a new one of them."""
    if not isinstance(thing.type, ListType):
        return _zeros(walk, op, thing)
    return walk.new(thing.type, _zero_content(walk, op, walk.content(thing), thing.type))


def _zero_content(walk: Walk, op: Operation, content: Content, type_: ListType) -> Content:
    if not isinstance(content, Run):
        return mapped_content(lambda thing: _zeros(walk, op, thing), content)
    if has_references(type_.elem):
        raise refuse(op, _BY_IDENTITY)
    return content.moved(walk.make("adjoint.zeros", [content.value], content.value.type))


def _zeros(walk: Walk, op: Operation, thing: Thing) -> Thing:
    """Zeros like a value that lies in another."""
    if isinstance(thing, Bundle | KnownSum):
        return mapped_thing(lambda part: _zeros(walk, op, part), thing)
    if isinstance(thing, Location) or isinstance(thing.type, ScalarType):
        return thing
    value = walk.pure(thing)
    if has_references(thing.type):
        raise refuse(op, _BY_IDENTITY)
    return walk.make("zeros_like" if isinstance(value.type, TensorType) else "adjoint.zeros", [value], value.type)


def _sum(walk: Walk, op: Operation, a: Thing, b: Thing) -> Thing:
    """What has arrived in two ways."""
    if isinstance(a, Bundle) and isinstance(b, Bundle):
        return Bundle(a.type, tuple(_sum(walk, op, x, y) for x, y in zip(a.things, b.things)))
    if isinstance(a, Location) or isinstance(a.type, ScalarType):
        return a
    if has_references(a.type):
        raise refuse(op, _BY_IDENTITY)
    values = [walk.pure(a), walk.pure(b)]
    return walk.make("add" if isinstance(a.type, TensorType) else "adjoint.add", values, values[0].type)
