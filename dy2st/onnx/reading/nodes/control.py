"""If, Loop and Scan: control flow of the Program, wherever what decides it is known only when that runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import ModelFileError
from ....ops.manipulate import flip
from ....ops.registry import lookup
from ....ops.views import transpose
from ....runtime.convert import convert_ifelse
from ....runtime.tensors.tensor import Tensor
from ..graph import Graph, Node
from ..loops import over, repeated, stacked
from ..registry import node
from ..slices import at
from ..values import as_ints, as_result, as_tensor, is_known, of_ints

if TYPE_CHECKING:
    from ..interpreter import Scope


@node("If", is_control=True)
def if_(node: Node, inputs: list[Any], scope: Scope) -> tuple:
    """Both sides are staged, unless the condition is known."""
    sides = [node.attributes["then_branch"], node.attributes["else_branch"]]
    condition = _truth(inputs[0])
    if isinstance(condition, bool):
        return tuple(scope.run(sides[0 if condition else 1], ()))
    return convert_ifelse(condition, _side(sides[0], scope), _side(sides[1], scope))


def _side(graph: Graph, scope: Scope) -> Callable[[], tuple]:
    return lambda: tuple(map(as_result, scope.run(graph, ())))


def _truth(value: Any) -> Any:
    """A tensor of one bool as a bool, a staged one where only the Program knows it."""
    return bool(value.reshape(-1)[0]) if is_known(value) else lookup("py.truth")(value)


def _flag(value: Any) -> Any:
    """A bool as a tensor."""
    return np.array(value) if isinstance(value, bool) else lookup("py.to_tensor")(value, dtype="bool")


@node("Loop", is_control=True)
def loop(node: Node, inputs: list[Any], scope: Scope) -> tuple:
    """While the body says so, and no more often than the first input says."""
    limit, going, *state = inputs
    body, count = node.attributes["body"], len(state)

    def turn(i: Any, going: Any, *state: Any) -> tuple:
        goes_on, *found = scope.run(body, [of_ints([i], ()), _flag(going), *state])
        found, truth = list(map(as_result, found)), _truth(goes_on)
        truths.append(truth)
        return truth, found[:count], found[count:]

    truths = [True if going is None else _truth(going)]
    most = None if limit is None else as_ints(limit, "the number of iterations")[0]
    last, rows = repeated(node, most, truths[0], turn, list(map(as_result, state)), len(body.outputs) - 1 - count)
    is_counted = isinstance(most, int) and all(truth is True for truth in truths)
    types = body.types[count + 1 :]
    return (*last, *(stacked(row, type_, most if is_counted else None) for row, type_ in zip(rows, types)))


@node("Scan", since=9, is_control=True)
def scan(node: Node, inputs: list[Any], scope: Scope) -> tuple:
    """The body for each slice of the last inputs; what it gives beyond the state is put together again."""
    given = node.attributes
    slices, body = _slices(node, inputs), given["body"]
    count = len(inputs) - slices
    columns = len(body.outputs) - count
    forward = [0] * max(slices, columns)
    xs = _in_order(inputs[count:], given.get("scan_input_axes", forward), given.get("scan_input_directions", forward))
    last, found = _scanned(node, body, list(map(as_result, inputs[:count])), xs, scope)
    axes, directions = given.get("scan_output_axes", forward), given.get("scan_output_directions", forward)
    return (*last, *(_laid(x, axis, backwards) for x, axis, backwards in zip(found, axes, directions)))


def _slices(node: Node, inputs: list[Any]) -> int:
    """How many inputs a Scan iterates over. ModelFileError: more than there are, or none."""
    found = node.attributes["num_scan_inputs"]
    if not 0 < found <= len(inputs):
        raise ModelFileError(f"num_scan_inputs is {found}, and {len(inputs)} inputs can be iterated over")
    return found


def _in_order(xs: list[Any], axes: list[int], directions: list[int]) -> list[Tensor]:
    """The inputs with the axis in front that is walked along, in the order in which it is."""
    found = []
    for x, axis, backwards in zip(map(as_tensor, xs), axes, directions):
        axis %= x.ndim
        moved = transpose(x, perm=[axis, *(k for k in range(x.ndim) if k != axis)]) if axis else x
        found.append(flip(moved, axis=[0]) if backwards else moved)
    return found


def _laid(x: Tensor, axis: int, backwards: int) -> Tensor:
    """What was found with its first axis where it belongs."""
    x = flip(x, axis=[0]) if backwards else x
    axis %= x.ndim
    return transpose(x, perm=[*range(1, axis + 1), 0, *range(axis + 1, x.ndim)]) if axis else x


def _scanned(mark: Any, body: Graph, state: list[Any], xs: list[Tensor], scope: Scope) -> tuple[list, list[Tensor]]:
    count = len(state)

    def turn(i: Any, *state: Any) -> tuple:
        found = list(map(as_result, scope.run(body, [*state, *(at(x, 0, i) for x in xs)])))
        return found[:count], found[count:]

    return over(mark, xs[0].shape[0], turn, state, len(body.outputs) - count)


@node("Scan", is_control=True)
def scan_of_batches(node: Node, inputs: list[Any], scope: Scope) -> tuple:
    """As `scan`, for each batch by itself: the first axis of all that goes in and comes out."""
    _, *given = map(as_tensor, inputs)
    slices, body = _slices(node, given), node.attributes["body"]
    count = len(given) - slices
    directions = node.attributes.get("directions", [0] * slices)

    def one(batch: Any) -> tuple:
        xs = _in_order([at(x, 0, batch) for x in given[count:]], [0] * slices, directions)
        last, found = _scanned((node, "batch"), body, [at(x, 0, batch) for x in given[:count]], xs, scope)
        return (), [*last, *found]

    _, found = over(node, given[0].shape[0], one, [], len(body.outputs))
    return tuple(found)
