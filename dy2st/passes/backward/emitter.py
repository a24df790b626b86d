"""The mode in which the gradient rules of operators append Operations to a Block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...errors import DTypeError, Dy2stError
from ...ir.builder import InsertionPoint
from ...ir.core import Operation, Ref, Value, map_leaves, refs_unknown
from ...ir.types import BOOL, FLOAT, INT, NONE, STR, ScalarType, TensorType, Type
from ...ops import dispatch
from ...ops.registry import OpDef, infer_types, lookup
from ...runtime.proxies import SCALAR_PROXIES, Staged
from ...runtime.tensors.tensor import Tensor

_LITERALS: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, str: STR, type(None): NONE}


class Emitter(InsertionPoint, dispatch.Mode):
    """Appends to the innermost open Block. Operations get the location of the one whose gradient they compute."""

    records = True

    # --- Values in, Values out ---

    def op(self, name: str, *operands: Value, **attrs: Any) -> Any:
        """Append an operator: its result, or the list of several or none."""
        results = self._append(lookup(name), list(operands), attrs)
        return results[0] if len(results) == 1 else results

    def core(self, name: str, operands: Sequence[Value] = (), types: Iterable[Type] = (), attrs=None, blocks=()) -> Operation:
        """Append a core operation."""
        return self.blocks[-1].append(Operation(name, operands, attrs, types, blocks, self.loc, self.path))

    def const(self, value: Any) -> Value:
        """A Python scalar, str or None. DTypeError: something else, as a file may have it among attributes."""
        if type(value) not in _LITERALS:
            raise DTypeError(f"a gradient can't be computed with {type(value).__name__} where a number is expected")
        return self.core("const", (), [_LITERALS[type(value)]], {"value": value}).result

    def _append(self, definition: OpDef, values: list[Value], attrs: dict[str, Any]) -> list[Value]:
        count = len(values)

        def stored(leaf: Any) -> Any:
            if not isinstance(leaf, Staged | Tensor | Value):
                return leaf
            values.append(self.lower(leaf))
            return Ref(len(values) - 1)

        attrs = {key: map_leaves(value, stored) for key, value in attrs.items()}
        types = infer_types(definition, [v.type for v in values[:count]], refs_unknown(attrs))
        made = Operation(definition.name, values, attrs, types, (), self.loc, self.path, count)
        return self.blocks[-1].append(made).results

    # --- what gradient rules handle ---

    def bind(self, definition: OpDef, operands: tuple, attrs: dict[str, Any]) -> Any:
        """Append what a rule computes."""
        results = [self.wrap(v) for v in self._append(definition, [self.lower(x) for x in operands], attrs)]
        return results[0] if len(results) == 1 else tuple(results) if results else None

    def lower(self, x: Any) -> Value:
        """The Value of what a rule handles."""
        if isinstance(x, Tensor):
            return x._data
        return x if isinstance(x, Value) else x._value if isinstance(x, Staged) else self.const(x)

    def wrap(self, value: Value) -> Any:
        """What a rule handles for a Value: a Tensor, a staged scalar, or the scalar itself where it is known, None included."""
        if isinstance(value.type, TensorType):
            return Tensor(value)
        if value.type == NONE:
            return None
        known = self.known(value)
        if known is not None:
            return known
        return SCALAR_PROXIES[value.type](value) if isinstance(value.type, ScalarType) else value

    def known(self, value: Value) -> Any:
        """The scalar that a Value is, where it is known; None otherwise."""
        is_constant = isinstance(value.owner, Operation) and value.owner.name == "const"
        return value.owner.attrs["value"] if is_constant else None  # type: ignore[union-attr]

    def shape_of(self, tensor: Tensor) -> list:
        """The lengths of the axes, staged where they are open."""
        shape = tensor.static_shape
        if shape is None:
            raise Dy2stError("the rank of a tensor is known only at run time")
        return [d if isinstance(d, int) else lookup("py.dim")(tensor, axis=i) for i, d in enumerate(shape)]

    def refusal(self, staged: Any, use: str) -> str:
        """Why a gradient rule can't use a tensor's values while it is recorded."""
        return f"{use}: a gradient rule asks for values that are known only at run time"

    def new(self, value: Any) -> Any:
        """An object was made; nobody else will hold it."""
        return value
