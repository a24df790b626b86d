"""Adjoints: the gradient of the result with respect to each Value, as far as it is known while a Block is walked backwards."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from ...ir.core import Block, Value
from ...ir.join import alternatives, is_subtype, join_types
from ...ir.types import NONE, SumType, TensorType
from .emitter import Emitter
from .residuals import is_static


class Arrival(NamedTuple):
    """A gradient, None where there is none; whether: the bool that says whether it arrives, None where it surely does."""

    gradient: Value | None
    whether: Value | None = None


class Adjoints:
    """Those of one Block; of Values of the Blocks around it, only what this Block adds to them.

    known: the adjoints; whether: of Values that a gradient reaches on some paths only, the bool that says so. kept: Values whose
    adjoints are still asked for once their operation has been walked.
    """

    def __init__(self, emit: Emitter, kept: Collection[Value] = ()):
        self.emit, self._kept = emit, frozenset(kept)
        self.known: dict[Value, Value] = {}
        self.whether: dict[Value, Value] = {}

    def add(self, value: Value, gradient: Value, whether: Value | None = None) -> None:
        """Add to the adjoint of `value`, surely or where `whether` says so."""
        before = self.known.get(value)
        if before is not None:
            gradient = total(self.emit, before, gradient, value)
            whether = self.either(self.whether.pop(value, None), whether)
        self.known[value] = fitted(self.emit, gradient, value)
        if whether is not None:
            self.whether[value] = whether

    def either(self, a: Value | None, b: Value | None) -> Value | None:
        """Whether one of two gradients arrives; None: surely."""
        if a is None or b is None or a is b:
            return a and b
        return self.emit.op("py.or", a, b)

    def is_sure(self, value: Value) -> bool:
        """Whether a gradient reaches the value on every path."""
        return value in self.known and value not in self.whether

    def arrives(self, value: Value) -> Value:
        """Whether a gradient reaches the value."""
        return self.whether.get(value) or self.emit.const(value in self.known)

    def take(self, value: Value) -> Arrival:
        """The adjoint of `value`, which is complete."""
        if value in self._kept:
            return Arrival(self.known.get(value), self.whether.get(value))
        return Arrival(self.known.pop(value, None), self.whether.pop(value, None))

    def complete(self, value: Value) -> Value:
        """The same, zeros where no gradient has arrived."""
        return self.known.get(value) or self.zero(value)

    def where_it_arrives(self, value: Value, gradient: Value) -> Value:
        """The adjoint of `value`, or the None that plain Python has where no gradient arrives."""
        whether = self.whether.get(value)
        if whether is None:
            return gradient
        type_ = join_types(gradient.type, NONE)
        blocks = [Block(), Block()]
        for block, of in zip(blocks, (gradient.type, NONE)):
            with self.emit.at(block):
                given = gradient if of is not NONE else self.emit.const(None)
                index = alternatives(type_).index(of)
                self.emit.core("yield", [self.emit.core("sum.make", [given], [type_], {"index": index}).result])
        return self.emit.core("if", [whether], [type_], None, blocks).result

    def zero(self, value: Value) -> Value:
        """The adjoint of a Value that nothing depends on."""
        type_ = value.type
        if not isinstance(type_, TensorType):
            return self.emit.op("adjoint.zeros", value)
        if is_static(type_):
            return self.emit.op("full", shape=list(type_.shape), fill_value=0.0, dtype=type_.dtype)  # type: ignore[arg-type]
        return self.emit.op("zeros_like", value)


def total(emit: Emitter, before: Value, gradient: Value, value: Value) -> Value:
    """The sum of two adjoints of a value."""
    return emit.op("add" if isinstance(value.type, TensorType) else "adjoint.add", before, fitted(emit, gradient, value))


def fitted(emit: Emitter, gradient: Value, value: Value) -> Value:
    """`gradient`, as a Value of the type of the value that it belongs to, which it is at run time."""
    type_ = value.type
    if isinstance(gradient.type, SumType) and not isinstance(type_, SumType):
        index = next((i for i, t in enumerate(gradient.type.alternatives) if is_subtype(type_, t)), None)
        if index is not None:
            gradient = emit.core("sum.get", [gradient], [gradient.type.alternatives[index]], {"index": index}).result
    if is_subtype(gradient.type, type_):
        return gradient
    if not (isinstance(type_, TensorType) and isinstance(gradient.type, TensorType)):
        raise TypeError(f"a gradient of type {gradient.type} for a value of type {type_}")
    if is_static(type_):
        return emit.op("reshape", gradient, shape=list(type_.shape))  # type: ignore[arg-type]
    return emit.op("sum_like", gradient, value)
