"""Algebra, where it gives the same bits.

    def main(%x: float32[3,4]) -> float32[4,3]:            def main(%x: float32[3,4]) -> float32[4,3]:
      %0 = const value=1 : int                               %0 = tanh %x : float32[3,4]
      %1 = multiply %x, %0 : float32[3,4]                    %1 = transpose %0, perm=[1, 0] : float32[4,3]
      %2 = tanh %1 : float32[3,4]                     ->     return %1
      %3 = transpose %2, perm=[1, 0] : float32[4,3]
      %4 = transpose %3, perm=[1, 0] : float32[3,4]
      %5 = transpose %4, perm=[1, 0] : float32[4,3]
      return %5

1. On tensors of integers, and on Python ints: x + 0, x - 0, x * 1, x // 1.
   On tensors of floats, and on Python floats: x - 0, x * 1, x / 1 and x + -0.0. Not x + 0.0, for x = -0.0.
2. -(-x), not not x.
3. A transpose of a transpose is one, or none. A reshape of a reshape is the outer one, where lengths are known.
4. A cast to the same dtype is none; a cast of a cast is the outer one, where the inner one loses nothing.

A tensor takes the place of a copy of it only where neither is ever written and nobody can tell them apart.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

from ..dtypes import DTYPES
from ..ir.core import Operation, Program, Value
from ..ir.types import FLOAT, INT, TensorType
from .base import program_pass
from .memory import Memory, cannot_raise, may_stand_for
from .rewriter import Instead, Rewriter, renewed

# operator -> the operand that changes nothing, for integers and for floats; on the right, or for the commutative on either side
_NEUTRAL: dict[str, tuple[Any, Any]] = {
    "add": (0, -0.0),
    "subtract": (0, 0.0),
    "multiply": (1, 1.0),
    "divide": (None, 1.0),
    "floor_divide": (1, None),
    "py.add": (0, -0.0),
    "py.sub": (0, 0.0),
    "py.mul": (1, 1.0),
    "py.floordiv": (1, None),
}
_COMMUTATIVE = ("add", "multiply", "py.add", "py.mul")
_INVOLUTIONS = ("neg", "logical_not", "py.neg", "py.not")
_MANTISSA = {"float16": 11, "float32": 24, "float64": 53}  # bits of an integer that a float holds


@program_pass()
def simplify(program: Program) -> bool:
    """Leave out operations that change no bit, and put two that undo or repeat each other into one."""
    return _Simplifier(program).run(program)


class _Simplifier(Rewriter):
    def __init__(self, program: Program):
        super().__init__()
        self.program = program

    @cached_property
    def memory(self) -> Memory:
        """Asked for where a rule fits: in most Programs none does."""
        return Memory(self.program)

    def visit(self, op: Operation) -> Instead | None:
        if op.name in _NEUTRAL:
            return self._neutral(op)
        if op.name in _INVOLUTIONS:
            return self._twice(op)
        rule = _RULES.get(op.name)
        return rule(self, op) if rule else None

    def _same(self, op: Operation, value: Value) -> Instead | None:
        """`value` in place of a copy of it, where that can't be told."""
        if not may_stand_for(value, op.result.type):
            return None
        return Instead([value]) if self.memory.is_anonymous(op.result) and self.memory.is_stable(value) else None

    def _neutral(self, op: Operation) -> Instead | None:
        """Case 1."""
        x, other = op.operands
        if _is_neutral(op.name, other, x):
            return self._same(op, x)
        if op.name in _COMMUTATIVE and _is_neutral(op.name, x, other):
            return self._same(op, other)
        return None

    def _twice(self, op: Operation) -> Instead | None:
        """Case 2."""
        inner = _made_by(op.operands[0], op.name)
        if inner is None or not self.memory.is_stable(inner.result):
            return None
        return self._same(op, inner.operands[0])

    def _transpose(self, op: Operation) -> Instead | None:
        """Case 3. Both are views of one memory, so only identity may not be asked."""
        inner = _made_by(op.operands[0], "transpose")
        if inner is None:
            return None
        perm = [inner.attrs["perm"][p] for p in op.attrs["perm"]]
        if perm == list(range(len(perm))):
            return self._same(op, inner.operands[0])
        return self._instead(op, inner.operands[0], {"perm": perm})

    def _reshape(self, op: Operation) -> Instead | None:
        """Case 3. One of the two may copy, the one in their place may not."""
        inner = _made_by(op.operands[0], "reshape")
        if inner is None or not (cannot_raise(inner) and self.memory.is_anonymous(op.result)):
            return None
        return self._instead(op, inner.operands[0], op.attrs) if op.n_positional == len(op.operands) else None

    def _cast(self, op: Operation) -> Instead | None:
        """Case 4."""
        x, dtype = op.operands[0], op.attrs["dtype"]
        if x.type.dtype == dtype:  # type: ignore[attr-defined]
            return self._same(op, x)
        inner = _made_by(x, "cast")
        if inner is None or not self.memory.is_stable(x) or not self.memory.is_stable(inner.operands[0]):
            return None
        start = inner.operands[0].type.dtype  # type: ignore[attr-defined]
        if not _loses_nothing(start, inner.attrs["dtype"]) or _follows_the_way(start, dtype):
            return None
        if start == dtype:
            return self._same(op, inner.operands[0])
        return self._instead(op, inner.operands[0], op.attrs)

    def _instead(self, op: Operation, x: Value, attrs: dict[str, Any]) -> Instead:
        made = renewed(op, op.name, [x], attrs)
        return Instead(made.results, [made])


_RULES = {"transpose": _Simplifier._transpose, "reshape": _Simplifier._reshape, "cast": _Simplifier._cast}


def _made_by(value: Value, name: str) -> Operation | None:
    """The operation called `name` that gave `value`."""
    op = value.owner
    return op if isinstance(op, Operation) and op.name == name else None


def _is_neutral(name: str, value: Value, x: Value) -> bool:
    """Whether `value` is the constant that leaves every bit of `x` as it is."""
    op = _made_by(value, "const")
    if op is None or type(op.attrs["value"]) not in (int, float):
        return False
    given, is_float = op.attrs["value"], x.type == FLOAT
    if isinstance(x.type, TensorType):
        dtype = DTYPES[x.type.dtype]
        is_float = dtype.is_floating
        if not (is_float or dtype.is_integer):
            return False
    elif x.type not in (INT, FLOAT):
        return False
    neutral = _NEUTRAL[name][is_float]
    if neutral is None or given != neutral or (type(given) is float and not is_float):
        return False
    # An int 0 is +0.0 beside a float: x - 0 leaves a -0.0, x + 0 doesn't.
    return math.copysign(1, given) == math.copysign(1, neutral)


def _loses_nothing(start: str, end: str) -> bool:
    """Whether every element of dtype `start` is one of dtype `end`."""
    a, b = DTYPES[start].numpy, DTYPES[end].numpy
    if a.kind == "b" or start == end:
        return True
    if b.kind == "f":
        if a.kind == "f":
            return a.itemsize <= b.itemsize
        return a.kind in "iu" and a.itemsize * 8 <= _MANTISSA.get(end, 0)
    if a.kind == "u" and b.kind in "iu":
        return a.itemsize < b.itemsize or b.kind == "u" and a.itemsize == b.itemsize
    return a.kind == "i" == b.kind and a.itemsize <= b.itemsize


def _follows_the_way(start: str, end: str) -> bool:
    """Whether a cast may give other bits by way of a wider dtype: floats beyond an integer's range, integers rounded twice."""
    a, b = DTYPES[start].numpy.kind, DTYPES[end].numpy.kind
    return a == "f" and b in "iu" or a in "iu" and end == "float16"
