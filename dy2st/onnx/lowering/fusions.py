"""Nodes written so that no optimisation of onnxruntime changes what they compute."""

from __future__ import annotations

from typing import Any

from ...graphs.lowering.values import GraphValue


class Fusions:
    """Operators that onnxruntime's optimisations would compute wrongly. casts: names of what Cast gives."""

    casts: set[str]

    def Expand(self: Any, x: Any, shape: Any) -> GraphValue:
        """The node of this name; onnxruntime would take it away where it makes an axis of 1 empty."""
        x, lengths = self.value(x), self.value(shape)
        if lengths.array is not None and x.shape:
            empty = [at for at, length in enumerate(lengths.array[::-1][: len(x.shape)], 1) if length == 0 and x.shape[-at] != 0]
            if empty:
                x = self.Slice(x, [0] * len(empty), [0] * len(empty), [-at for at in empty])
        return self.node("Expand", x, lengths)

    def MatMul(self: Any, x: Any, y: Any) -> Any:
        """The node of this name, whose factors have as many axes as onnxruntime 1.22 to 1.32 needs.

        onnxruntime makes one node of Transpose and MatMul, also where operators of elements lie in between. That node doesn't
        transpose a matrix that meets a vector: x.T @ v is computed as if x had the shape of x.T. With a Cast in between, it ends
        the process where the factors differ in their number of axes and the transpose moves another axis than the last two.
        """
        if x.rank == y.rank:
            return self.node("MatMul", x, y)
        if None in (x.rank, y.rank):
            return self._product_of_any(x, y)
        is_row, is_column = x.rank == 1, y.rank == 1
        if self._may_be_cast(x) or self._may_be_cast(y):
            rank = max(x.rank, y.rank)
            x, y = (self._of_axes(z, rank, is_vector) for z, is_vector in ((x, False), (y, is_column)))
            return self._without(self.node("MatMul", x, y), [-2] * is_row + [-1] * is_column)
        return self._without(self.node("MatMul", x, self._of_axes(y, 2, True) if is_column else y), [-1] * is_column)

    def _may_be_cast(self: Any, x: GraphValue) -> bool:
        """Whether a Cast gives what the product reads: one that is there, or that it needs for its dtype."""
        return x.name in self.casts or x.dtype not in ("float32", "float64")

    def _of_axes(self: Any, x: GraphValue, rank: int, is_column: bool) -> GraphValue:
        """A factor with more axes of length 1 in front of its own, and behind them where it is a column."""
        more = [*range(rank - (x.rank or 0) - is_column), *[rank - 1] * is_column]
        return self.Unsqueeze(x, more) if more else x

    def _without(self: Any, x: GraphValue, axes: list[int]) -> GraphValue:
        return self.Squeeze(x, axes) if axes else x

    def _product_of_any(self: Any, x: GraphValue, y: GraphValue) -> GraphValue:
        """The product of factors whose number of axes only the run knows: Reshape keeps them from what makes them."""
        ranks = [self.Shape(self.Shape(z)) for z in (x, y)]
        is_row, is_column = (self.cast(self.Equal(rank, 1), "int64") for rank in ranks)
        ones = self.const([1] * 8)
        rank = self.Max(*ranks, 2)
        shapes = []
        for z, own, behind in zip((x, y), ranks, (self.const([0]), is_column)):
            front = self.Slice(ones, [0], self.Sub(self.Sub(rank, own), behind), [0])
            shapes.append(self.Concat(front, self.Shape(z), self.Slice(ones, [0], behind, [0]), axis=0))
        found = self.node("MatMul", *(self.Reshape(z, shape, allowzero=1) for z, shape in zip((x, y), shapes)))
        lengths, end = self.Shape(found), self.Shape(self.Shape(found))
        batch = self.Slice(lengths, [0], self.Sub(end, 2), [0])
        rows = self.Slice(lengths, self.Sub(end, 2), self.Sub(self.Sub(end, 1), is_row), [0])
        columns = self.Slice(lengths, self.Sub(end, 1), self.Sub(end, is_column), [0])
        return self.Reshape(found, self.Concat(batch, rows, columns, axis=0), allowzero=1)
