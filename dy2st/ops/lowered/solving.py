"""Square matrices solved in ONNX: LU factors, column by column in a Loop, as LAPACK makes them, and what follows from these."""

from __future__ import annotations

from typing import Any


class Stack:
    """Matrices as one axis of them, [count, rows, columns]: `flat`."""

    def __init__(self, g: Any, x: Any):
        *self.axes, self.rows, self.columns = g.dims(x)
        self.count = g.product(self.axes)
        self.flat = g.reshaped(x, [self.count, self.rows, self.columns])
        self.row, self.column = g.counting(self.rows), g.counting(self.columns)


def at(g: Any, x: Any, axis: int, place: Any) -> Any:
    """One row or column of each matrix."""
    return g.Gather(x, place, axis=axis)


def factors(g: Any, x: Any, columns: Any) -> tuple[Any, Any]:
    """The factors in one matrix, and the rows that were exchanged, [steps, count].

    columns: how many columns from the left are eliminated; of those behind them, the same rows are exchanged and subtracted.
    """
    stack = Stack(g, x)

    def turn(number: Any, made: Any) -> tuple:
        place = g.cast(number, "int64")
        below = g.Greater(stack.row, place)
        column = at(g, made, 2, place)
        pivot = g.ArgMax(g.Where(g.Less(stack.row, place), -1, g.Abs(column)), axis=1, keepdims=1)
        exchanged = g.Where(g.Equal(stack.row, place), pivot, g.Where(g.Equal(stack.row, pivot), place, stack.row))
        made = g.GatherElements(made, g.Expand(g.Unsqueeze(exchanged, [2]), g.shape_of(made)), axis=1)
        column, row = at(g, made, 2, place), at(g, made, 1, place)
        divisor = g.Unsqueeze(at(g, row, 1, place), [1])
        share = g.Where(below, g.Div(column, g.Where(g.Equal(divisor, 0), 1, divisor)), 0)
        rest = g.Sub(made, g.Mul(g.Unsqueeze(share, [2]), g.Unsqueeze(g.Where(g.Greater(stack.column, place), row, 0), [1])))
        stored = g.And(g.Unsqueeze(below, [1]), g.Equal(stack.column, place))
        return g.const(True), [g.Where(stored, g.Unsqueeze(share, [2]), rest)], [g.Squeeze(pivot, [1])]

    steps = g.least(stack.rows, columns)
    made, pivots = g.loop(g.scalar(steps), None, [stack.flat], [stack.flat.type], turn)
    return made, g.reshaped(pivots, [steps, stack.count])  # rows of no turn have no lengths


def diagonal(g: Any, made: Any, least: Any) -> Any:
    """The pivots' values, [count, least]."""
    places = g.Unsqueeze(g.counting(least), [1])
    columns = g.Transpose(made, perm=[1, 2, 0])
    return g.Transpose(g.GatherND(columns, g.Concat(places, places, axis=1)), perm=[1, 0])


def lu(g: Any, x: Any) -> tuple[Any, Any, Any]:
    """The factors, the pivots counted from 1, and the number of the first that is 0."""
    stack = Stack(g, x)
    least = g.least(stack.rows, stack.columns)
    made, pivots = factors(g, x, stack.columns)
    zero = g.Equal(diagonal(g, made, least), 0)
    numbers = g.Where(zero, g.Add(g.counting(least), 1), 2**31 - 1)
    first = g.reduce("ReduceMin", g.Concat(numbers, g.filled("int64", 2**31 - 1, [stack.count, 1]), axis=1), [1])
    infos = g.cast(g.Where(g.Equal(first, 2**31 - 1), 0, first), "int32")
    order = g.cast(g.Add(g.Transpose(pivots, perm=[1, 0]), 1), "int32")
    return g.reshaped(made, g.dims(x)), g.reshaped(order, [*stack.axes, least]), g.reshaped(infos, stack.axes)


def slogdet(g: Any, x: Any) -> tuple[Any, Any]:
    """The sign, and the logarithm of the absolute value."""
    stack, values, sign = _pivots(g, x)
    signs = g.Mul(g.reduce("ReduceProd", g.Sign(values), [1]), sign)
    logarithms = g.reduce("ReduceSum", g.Log(g.Abs(values)), [1])
    return g.reshaped(signs, stack.axes), g.reshaped(logarithms, stack.axes)


def det(g: Any, x: Any) -> Any:
    """The product of the pivots."""
    stack, values, sign = _pivots(g, x)
    return g.reshaped(g.Mul(g.reduce("ReduceProd", values, [1]), sign), stack.axes)


def _pivots(g: Any, x: Any) -> tuple[Stack, Any, Any]:
    """The diagonal of U, and -1 for each exchange of rows."""
    stack = Stack(g, x)
    made, pivots = factors(g, x, stack.columns)
    exchanged = g.Not(g.Equal(pivots, g.Unsqueeze(g.counting(stack.rows), [1])))
    odd = g.Mod(g.reduce("ReduceSum", g.cast(exchanged, "int64"), [0]), 2)
    return stack, diagonal(g, made, stack.rows), g.cast(g.Sub(1, g.Mul(odd, 2)), x.dtype)


def solve(g: Any, x: Any, y: Any) -> Any:
    """The factors of x next to y, then the rows of the result from the last one on; the run fails where x is singular."""
    *batch, rows, width = g.dims(g.MatMul(x, y))
    both = g.Concat(g.Expand(x, g.ints([*batch, rows, rows])), g.Expand(y, g.ints([*batch, rows, width])), axis=-1)
    made, _ = factors(g, both, rows)
    values = diagonal(g, made, rows)
    stack, right = Stack(g, x), g.Slice(made, g.ints([rows]), [2**63 - 1], [2])
    upper = g.Slice(made, [0], g.ints([rows]), [2])

    def turn(number: Any, found: Any) -> tuple:
        place = g.Sub(g.Sub(g.scalar(rows), 1), number)
        row = at(g, upper, 1, place)
        known = g.MatMul(g.Unsqueeze(g.Where(g.Greater(stack.row, place), row, 0), [1]), found)
        value = g.Div(g.Sub(g.Unsqueeze(at(g, right, 1, place), [1]), known), g.Unsqueeze(at(g, row, 1, place), [1, 2]))
        return g.const(True), [g.Where(g.Unsqueeze(g.Equal(stack.row, place), [1]), value, found)], []

    (found,) = g.loop(g.scalar(rows), None, [g.zeros(x.dtype, g.dims(right))], [right.type], turn)
    return g.reshaped(g.checked(found, every(g, g.Not(g.Equal(values, 0)))), [*batch, rows, width])


def every(g: Any, flags: Any) -> Any:
    """Whether all hold: bool[]."""
    return g.Equal(g.ReduceSum(g.cast(g.Not(flags), "int64"), keepdims=0), 0)


def identity(g: Any, stack: Stack, dtype: str) -> Any:
    """Ones on the diagonal of one matrix."""
    return g.cast(g.Equal(g.Unsqueeze(stack.row, [1]), stack.column), dtype)


def inverse(g: Any, x: Any) -> Any:
    """What solves x @ z = 1."""
    return solve(g, x, identity(g, Stack(g, x), x.dtype))


def cholesky(g: Any, x: Any) -> Any:
    """Column by column, of what the columns before it leave; the run fails where a root isn't above 0."""
    stack = Stack(g, x)

    def turn(number: Any, made: Any) -> tuple:
        place = g.cast(number, "int64")
        reached = g.MatMul(made, g.Unsqueeze(at(g, made, 1, place), [2]))
        column = g.Sub(g.Unsqueeze(at(g, stack.flat, 2, place), [2]), reached)
        column = g.Div(column, g.Sqrt(g.Unsqueeze(at(g, column, 1, place), [1])))
        lower = g.Where(g.Unsqueeze(g.Less(stack.row, place), [1]), 0, column)
        return g.const(True), [g.Where(g.Equal(stack.column, place), lower, made)], []

    (made,) = g.loop(g.scalar(stack.rows), None, [g.zeros(x.dtype, g.dims(stack.flat))], [stack.flat.type], turn)
    return g.reshaped(g.checked(made, every(g, g.Greater(diagonal(g, made, stack.rows), 0))), g.dims(x))


# --- what is made of LU factors ----------------------------------------------------------------------------------------


def permutation_of(g: Any, x: Any, pivots: Any) -> Any:
    """The rows in the order that the exchanges make, as a matrix."""
    *axes, steps = g.dims(pivots)
    stack, count = Stack(g, x), g.product(axes)
    exchanges = g.Sub(g.reshaped(g.cast(pivots, "int64"), [count, steps]), 1)

    def turn(number: Any, order: Any) -> tuple:
        place = g.cast(number, "int64")
        other = g.Unsqueeze(at(g, exchanges, 1, place), [1])
        places = g.Where(g.Equal(stack.row, place), other, g.Where(g.Equal(stack.row, other), place, stack.row))
        return g.const(True), [g.GatherElements(order, places, axis=1)], []

    start = g.Expand(stack.row, g.ints([count, stack.rows]))
    (order,) = g.loop(g.scalar(steps), None, [start], [start.type], turn)
    found = g.Equal(g.Unsqueeze(stack.row, [1]), g.Unsqueeze(order, [1]))
    return g.reshaped(g.cast(found, x.dtype), [*axes, stack.rows, stack.rows])


def unit_diagonal(g: Any, x: Any) -> Any:
    """The same matrix for each of a stack."""
    return g.Expand(identity(g, Stack(g, x), x.dtype), g.ints(g.dims(x)))


# --- QR ------------------------------------------------------------------------------------------------------------------


def qr(g: Any, x: Any, complete: bool = False) -> tuple[Any, Any]:
    """Reflections of Householder, with the signs of LAPACK's: the diagonal of R is negative where it was positive."""
    stack = Stack(g, x)
    least = g.least(stack.rows, stack.columns)
    ones = g.cast(g.Equal(g.Unsqueeze(stack.row, [1]), stack.row), x.dtype)
    start = g.Expand(ones, g.ints([stack.count, stack.rows, stack.rows]))

    def turn(number: Any, q: Any, r: Any) -> tuple:
        place = g.cast(number, "int64")
        column = at(g, r, 2, place)
        first = g.Unsqueeze(at(g, column, 1, place), [1])
        below = g.Where(g.Greater(stack.row, place), column, 0)
        rest = g.reduce("ReduceSum", g.Mul(below, below), [1], True)
        size = g.Sqrt(g.Add(g.Mul(first, first), rest))
        size = g.Where(g.Less(first, 0), size, g.Neg(size))
        is_done = g.Equal(rest, 0)
        factor = g.Where(is_done, 0, g.Div(g.Sub(size, first), g.Where(is_done, 1, size)))
        mirror = g.Div(below, g.Where(is_done, 1, g.Sub(first, size)))
        mirror = g.Unsqueeze(g.Where(g.Equal(stack.row, place), 1, mirror), [2])
        scaled, across = g.Mul(mirror, g.Unsqueeze(factor, [2])), g.Transpose(mirror, perm=[0, 2, 1])
        r = g.Sub(r, g.MatMul(scaled, g.MatMul(across, r)))
        return g.const(True), [g.Sub(q, g.MatMul(g.MatMul(q, scaled), across)), r], []

    q, r = g.loop(g.scalar(least), None, [start, stack.flat], [start.type, stack.flat.type], turn)
    inner = stack.rows if complete else least
    upper = g.Where(g.Greater(g.Unsqueeze(stack.row, [1]), stack.column), 0, r)
    q, r = (g.Slice(part, [0], g.ints([inner]), [axis]) for part, axis in ((q, 2), (upper, 1)))
    return g.reshaped(q, [*stack.axes, stack.rows, inner]), g.reshaped(r, [*stack.axes, inner, stack.columns])
