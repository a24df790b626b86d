"""The builder of nodes: `g.Relu(x)` adds a node, and returns its value.

    relu = define("relu", ..., onnx=lambda g, x: g.Relu(x))

Every operator of ONNX is a method of its name: inputs by position, attributes by keyword; None is an input that is left out. A
Python number or an array among the inputs is a constant, of the dtype of the tensors that it meets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from ...dtypes import BY_NUMPY, DTYPES
from ...ir.core import Loc
from ...ir.types import NONE
from ...ops.complex_numbers import NO_COMPLEX
from ...ops.rules import REAL_OF
from .lengths import Length, Lengths
from .primitives import Primitives
from .refusal import InexpressibleError, NeedsOpsetError
from .scope import Scope
from .values import ELEMENTS, Array, GraphValue


class Builder(Lengths, Primitives):
    """Writes nodes in the innermost graph that is open: values, constants and dtypes of operands.

    label: what the names of nodes begin with, the operator and the user's line. loc: that line.
    """

    def __init__(self, scope: Scope):
        self.scopes = [scope]
        self.label = ""
        self.loc: Loc | None = None
        self.row_of: dict[str, tuple[GraphValue, int]] = {}  # name of a tensor -> the tensor whose row it is, and which
        self._vectors: dict[str, GraphValue] = {}  # name of a length, int64[] -> the same as int64[1]

    @property
    def scope(self) -> Scope:
        """The innermost graph."""
        return self.scopes[-1]

    @contextmanager
    def labelled(self, end: str) -> Iterator[None]:
        """Nodes are called so, with this behind it."""
        label, self.label = self.label, f"{self.label}{end}"
        try:
            yield
        finally:
            self.label = label

    def __getattr__(self, operator: str) -> Callable[..., Any]:
        if not operator[:1].isupper():
            raise AttributeError(operator)
        return partial(self.node, operator)

    def value(self, x: Any, dtype: str | None = None) -> GraphValue:
        """A value of the graph: itself, or a constant made of a Python number or an array; a number is cast to `dtype`."""
        if isinstance(x, GraphValue):
            return self.cast(x, dtype) if x.is_number and dtype else x
        return self.const(x, dtype)

    def ints(self, items: Any) -> GraphValue:
        """A tensor int64[n] of ints that are known or not; a tensor of ints of one axis stays as it is."""
        if isinstance(items, GraphValue):
            return self.Reshape(self.cast(items.as_tensor(), "int64"), [-1])
        known = [None if isinstance(item, Length) else self.known(item) for item in items]
        if None not in known:
            return self.const(np.asarray(known, np.int64))
        parts = [self._int(item) if found is None else self.const([int(found)]) for item, found in zip(items, known)]
        return parts[0] if len(parts) == 1 else self.Concat(*parts, axis=0)

    def _int(self, item: Any) -> GraphValue:
        """An int that only the run knows, as int64[1]."""
        if isinstance(item, Length):
            return item.value
        item = self._vectors.get(item.name, item)
        return self.cast(item, "int64") if item.shape == (1,) else self.Reshape(self.cast(item, "int64"), [1])

    def known(self, x: Any) -> Any:
        """The Python number that an attribute or a constant is; None where only the run tells."""
        return x.item if isinstance(x, GraphValue) else x

    def is_none(self, x: Any) -> bool:
        """Whether an operand is the Program's None."""
        return x is None or getattr(x, "type", None) == NONE

    def fixed(self, x: Any, what: str) -> Any:
        """The Python number that an attribute or a constant is. InexpressibleError: only the run tells `what`."""
        number = self.known(x)
        if number is None and x is not None:
            raise InexpressibleError(f"{what} is known only when it runs; write an if for each value that it may have")
        return number

    def cast(self, x: GraphValue, dtype: str | None) -> GraphValue:
        """`x` in another dtype, as a tensor; itself where that is its own, or None."""
        if dtype is None or x.dtype == dtype:
            return x.as_tensor()
        if x.array is not None and "string" not in (dtype, x.dtype):
            return self.const(x.array.astype(DTYPES[dtype].numpy))
        return self.node("Cast", x.as_tensor(), to=self.element(dtype))

    def alike(self, *operands: Any) -> list[GraphValue]:
        """Tensors and numbers as tensors of one dtype: that of the first tensor."""
        dtype = next(x.dtype for x in operands if isinstance(x, GraphValue) and not x.is_number)
        return [self.cast(self.value(x, dtype), dtype) for x in operands]

    def number_dtype(self, x: Any) -> str | None:
        """The dtype of a Python number: bool, int64 or float64; None of a tensor."""
        return None if isinstance(x, GraphValue) and not x.is_number else own_dtype(x)

    def shape_of(self, x: GraphValue) -> GraphValue:
        """The lengths of `x`, int64[rank]; a constant where they are known."""
        if isinstance(x.type, Array) and x.type.is_fixed:
            return self.const(np.asarray(x.shape, np.int64).reshape(-1))
        return self.Shape(x)

    def length(self, x: GraphValue, axis: int) -> GraphValue:
        """The length of an axis, int64[]."""
        if x.shape is not None and isinstance(x.shape[axis], int):
            return self.const(x.shape[axis])
        found = self.Shape(x, start=axis, end=axis + 1 or None)
        number = self.Squeeze(found, [0])
        self._vectors[number.name] = found
        return number

    def rank_of(self, x: GraphValue) -> int:
        """The number of axes. InexpressibleError: it isn't known."""
        if x.rank is None:
            raise InexpressibleError("the number of axes isn't known before it runs; give the InputSpec a shape, or reshape")
        return x.rank

    def reduce(self, operator: str, x: GraphValue, axes: Any, keepdims: bool = False) -> GraphValue:
        """A Reduce operator over `axes`, ints; None: over all of them. Before opset 18 most of them are attributes."""
        keep = int(keepdims)
        if axes is None:
            return self.node(operator, x, keepdims=keep)
        if operator == "ReduceSum" or self.opset >= 18:
            found = self.node(operator, x, self.ints(axes), keepdims=keep)
        else:
            found = self.node(operator, x, axes=[self.fixed(axis, "an axis") for axis in axes], keepdims=keep)
        return self.as_left(found, x, axes, keepdims)

    def place(self, operator: str, x: GraphValue, axis: int, keepdims: bool = False) -> GraphValue:
        """ArgMax or ArgMin along one axis."""
        return self.as_left(self.node(operator, x, axis=axis, keepdims=int(keepdims)), x, [axis], keepdims)

    def cut(self, x: GraphValue, axis: int, start: int, stop: int) -> GraphValue:
        """The elements of `x` from `start` to `stop` along an axis."""
        length = None if x.shape is None else x.shape[axis]
        return self.Slice(x, [start], [min(stop, length) if isinstance(length, int) else stop], [axis], [1])

    def stacked(self, items: Sequence[GraphValue]) -> list[GraphValue]:
        """Tensors as rows along a new first axis, in parts that are to be joined: rows of a tensor are a stretch of it."""
        parts: list[GraphValue] = []
        k = 0
        while k < len(items):
            source, first = self.row_of.get(items[k].name, (None, 0))
            count = 1
            while source is not None and k + count < len(items) and self._is_row(items[k + count], source, first + count):
                count += 1
            if source is None or count == 1:
                parts.append(self.Unsqueeze(items[k], [0]))
            else:
                is_whole = first == 0 and source.shape is not None and source.shape[0] == count
                parts.append(source if is_whole else self.cut(source, 0, first, first + count))
            k += count
        return parts

    def _is_row(self, x: GraphValue, source: GraphValue, number: int) -> bool:
        found, place = self.row_of.get(x.name, (None, 0))
        return found is not None and found.name == source.name and place == number

    def element(self, dtype: str) -> int:
        """The number of a dtype in ONNX, as attributes have it. InexpressibleError: graphs don't compute with it."""
        if dtype in REAL_OF:
            raise InexpressibleError(NO_COMPLEX)
        return ELEMENTS[dtype]

    def rows_joined(self, a: GraphValue, b: GraphValue) -> GraphValue | None:
        """The rows of two tensors that stand for lists; None of sequences of tensors."""
        return None if a.is_sequence else self.Concat(a, b, axis=0)

    def integers(self, shape: Any, first: GraphValue, end: GraphValue) -> GraphValue:
        """Integers from `first` up to but not including `end`, int64[], of a shape.

        InexpressibleError: these are known, and lie too far apart.
        """
        if None not in (first.item, end.item) and end.item - first.item > 2**53:
            self.refuse("floats, of which integers are drawn, tell 2 ** 53 apart: draw two numbers, and put them together")
        low, high = (self.cast(x, "float64") for x in (first, end))
        drawn = self.Floor(self.Mul(self.draw("RandomUniform", shape, "float64"), self.Sub(high, low)))
        return self.cast(self.Add(drawn, low), "int64")

    def need(self, opset: int, what: str) -> None:
        """NeedsOpsetError where the model's opset is older than the first in which `what` has a form."""
        if self.opset < opset:
            raise NeedsOpsetError(opset, what)


def own_dtype(x: Any) -> str:
    """The dtype of a number or an array that meets no tensor."""
    return x.dtype if isinstance(x, GraphValue) else BY_NUMPY[np.asarray(x).dtype].name
