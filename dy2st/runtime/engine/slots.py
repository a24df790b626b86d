"""The buffers in which large temporaries of a function live: decided while its source is written.

A tensor may live in one if plain operators compute it and all views of it, and if these stay in the function. They may lie in no
container, result or loop variable. Its buffer serves again when the last of them has ended.
"""

from __future__ import annotations

import math

import numpy as np

from ...ir.core import Function, Operation, Value
from ...ir.types import TensorType
from ...ops.registry import OPERATORS
from .aliases import TensorAliases
from .buffers import LARGE, Segment
from .known_types import KnownTypes

_ALIGNED = 64  # bytes: a line of the cache


class Slots:
    """The memory of one function that is kept between calls.

    parts: what a set of it consists of; dims: variable -> its text, for the lengths of the function's arguments that shapes are
    written with.
    """

    def __init__(self, function: Function, aliases: TensorAliases, types: KnownTypes):
        self.parts: list[str | Segment] = []
        self.dims: dict[str, str] = {}
        self._aliases = aliases
        self._type = types
        self._lengths = types.lengths[function]
        self._free: list[tuple[str, str, int]] = []  # of Buffers: dtype, text of the shape, slot
        self._shapes: dict[int, str] = {}
        self._holders: dict[int, set[Value]] = {}
        self._slot: dict[Value, int] = {}

    def take(self, value: Value) -> str | None:
        """The text of an array for `value` in that memory; None where it can't live there, or need not."""
        type_ = self._type(value)
        group = self._group(value)
        if not isinstance(type_, TensorType) or group is None:
            return None
        shape = self._shape_text(type_)
        if shape is None:
            return None
        is_known = all(isinstance(dim, int) for dim in type_.shape or ())
        slot = self._segment(type_) if is_known else self._buffer(type_.dtype, shape)
        self._occupy(slot, group)
        return f"b[{slot}]" if is_known else f"b[{slot}]({shape})"

    def may_take_over(self, operand: Value, result: Value) -> bool:
        """Whether `result` may lie where `operand` does: anywhere outside the buffers, or if it may live in one."""
        return operand not in self._slot or self._group(result) is not None

    def take_over(self, operand: Value, result: Value) -> None:
        """`result` lies where `operand` does."""
        slot = self._slot.get(operand)
        if slot is not None:
            self._occupy(slot, self._holders[slot] | (self._group(result) or set()))

    def release(self, value: Value) -> None:
        """`value` has ended."""
        slot = self._slot.get(value)
        if slot is not None and value in self._holders[slot]:
            self._holders[slot].discard(value)
            part = self.parts[slot]
            if not self._holders[slot] and isinstance(part, str):
                self._free.append((part, self._shapes[slot], slot))

    def is_large(self, value: Value) -> bool:
        """Whether `value` may be a large array that an operator has made, and that needn't lie in a buffer."""
        type_ = self._type(value)
        if not _computed(value) or not isinstance(type_, TensorType) or (value in self._slot and not _may_copy(value)):
            return False
        return type_.shape is None or _nbytes(type_) >= LARGE

    def variables(self) -> list[str]:
        """The local variables that the texts so far read."""
        return ["b", *self.dims] if self.parts else []

    # --- where a value may live ---

    def _group(self, value: Value) -> set[Value] | None:
        """`value` and its views; None where anything else may hold that memory."""
        members = self._aliases.members(value)
        return members if members is not None and all(map(_computed, members)) else None

    def _buffer(self, dtype: str, shape: str) -> int:
        """A free Buffer, best one of this very shape; or a new one."""
        same = [entry for entry in self._free if entry[0] == dtype]
        if not same:
            self.parts.append(dtype)
            self._shapes[len(self.parts) - 1] = shape
            return len(self.parts) - 1
        entry = next((entry for entry in same if entry[1] == shape), same[-1])
        self._free.remove(entry)
        self._shapes[entry[2]] = shape
        return entry[2]

    def _segment(self, type_: TensorType) -> int:
        """The Segment for an array of known shape: in the smallest gap between those in use that it fits in, else behind them."""
        size, at, gaps = _nbytes(type_), 0, []
        in_use = (part for slot, part in enumerate(self.parts) if self._holders[slot] and isinstance(part, Segment))
        for start, end in sorted((part.start, part.end) for part in in_use):
            if start - at >= size:
                gaps.append((start - at, at))
            at = max(at, -(-end // _ALIGNED) * _ALIGNED)
        segment = Segment(type_.dtype, tuple(type_.shape or ()), min(gaps)[1] if gaps else at)  # type: ignore[arg-type]
        if segment in self.parts:
            return self.parts.index(segment)
        self.parts.append(segment)
        return len(self.parts) - 1

    def _occupy(self, slot: int, values: set[Value]) -> None:
        self._holders[slot] = set(values)
        self._slot.update(dict.fromkeys(values, slot))

    # --- shapes ---

    def _shape_text(self, type_: TensorType) -> str | None:
        """The shape as source; None where a length isn't known when the function begins, or all are and it is small."""
        if not type_.shape or any(dim is None or (isinstance(dim, str) and dim not in self._lengths) for dim in type_.shape):
            return None
        if _nbytes(type_) < LARGE:
            return None
        lengths = [str(dim) if isinstance(dim, int) else self._variable(dim) for dim in type_.shape]  # type: ignore[arg-type]
        return f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"

    def _variable(self, dim: str) -> str:
        text = self._lengths[dim]
        for name, known in self.dims.items():
            if known == text:
                return name
        name = f"d{len(self.dims)}"
        self.dims[name] = text
        return name


def _nbytes(type_: TensorType) -> float:
    """Bytes of a tensor of known rank; infinite where a length is open."""
    return np.dtype(type_.dtype).itemsize * math.prod(dim if isinstance(dim, int) else math.inf for dim in type_.shape or ())


def _may_copy(value: Value) -> bool:
    """Whether a computed Value is a view, or a copy where its base doesn't lie in rows."""
    view = OPERATORS[value.owner.name].view  # type: ignore[union-attr]
    return view is not None and view.may_copy


def _computed(value: Value) -> bool:
    """Whether an operator of the registry gives `value`."""
    return isinstance(value.owner, Operation) and value.owner.name in OPERATORS
