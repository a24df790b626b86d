"""Primitives of a lowering: the methods of `g` that each engine defines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .values import GraphType, GraphValue

NEWEST = 26  # opset: no lowering asks for operators of a later one


class Primitives:
    """Base of the `g` of a lowering.

    An engine defines `node`, `const`, `filled`, `draw`, `branch` and `loop`, and the other methods where the default doesn't fit.

    opset: the version of ONNX's operators that `node` has. knows_shapes: whether each shape is known.
    finds_nan: whether ArgMax and ArgMin give the place of the first nan, where there is one. divides_down: whether there is an
        operator FloorDiv of ints. rounds_integers: whether ReduceSum and ReduceProd of int64 go through floats.
    asks_before: whether a `loop` may be given a function of what is carried as its condition, which is asked before each turn.
    is_elementary: whether elementary functions, `Log1p` and `Expm1` among them, are operators of each dtype of floats.
    """

    opset = NEWEST
    knows_shapes = False
    finds_nan = False
    divides_down = False
    rounds_integers = True
    asks_before = False
    is_elementary = False

    # --- without a default ---------------------------------------------------------------------------------------------------

    def node(self, operator: str, *inputs: Any, outputs: int = 1, **attributes: Any) -> Any:
        """The output of an operator of ONNX, or a tuple of several. InexpressibleError: the engine lacks it for these inputs."""
        raise NotImplementedError

    def const(self, value: Any, dtype: str | None = None, hint: str = "const") -> GraphValue:
        """A constant of a number, a text or an array; without `dtype` it keeps its own: int64, float64, bool."""
        raise NotImplementedError

    def filled(self, dtype: str, value: Any, shape: Any) -> GraphValue:
        """A tensor of one number, known or not, everywhere."""
        raise NotImplementedError

    def draw(self, operator: str, shape: Any, dtype: str) -> GraphValue:
        """Numbers by "RandomUniform", from 0 up to 1, or by "RandomNormal", of a shape that is known, or that the run tells.

        They are float32 where that is the dtype, else float64.
        """
        raise NotImplementedError

    def branch(self, condition: GraphValue, *arms: Callable[[], Sequence[GraphValue]]) -> list[GraphValue]:
        """The results of the first arm where `condition`, bool[], holds, those of the second elsewhere."""
        raise NotImplementedError

    def loop(
        self,
        trips: GraphValue | None,
        condition: Any,
        carried: Sequence[GraphValue],
        types: Sequence[GraphType],
        turn: Callable[..., tuple[GraphValue, Sequence[GraphValue], Sequence[GraphValue]]],
        count: int | None = None,
    ) -> list[GraphValue]:
        """A loop: `turn(number, *carried)` gives the condition of the next turn, what it carries, and what is stacked.

        trips: how many turns at most, int64[]. condition: bool[], whether there is a first turn; with `asks_before` it may be a
        function of what is carried, which tells whether there is a turn. types: those of what is carried. count: how many turns
        there are, unless a check fails, which ends the loop. Returned are the last values carried, and behind them the stacked
        ones, one row per turn.
        """
        raise NotImplementedError

    # --- with a default ------------------------------------------------------------------------------------------------------

    def zeros(self, dtype: str, shape: Any) -> GraphValue:
        """A tensor of zeros, of empty texts or of False."""
        return self.filled(dtype, "" if dtype == "string" else 0, shape)

    def unread(self, dtype: str, shape: Any) -> GraphValue:
        """A tensor that stands where no path reads it."""
        return self.zeros(dtype, shape)

    def typed(self, x: GraphValue, type_: GraphType) -> GraphValue:
        """The same value with a type that knows as much as either does; itself where the engine knows each shape."""
        return x

    def typed_sequence(self, x: GraphValue, type_: GraphType) -> GraphValue:
        """A sequence with the type that its place declares."""
        return x

    def is_rectified(self, x: GraphValue) -> bool:
        """Whether a Relu is known to have given `x`: no element is below 0, though some may be nan."""
        return False

    def put(self, x: GraphValue, value: GraphValue, index: Sequence[Any], reduction: str | None) -> GraphValue | None:
        """`x` with a value put ("add": added) at a subscript without tensors; None: nodes scatter it."""
        return None

    def put_each(self, x: GraphValue, value: GraphValue, mask: GraphValue) -> GraphValue | None:
        """`x` with one part of a value for each place that a mask picks, along its first axes; None: nodes scatter it."""
        return None

    def detached(self, x: GraphValue) -> GraphValue:
        """`x`, through which no gradient flows."""
        return x

    def with_slope(self, value: GraphValue, x: GraphValue, slope: GraphValue) -> GraphValue:
        """`value`, whose gradient by `x` is `slope` besides what goes through the value."""
        return value

    def without_gradient(self, x: GraphValue, operands: Sequence[GraphValue], why: str) -> GraphValue:
        """`x`, whose gradients by operands have no form, as `why` says."""
        return x
