"""Sequences, which are lists, and optionals, which may be None."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from ....api.joining import concat, stack
from ....ops.registry import lookup
from ....runtime.convert.calls.calls import convert_call
from ....runtime.convert.iteration.compare import convert_is_not
from ....runtime.convert.operations.access import at, new
from ....runtime.convert.operations.ifelse import convert_raise
from ....runtime.tensors.tensor import Tensor
from ..axes import normal
from ..graph import Node
from ..loops import repeated
from ..registry import Int, Value, node
from ..slices import at as slice_at
from ..slices import part
from ..values import MOST_STEPS, as_ints, as_result, as_tensor, of_ints

if TYPE_CHECKING:
    from ..interpreter import Scope


@node("SequenceEmpty")
def empty(*, dtype: int = 1) -> Any:
    return new([])


@node("SequenceConstruct", folds=False)
def construct(*xs: Tensor) -> Any:
    return new(list(xs))


def _copied(xs: Any) -> Any:
    return convert_call(xs.copy)()


@node("SequenceInsert")
def insert(xs: Value, x: Tensor, position: Int | None = None) -> Any:
    """A new sequence; without a position, the tensor is its last."""
    found = _copied(xs)
    if position is None:
        convert_call(found.append)(x)
    else:
        convert_call(found.insert)(position, x)
    return found


@node("SequenceErase")
def erase(xs: Value, position: Int | None = None) -> Any:
    found = _copied(xs)
    convert_call(found.pop)(-1 if position is None else position)
    return found


@node("SequenceAt")
def item(xs: Value, position: Int) -> Any:
    return at(xs)[position]


@node("SequenceLength")
def length(xs: Value) -> Any:
    return of_ints([convert_call(len)(xs)], ())


@node("ConcatFromSequence")
def joined(xs: Value, *, axis: int, new_axis: int = 0) -> Tensor:
    return stack(xs, axis) if new_axis else concat(xs, axis)


@node("SplitToSequence", folds=False)
def split(x: Tensor, sizes: Value = None, *, axis: int = 0, keepdims: int = 1, mark: Any = None) -> Any:
    """Parts of these sizes, or of one size each but for the last; without sizes, the slices, with or without their axis."""
    (axis,) = normal([axis], x.ndim)
    given = None if sizes is None else as_ints(sizes, "the sizes of the parts", most=MOST_STEPS)
    if given is not None and as_tensor(sizes).ndim:
        ends = [*accumulate(given, initial=0)]
        return new([part(x, axis, start, end) for start, end in zip(ends, ends[1:])])
    size = 1 if given is None else given[0]

    def turn(i: Any, going: Any) -> tuple:
        is_whole = keepdims or given is not None
        return going, (), [part(x, axis, i * size, (i + 1) * size) if is_whole else slice_at(x, axis, i)]

    _, (found,) = repeated(mark, -(-x.shape[axis] // size), True, turn, (), 1)
    return found


@node("SequenceMap", is_control=True)
def each(node: Node, inputs: list[Any], scope: Scope) -> tuple:
    """The body for each item of the first sequence, and of others; tensors are the same for all."""
    body, first = node.attributes["body"], inputs[0]
    is_sequence = [not isinstance(x, Tensor | np.ndarray) for x in inputs]

    def turn(i: Any, going: Any) -> tuple:
        given = [at(x)[i] if is_item else x for x, is_item in zip(inputs, is_sequence)]
        return going, (), list(map(as_result, scope.run(body, given)))

    _, rows = repeated(node, convert_call(len)(first), True, turn, (), len(body.outputs))
    return tuple(rows)


@node("Optional", folds=False)
def optional(x: Value = None, *, type: Any = None) -> Any:
    return x


@node("OptionalHasElement", folds=False)
def has_element(x: Value = None) -> Any:
    found = convert_is_not(x, None)
    return np.array(found) if isinstance(found, bool) else lookup("py.to_tensor")(found, dtype="bool")


@node("OptionalGetElement", folds=False)
def element(x: Value) -> Any:
    """ValueError when the model runs and there is none."""
    if x is None:
        convert_raise(ValueError("OptionalGetElement: the optional is empty"))
    return x
