"""The `g` of lowerings: a builder of nodes, graphs and checks that also makes tuples, numbers and sequences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...dtypes import DTYPES
from ...ir.core import UNKNOWN
from ...ir.spoken import spoken_type
from ...ir.types import BOOL, FLOAT, INT, NUMBER, STR, SequenceType, TensorType, Type
from . import coercion
from .arrays import rebuilt
from .checks import Checks
from .packed import Packed
from .scope import Scope
from .values import GraphValue

_BOUNDS = {name: (int(np.iinfo(name).min), int(np.iinfo(name).max)) for name, kind in DTYPES.items() if kind.is_integer}
_NUMBERS = {"int64": INT, "float64": FLOAT, "bool": BOOL}


class Writer(Checks):
    """The `g` of a lowering, `onnx=lambda g, x: ...`; an engine derives its own, which has the primitives.

    declared: the types that the Program declares for the results of the operation that is being written.
    lengths: the names of ints that are lengths of axes, or computed of some.
    """

    def __init__(self, scope: Scope):
        super().__init__(scope)
        self.declared: tuple[Any, ...] = ()
        self.lengths: set[str] = set()

    def value(self, x: Any, dtype: str | None = None) -> GraphValue:
        """As a Builder's; a number whose class follows the path is one of the dtype of the tensor that it meets."""
        if not isinstance(x, Packed):
            if isinstance(x, GraphValue) and x.is_number and dtype in _BOUNDS:
                self._check_bounds(x.as_tensor(), dtype)
            return super().value(x, dtype)
        if not x.is_number or dtype is None:
            self.refuse(f"{spoken_type(x.type)} is no tensor; tell its kinds apart by an if")
        kind, whole, real = x.leaves
        if not DTYPES[dtype].is_integer:
            return self.cast(real, dtype)
        is_float = self.Equal(kind, coercion.KINDS[FLOAT])
        self._check_bounds(whole, dtype)  # 0 of a float
        with self.only_if(is_float):
            self._check_bounds(real, dtype)
        return self.cast(self.Where(is_float, self.cast(real, "int64"), whole), dtype)

    def _check_bounds(self, x: GraphValue, dtype: str) -> None:
        """NumPy makes an int of a number that an integer dtype takes, and raises where that is none, or beyond the dtype."""
        least, most = _BOUNDS[dtype]
        if x.dtype == "float64":
            self.check(self.Not(self.IsNaN(x)), "ValueError", "cannot convert float NaN to integer")
            above = self.Greater(x, least - 1.0) if dtype != "int64" else self.GreaterOrEqual(x, float(least))
            within = self.And(above, self.Less(x, most + 1.0))
        elif x.dtype == "int64" and dtype != "int64":
            within = self.And(self.GreaterOrEqual(x, least), self.LessOrEqual(x, most))
        else:
            return
        known = x.item is not None and np.isfinite(x.item)
        told = f"Python integer {int(x.item)}" if known else "a Python integer is"
        self.check(within, "OverflowError", f"{told} out of bounds for {dtype}")

    def within_bounds(self, number: Any, dtype: str) -> Any:
        """A known number as an element of a dtype; where NumPy raises for it, a check fails, and 0 stands in its place."""
        if dtype not in _BOUNDS:
            return number
        self._check_bounds(self.const(number), dtype)
        least, most = _BOUNDS[dtype]
        return number if least <= number <= most else 0

    def known(self, x: Any) -> Any:
        """As a Builder's; of what is packed, none."""
        return None if isinstance(x, Packed) else super().known(x)

    def _int(self, item: Any) -> GraphValue:
        """As a Builder's; nothing tells whether a number whose class follows the path is an int."""
        if isinstance(item, Packed):
            self.refuse("an int is asked for, and on some path it may be a float or a bool: write int(...) of it")
        return super()._int(item)

    def number_dtype(self, x: Any) -> str | None:
        """As a Builder's; a number whose class follows the path is a float where an int is one, too."""
        return "float64" if isinstance(x, Packed) and x.is_number else super().number_dtype(x)

    def type_of(self, x: Any) -> Type:
        """The type that an operand has in the Program, as far as the graph knows it."""
        if isinstance(x, Packed):
            return x.type
        if x.dtype == "string":
            return STR
        return _NUMBERS[x.dtype] if x.is_number else TensorType(x.dtype, x.shape)

    def constant(self, x: Any) -> Any:
        """An operand or an attribute in native form where it is known, else UNKNOWN."""
        if not isinstance(x, GraphValue | Packed):
            return x
        arrays = [leaf.array for leaf in self.leaves_of(x)]
        return UNKNOWN if any(array is None for array in arrays) else rebuilt(self.type_of(x), arrays)

    def leaves_of(self, x: Any) -> list[GraphValue]:
        """The tensors that an operand is made of (`leaves.py`)."""
        return x.leaves if isinstance(x, Packed) else [x]

    def split(self, leaves: Sequence[GraphValue], types: Sequence[Type]) -> list[list[GraphValue]]:
        """The leaves of each of several values that lie one after the other."""
        return coercion.split(leaves, types)

    def packed(self, type_: Type, leaves: Sequence[GraphValue]) -> Packed:
        """A value of a type that is made of these tensors."""
        return Packed(self, type_, leaves)

    def joined(self, type_: Type, parts: Sequence[Any]) -> Packed:
        """A tuple, of a type, of operands."""
        return Packed(self, type_, [leaf for part in parts for leaf in self.leaves_of(part)])

    def sequence(self, type_: SequenceType, items: Sequence[Any]) -> Packed:
        """A sequence, of a type, of operands."""
        return Packed(self, type_, coercion.sequence(self, type_, [self.as_type(x, type_.elem).leaves for x in items]))

    def number(self, kind: GraphValue, whole: GraphValue, real: GraphValue) -> Packed:
        """A number whose class follows the path: `kind` is 0 for bool, 1 for int, 2 for float; then `whole` has to be 0."""
        return Packed(self, NUMBER, [kind, whole, real])

    def as_type(self, x: Any, type_: Type) -> Packed:
        """An operand where its place declares a wider type."""
        return Packed(self, type_, coercion.coerced(self, self.leaves_of(x), self.type_of(x), type_))

    def blank(self, type_: Type) -> Packed:
        """A value that nobody reads."""
        return Packed(self, type_, coercion.blanks(self, type_))

    def either(self, condition: GraphValue, yes: Callable[[], Any], no: Callable[[], Any], type_: Type) -> Any:
        """One of two values of a type, each computed only where it is the one."""
        found = self.branch(condition, *(lambda made=made: self.as_type(made(), type_).leaves for made in (yes, no)))  # type: ignore[misc]
        return Packed(self, type_, found).unpacked()
