"""Python's operators and conversions on Tensors.

`x += y` makes a new tensor and binds the name to it, as in Paddle; `x.add_(y)` is the one that writes in place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops import compare, elementwise, linalg
from ..ops.python.tensors import only_element
from ..ops.registry import OpDef, lookup
from ..runtime.proxies import StagedNumber, deciding_number, on_kinds
from ..runtime.tensors.tensor import Tensor, need_index
from .checks import NUMBERS, describe, operands, scalar_kind, with_scalar
from .modes import PRINT_OPTIONS
from .tensor_methods import attach, tensor_method

_array = np.ndarray


def _fits(other: Any) -> bool:
    return isinstance(other, (Tensor, _array)) or scalar_kind(other) is not None


def _binary(
    definition: OpDef, name: str, reverse: str | None = None, fractions: bool = False, weak: bool = False, sequences: bool = False
) -> None:
    op = definition.name

    def other_operand(self: Tensor, other: Any) -> Any:
        if sequences and isinstance(other, str | list | tuple | bytes) and not self.dtype.is_integer:
            raise TypeError(f"{op} takes a Tensor or a number, not {describe(other)}")
        repeated = sequences and self.is_staged and isinstance(other, list | str)
        return lookup("py.item")(self) * other if repeated else NotImplemented

    def forward(self: Tensor, other: Any) -> Tensor:
        if type(other) in NUMBERS:
            return definition(*with_scalar(op, self, other, fractions, weak))
        if type(other) is StagedNumber and not weak and deciding_number((self, other)) is other:
            return on_kinds(other, lambda x: forward(self, x))
        return definition(*operands(op, self, other, fractions, weak)) if _fits(other) else other_operand(self, other)

    def backward(self: Tensor, other: Any) -> Tensor:
        if type(other) in NUMBERS:
            return definition(*reversed(with_scalar(op, self, other, fractions, weak)))
        if type(other) is StagedNumber and deciding_number((self, other)) is other:
            return on_kinds(other, lambda x: backward(self, x))
        return definition(*operands(op, other, self, fractions, weak)) if _fits(other) else other_operand(self, other)

    attach(forward, name)
    if reverse:
        attach(backward, reverse)


_binary(elementwise.add, "__add__", "__radd__")
_binary(elementwise.subtract, "__sub__", "__rsub__")
_binary(elementwise.multiply, "__mul__", "__rmul__", sequences=True)
_binary(elementwise.divide, "__truediv__", "__rtruediv__", fractions=True)
_binary(elementwise.floor_divide, "__floordiv__", "__rfloordiv__")
_binary(elementwise.remainder, "__mod__", "__rmod__")
_binary(elementwise.power, "__pow__", "__rpow__")


@tensor_method("__matmul__")
def _matmul(self: Tensor, other: Any) -> Tensor:
    fits = isinstance(other, (Tensor, _array))
    return linalg.matmul(*operands("matmul", self, other)) if fits else NotImplemented  # type: ignore[return-value]


@tensor_method("__rmatmul__")
def _rmatmul(self: Tensor, other: Any) -> Tensor:
    fits = isinstance(other, (Tensor, _array))  # a Tensor stands for one of another library
    return linalg.matmul(*operands("matmul", other, self)) if fits else NotImplemented  # type: ignore[return-value]


_binary(compare.equal, "__eq__", weak=True)
_binary(compare.not_equal, "__ne__", weak=True)
_binary(compare.less_than, "__lt__", weak=True)
_binary(compare.less_equal, "__le__", weak=True)
_binary(compare.greater_than, "__gt__", weak=True)
_binary(compare.greater_equal, "__ge__", weak=True)
_binary(compare.bitwise_and, "__and__", "__rand__")
_binary(compare.bitwise_or, "__or__", "__ror__")
_binary(compare.bitwise_xor, "__xor__", "__rxor__")


@tensor_method("__neg__")
def _neg(self: Tensor) -> Tensor:
    return elementwise.negative(self)


@tensor_method("__pos__")
def _pos(self: Tensor) -> Tensor:
    return self


@tensor_method("__invert__")
def _invert(self: Tensor) -> Tensor:
    return compare.bitwise_not(self)


def _only(self: Tensor, use: str) -> Any:
    """The only element as a Python number."""
    return only_element(self._array(use), use)


@tensor_method("__bool__")
def _bool(self: Tensor) -> bool:
    return bool(_only(self, "bool(x)"))


@tensor_method("__int__")
def _int(self: Tensor) -> int:
    return int(_only(self, "int(x)"))


@tensor_method("__float__")
def _float(self: Tensor) -> float:
    return float(_only(self, "float(x)"))


@tensor_method("__complex__")
def _complex(self: Tensor) -> complex:
    return complex(_only(self, "complex(x)"))


@tensor_method("__index__")
def _index(self: Tensor) -> int:
    need_index(self)
    return int(_only(self, "an index or a length"))


@tensor_method("__len__")
def _len(self: Tensor) -> int:
    if self.type.rank == 0:
        raise TypeError("len() of a 0-d tensor")
    length = self.shape[0]
    return length if isinstance(length, int) else len(self._array("len(x)"))


@tensor_method("__contains__")
def _contains(self: Tensor, value: Any) -> bool:
    found = self == value
    return isinstance(found, Tensor) and bool(found._array("value in x").any())


@tensor_method("__repr__")
def _repr(self: Tensor) -> str:
    if self.is_staged:
        return f"Tensor(staged {self.type}{f', name={self.name}' if self.name else ''})"
    head = f"Tensor(shape={self.shape}, dtype={self.dtype.name}, place=Place(cpu), stop_gradient={self.stop_gradient},\n"
    shown = self._data.astype(np.float32) if self.dtype.name == "bfloat16" else self._data
    with np.printoptions(**PRINT_OPTIONS):
        return f"{head}       {np.array2string(shown, separator=', ', prefix='       ')})"


@tensor_method("__str__")
def _str(self: Tensor) -> str:
    self._array("str(x)")
    return repr(self)


@tensor_method("__format__")
def _format(self: Tensor, spec: str) -> str:
    self._array("format(x)")
    return format(_only(self, "format(x)"), spec) if spec else str(self)
