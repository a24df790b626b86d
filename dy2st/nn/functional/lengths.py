"""Lengths that layers and their functions ask of what they are given, told in the words of the layer."""

from __future__ import annotations

from ...api.checks import need_tensor, operands
from ...api.known import of_length
from ...errors import ShapeError
from ...ops.dims import agree
from ...ops.elementwise import multiply
from ...runtime.tensors.tensor import Tensor


def check_features(op: str, x: Tensor, weight: Tensor, axis: int) -> None:
    """ShapeError where the last axis of x isn't as long as the axis of the weight that takes it."""
    given, taken = x.type.shape, weight.type.shape
    if given and taken and len(taken) == 2 and not agree(given[-1], taken[axis]):
        raise ShapeError(f"{op}: the last axis of {x.type} has length {given[-1]}, the weight {weight.type} takes {taken[axis]}")


def weighed(op: str, loss: Tensor, weight: Tensor | None) -> Tensor:
    """The losses times a weight that broadcasts to them, where there is one; TypeError: no Tensor."""
    return loss if weight is None else multiply(*operands(op, loss, need_tensor(op, weight, "weight")))


def check_channels(op: str, x: Tensor, axis: int, told: str = "channels", **per_channel: Tensor | None) -> Tensor:
    """x. ShapeError where one of these tensors has not one number for each channel of x, from the Program where only that knows.

    TypeError: no Tensor.
    """
    shape = x.type.shape
    for name, part in per_channel.items():
        given = None if part is None else need_tensor(op, part, name).type
        if part is None or given is None or shape is None or given.shape is None or len(given.shape) != 1:
            continue
        if not agree(given.shape[0], shape[axis]):
            raise ShapeError(f"{op}: {x.type} has {shape[axis]} {told}, but {name} is {given}, for {given.shape[0]} of them")
        if given.shape[0] is None or shape[axis] is None:
            x = of_length(op, x, axis, part.shape[0], f"{name} has another number of {told}")
    return x
