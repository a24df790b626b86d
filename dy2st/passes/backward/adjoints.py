"""Adjoints: the gradient of the result with respect to each Value, as far as it is known while a Block is walked backwards."""

from __future__ import annotations

from ...ir.core import Value
from ...ir.join import is_subtype
from ...ir.types import SumType, TensorType
from .emitter import Emitter


class Adjoints:
    """Those of one Block; of Values of the Blocks around it, only what this Block adds to them.

    by_path: the Values that a gradient reaches on some paths only.
    """

    def __init__(self, emit: Emitter):
        self.emit = emit
        self.known: dict[Value, Value] = {}
        self.by_path: set[Value] = set()

    def add(self, value: Value, gradient: Value) -> None:
        """Add to the adjoint of `value`."""
        before = self.known.get(value)
        if before is not None:
            name = "add" if isinstance(value.type, TensorType) else "adjoint.add"
            gradient = self.emit.op(name, before, self.fitted(gradient, value))
        self.known[value] = self.fitted(gradient, value)
        self.by_path.discard(value)

    def is_sure(self, value: Value) -> bool:
        """Whether a gradient reaches the value on every path."""
        return value in self.known and value not in self.by_path

    def fitted(self, gradient: Value, value: Value) -> Value:
        """`gradient`, as a Value of the type of the value that it belongs to, which it is at run time."""
        type_ = value.type
        if isinstance(gradient.type, SumType) and not isinstance(type_, SumType):
            index = next((i for i, t in enumerate(gradient.type.alternatives) if is_subtype(type_, t)), None)
            if index is not None:
                gradient = self.emit.core("sum.get", [gradient], [gradient.type.alternatives[index]], {"index": index}).result
        if is_subtype(gradient.type, type_):
            return gradient
        if not (isinstance(type_, TensorType) and isinstance(gradient.type, TensorType)):
            raise TypeError(f"a gradient of type {gradient.type} for a value of type {type_}")
        if is_static(type_):
            return self.emit.op("reshape", gradient, shape=list(type_.shape))  # type: ignore[arg-type]
        return self.emit.op("sum_like", gradient, value)

    def take(self, value: Value) -> Value | None:
        """The adjoint of `value`, which is complete; None where no gradient has arrived."""
        return self.known.pop(value, None)

    def take_all(self, values: list[Value]) -> list[Value | None]:
        """The adjoints of several Values."""
        return [self.take(v) for v in values]

    def zero(self, value: Value) -> Value:
        """The adjoint of a Value that nothing depends on."""
        type_ = value.type
        if not isinstance(type_, TensorType):
            return self.emit.op("adjoint.zeros", value)
        if is_static(type_):
            return self.emit.op("full", shape=list(type_.shape), fill_value=0.0, dtype=type_.dtype)  # type: ignore[arg-type]
        return self.emit.op("zeros_like", value)


def is_static(type_: TensorType) -> bool:
    """Whether the shape is known."""
    return type_.shape is not None and all(isinstance(d, int) for d in type_.shape)
