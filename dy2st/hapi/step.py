"""What a Model does with one batch: the outputs of the network, the losses, the metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..annotations import signature_of
from ..errors import ShapeError
from ..metric import Metric
from ..nn.layer import Layer
from ..runtime.tensors.tensor import Tensor
from .arguments import listed


def input_count(network: Layer, inputs: Sequence | None) -> int:
    """How many fields of a batch the network takes: as many as there are specs, or parameters of its `forward`.

    ValueError: `forward` leaves it open.
    """
    if inputs is not None:
        return len(inputs)
    parameters = list(signature_of(type(network).forward).parameters.values())[1:]
    if any(p.kind is not p.POSITIONAL_OR_KEYWORD or p.default is not p.empty for p in parameters):
        raise ValueError(
            f"{type(network).__name__}.forward leaves open how many inputs it takes: say so, as in "
            "Model(net, inputs=[InputSpec([None, 2], 'float32', 'x')])"
        )
    return len(parameters)


def outputs_of(network: Layer, inputs: list[Tensor]) -> list:
    """What the network computes, as a list."""
    return listed(network(*inputs))


def losses_of(loss: Callable, outputs: list, labels: list[Tensor]) -> list[Tensor]:
    """The losses. TypeError: no tensors; ShapeError: a loss that isn't one number."""
    losses = listed(loss(*outputs, *labels))
    for found in losses:
        if not isinstance(found, Tensor):
            raise TypeError(f"the loss must give a Tensor or a list of them, not {type(found).__name__}")
        if found.numel() != 1:
            raise ShapeError(f"the loss must be one number, not of shape {list(found.shape)}; take its mean or its sum")
    if not losses:
        raise TypeError("the loss must give a Tensor or a list of them, not nothing")
    return losses


def array_of(what: str, value: Any) -> Any:
    """A tensor as an array, of bfloat16 as float32. TypeError: it is none."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{what} must be a Tensor or a list of them, not {type(value).__name__}")
    return (value.astype("float32") if value.dtype == "bfloat16" else value).numpy()


def updated(metrics: Sequence[Metric], outputs: list, labels: list[Tensor]) -> list:
    """What each metric says of this batch, after it has taken it in."""
    found = []
    for metric in metrics:
        computed = listed(metric.compute(*outputs, *labels))
        found.append(metric.update(*(_number(metric, part) for part in computed)))
    return found


def _number(metric: Metric, part: Any) -> Any:
    if isinstance(part, (np.ndarray, np.generic, int, float)):
        return part
    return array_of(f"what {type(metric).__name__}.compute gives", part)
