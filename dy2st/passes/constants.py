"""Compute while compiling what depends on constants alone.

    def main(%x: float32[3]) -> float32[3]:      def main(%x: float32[3]) -> float32[3]:
      %0 = const value=2 : int                     %0 = const value=2 : int
      %1 = const value=3 : int                     %1 = const value=3 : int
      %2 = py.lt %0, %1 : bool             ->      %2 = const value=true : bool
      %y = if %2 : float32[3]                      %3 = tanh %x : float32[3]
        then:                                      return %3
          %3 = tanh %x : float32[3]
          yield %3
        else:
          yield %x
      return %y

1. An operator without effects on Python numbers becomes a `const`. One that raises stays, and raises when the Program runs.
2. One on 0-d tensors made of constants and never written becomes a `py.to_tensor` of a `const`: fresh memory, as before.
3. An `if` on a constant gives way to the branch it takes, unless that ends in `raise`.
4. A length that the type of a tensor tells becomes a `const`.
Results stay small: no operator on strings, and none whose number could have more than a few thousand bits, is tried.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from ..ir.core import Operation, Program, Value
from ..ir.types import BOOL, FLOAT, INT, ScalarType, TensorType
from ..ops.registry import OpDef
from .base import program_pass
from .memory import Memory, depends_on_operands_only, may_stand_for
from .rewriter import Instead, Rewriter, renewed

_BITS = 4096
_NUMBERS = {bool: BOOL, int: INT, float: FLOAT}
_EXACT = ("bool", "int64", "int32", "float32", "float64")  # their elements survive as Python numbers


@program_pass()
def constants(program: Program) -> bool:
    """Fold operators on constants and branches on constant conditions."""
    return _Folder(program).run(program)


class _Folder(Rewriter):
    def __init__(self, program: Program):
        super().__init__()
        self.program = program
        self.numbers: dict[Value, Any] = {}  # Python numbers known now
        self.tensors: dict[Value, np.ndarray] = {}  # 0-d tensors known now

    @cached_property
    def memory(self) -> Memory:
        """Asked for where a rule fits: in most Programs none does."""
        return Memory(self.program)

    def visit(self, op: Operation) -> Instead | None:
        if op.name == "const":
            if type(op.attrs["value"]) in _NUMBERS:
                self.numbers[op.result] = op.attrs["value"]
            return None
        if op.name == "if":
            return self._branch(op)
        if op.name == "py.dim":
            return _length(op)
        definition = depends_on_operands_only(op)
        if definition is None or op.name == "py.is" or len(op.results) != 1:
            return None
        if not op.operands or op.n_positional < len(op.operands):
            return None
        if all(v in self.numbers for v in op.operands):
            return self._number(op, definition)
        known = all(v in self.numbers or v in self.tensors for v in op.operands)
        return self._tensor(op, definition) if known else None

    def _number(self, op: Operation, definition: OpDef) -> Instead | None:
        """Case 1; and a tensor made of a number is known from here on."""
        values = [self.numbers[v] for v in op.operands]
        computed = None if _may_be_huge(op.name, values) else _computed(definition, values, op.attrs)
        if op.name != "py.to_tensor":
            return _instead_number(op, computed)
        if _is_exact_scalar(computed, op.result.type) and self.memory.is_stable(op.result):
            self.tensors[op.result] = np.asarray(computed)
        return None

    def _tensor(self, op: Operation, definition: OpDef) -> Instead | None:
        """Case 2, or a Python number taken out of a known tensor. A view is no memory of its own."""
        if definition.view is not None:
            return None
        values = [self.numbers[v] if v in self.numbers else self.tensors[v] for v in op.operands]
        computed = _computed(definition, values, op.attrs)
        if isinstance(op.result.type, ScalarType):
            return _instead_number(op, computed)
        if not _is_exact_scalar(computed, op.result.type) or not self.memory.is_stable(op.result):
            return None
        number, dtype = _const(op, np.asarray(computed).item()), op.result.type.dtype  # type: ignore[attr-defined]
        made = renewed(op, "py.to_tensor", number.results, {"dtype": dtype})
        number.result.name = ""
        return Instead(made.results, (number, made))

    def _branch(self, op: Operation) -> Instead | None:
        """Case 3."""
        if op.operands[0] not in self.numbers:
            return None
        taken = op.blocks[0 if self.numbers[op.operands[0]] else 1]
        end = taken.ops[-1]
        if end.name != "yield" or not all(may_stand_for(new, old.type) for new, old in zip(end.operands, op.results)):
            return None
        return Instead(end.operands, taken.ops[:-1])


def _length(op: Operation) -> Instead | None:
    """Case 4."""
    type_ = op.operands[0].type
    known = type_.shape[op.attrs["axis"]] if isinstance(type_, TensorType) and type_.shape is not None else None
    return _instead_number(op, known) if isinstance(known, int) else None


def _const(op: Operation, value: Any) -> Operation:
    made = Operation("const", (), {"value": value}, [_NUMBERS[type(value)]], loc=op.loc, path=op.path)
    made.result.name = op.results[0].name
    return made


def _instead_number(op: Operation, value: Any) -> Instead | None:
    """A `const` for a number of the declared class; a NaN has bits that a literal doesn't."""
    if _NUMBERS.get(type(value)) != op.result.type or _bits(value) > _BITS or value != value:
        return None
    made = _const(op, value)
    return Instead(made.results, (made,))


def _computed(definition: OpDef, values: list[Any], attrs: dict[str, Any]) -> Any:
    """The kernel's result, or None where it raises: then the Program raises it, when it comes there."""
    try:
        with np.errstate(all="ignore"):
            return definition.kernel(*values, **attrs)
    except Exception:
        return None


def _bits(value: Any) -> int:
    return value.bit_length() if isinstance(value, int) else 64


def _may_be_huge(name: str, values: list[Any]) -> bool:
    """Whether computing it could take long: asked before it is tried."""
    if name not in ("py.pow", "py.lshift") or not all(isinstance(v, int) for v in values):
        return False
    base, count = values
    return abs(count) * (max(_bits(base), 1) if name == "py.pow" else 1) > _BITS


def _is_exact_scalar(value: Any, type_: Any) -> bool:
    """Whether a 0-d result has the declared type and comes back bit by bit from a Python number."""
    if not isinstance(value, (np.ndarray, np.generic)) or not isinstance(type_, TensorType):
        return False
    if value.shape != () or type_.shape != () or value.dtype.name != type_.dtype or type_.dtype not in _EXACT:
        return False
    return value.dtype.kind != "f" or not math.isnan(value.item())
