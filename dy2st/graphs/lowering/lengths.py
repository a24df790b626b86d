"""Lengths of axes in lowerings: ints where they are known, else a `Length`, with which one computes as with ints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import numpy as np

from .faults import OF_LENGTHS
from .refusal import InexpressibleError
from .values import GraphValue


class Length:
    """An int that only the run knows.

    value: int64[1], so that a shape is such values one behind the other. name: that of the dim in types, if it has one.
    """

    def __init__(self, g: Any, value: GraphValue, name: str | None = None):
        self.g, self.value, self.name = g, value, name

    def _with(self, operator: str, a: Any, b: Any) -> Length:
        first, second = (x.value if isinstance(x, Length) else self.g.const([x]) for x in (a, b))
        return Length(self.g, self.g.node(operator, first, second))

    def __add__(self, other: Any) -> Length:
        return self if other == 0 else self._with("Add", self, other)

    def __radd__(self, other: Any) -> Length:
        return self + other

    def __sub__(self, other: Any) -> Length:
        return self if other == 0 else self._with("Sub", self, other)

    def __rsub__(self, other: Any) -> Length:
        return self._with("Sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return self if other == 1 else 0 if other == 0 else self._with("Mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __mod__(self, other: Any) -> Length:
        return self._with("Mod", self, other)

    def __floordiv__(self, other: Any) -> Length:
        return self if other == 1 else self._with("Div", self - self % other, other)  # Div rounds towards 0

    def __neg__(self) -> Length:
        return 0 - self

    def at_most(self, other: Any) -> Length:
        """The smaller of the two."""
        return self._with("Min", self, other)

    def at_least(self, other: Any) -> Length:
        """The larger of the two."""
        return self._with("Max", self, other)


class Lengths:
    """Methods of a builder for lengths and shapes."""

    def refuse(self: Any, why: str) -> NoReturn:
        """InexpressibleError: `why` there is no form, and what to write instead."""
        raise InexpressibleError(why)

    def dims(self: Any, x: GraphValue) -> list[Any]:
        """The lengths of the axes: ints and `Length`s. InexpressibleError: their number isn't known."""
        return [self.dim(x, axis) for axis in range(self.rank_of(x))]

    def dim(self: Any, x: GraphValue, axis: int) -> Any:
        """The length of one axis, which may be counted from the end."""
        dim = None if x.shape is None else x.shape[axis]
        return dim if isinstance(dim, int) else Length(self, self.Shape(x, start=axis, end=axis + 1 or None), dim)

    def whole(self: Any, number: Any) -> Any:
        """An int of an attribute: itself, or a `Length` where only the run knows it."""
        if isinstance(number, Length):
            return number
        known = self.known(number)
        return Length(self, self.ints([number])) if known is None else int(known)

    def scalar(self: Any, number: Any) -> GraphValue:
        """An int of an attribute, or a `Length`, as int64[]."""
        if isinstance(number, GraphValue) and number.shape == () and number.item is None:
            return self.cast(number, "int64")
        whole = self.whole(number)
        return self.Squeeze(whole.value, [0]) if isinstance(whole, Length) else self.const(whole)

    def least(self: Any, a: Any, b: Any) -> Any:
        """The smaller of two lengths."""
        return a.at_most(b) if isinstance(a, Length) else b.at_most(a) if isinstance(b, Length) else min(a, b)

    def most(self: Any, a: Any, b: Any) -> Any:
        """The larger of two lengths."""
        return a.at_least(b) if isinstance(a, Length) else b.at_least(a) if isinstance(b, Length) else max(a, b)

    def product(self: Any, dims: Iterable[Any]) -> Any:
        """The product of lengths."""
        dims = list(dims)
        found: Any = math.prod(d for d in dims if not isinstance(d, Length))
        for dim in dims:
            if isinstance(dim, Length):
                found = dim * found
        return found

    def counting(self: Any, stop: Any) -> GraphValue:
        """0, 1, ... up to `stop`, which is left out: int64[stop]."""
        if isinstance(stop, Length):
            return self.Range(self.const(0), self.scalar(stop), self.const(1))
        return self.const(np.arange(stop)) if stop <= 64 else self.Range(self.const(0), self.const(stop), self.const(1))

    def reshaped(self: Any, x: GraphValue, dims: Sequence[Any]) -> GraphValue:
        """`x` with lengths that have as many elements; 0 is none."""
        known = [d for d in dims if not isinstance(d, Length)]
        if len(known) == len(dims) - 1 and 0 not in known:
            return self.Reshape(x, [-1 if isinstance(d, Length) else d for d in dims])
        return self.Reshape(x, self.ints(dims), allowzero=1 if len(known) < len(dims) or 0 in known else None)

    def as_left(self: Any, found: GraphValue, x: GraphValue, axes: Sequence[Any], keepdims: bool) -> GraphValue:
        """`found`, a reduction of `x` over `axes`, with the lengths that this leaves.

        onnxruntime before 1.32 gives an empty result the lengths of `x`; what can't be empty stays as it is.
        """
        known = [self.known(axis) for axis in axes]
        if x.shape is None or None in known:
            return found
        rank = len(x.shape)
        gone = {axis % rank for axis in known}
        if all(isinstance(length, int) and length for axis, length in enumerate(x.shape) if axis not in gone):
            return found
        dims = [1 if axis in gone else self.dim(x, axis) for axis in range(rank) if keepdims or axis not in gone]
        return self.reshaped(found, dims)

    def checked(self: Any, x: GraphValue, holds: GraphValue | bool) -> GraphValue:
        """`x`; where `holds`, a bool or bool[], is false, the run fails: an engine then asks the kernel for the error."""
        if self.known(holds) is True:
            return x
        return self.Gather(self.Unsqueeze(x, [0]), self.Where(holds, 0, 1), axis=0)

    def positive(self: Any, length: Any) -> Any:
        """A length; where it isn't above 0, the run fails."""
        if not isinstance(length, Length):
            return length
        return Length(self, self.checked(length.value, self.Greater(self.scalar(length), 0)))

    def has_lengths(self: Any, x: GraphValue, dims: Sequence[Any]) -> bool:
        """Whether the type of `x` tells that it has these lengths."""
        names = [dim.name if isinstance(dim, Length) else dim for dim in dims]
        return x.shape is not None and None not in names and [*x.shape] == names

    def of_lengths(self: Any, x: GraphValue, dims: Sequence[Any]) -> GraphValue:
        """`x`, which must have these lengths, as many as it has axes; where it hasn't, the run fails with a ShapeError."""
        if self.has_lengths(x, dims):
            return x
        lengths = self.ints(dims)
        with self.labelled(f"/{OF_LENGTHS}"):
            return self.Reshape(x, self.checked(lengths, self.agree(self.shape_of(x), lengths)), allowzero=1)

    def agree(self: Any, a: GraphValue, b: GraphValue) -> GraphValue:
        """Whether two vectors of ints, of one length, are equal: bool[]."""
        return self.Equal(self.ReduceSum(self.cast(self.Not(self.Equal(a, b)), "int64"), keepdims=0), 0)
