"""`torch.autograd.grad` in converted code: the gradients that the Program asks for."""

from __future__ import annotations

from math import prod
from typing import Any

from ..errors import ConversionError
from ..ops.dispatch import recorder_of_mode
from ..passes.backward import recorded
from ..runtime.convert.operations.asked_flags import flows_through
from ..runtime.tensors.tensor import Tensor
from .calls import faced, plain
from .table.rows import demanded
from .values import leaves

UNUSED = (
    "The differentiated Tensor at index {} appears to not have been used in the graph. Set allow_unused=True if this is the "
    "desired behavior."
)


def grad(
    outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: bool | None = None, create_graph: bool = False,
    only_inputs: bool = True, allow_unused: bool | None = None, is_grads_batched: bool = False, materialize_grads: bool = False,
) -> tuple:  # fmt: skip
    """`torch.autograd.grad`. ConversionError: `is_grads_batched`. RuntimeError, ValueError: torch's own."""
    if is_grads_batched:
        raise refused("torch.autograd.grad(..., is_grads_batched=True) isn't mapped; ask for one gradient after the other")
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    with recorder_of_mode().facts.policy.plain():
        return tuple(map(faced, _grad(outputs, inputs, grad_outputs, create_graph, allow_unused, materialize_grads)))


def _grad(
    outputs: Any, inputs: Any, grad_outputs: Any, create_graph: bool, allow_unused: bool | None, materialize_grads: bool
) -> list:
    outs, asked = _tensors(outputs), _tensors(inputs)
    weights = [None] * len(outs) if grad_outputs is None else _tensors(grad_outputs)
    for k, out in enumerate(outs):
        if _is_without_gradient(out):
            raise RuntimeError(f"element {k} of tensors does not require grad and does not have a grad_fn")
    if any(map(_is_without_gradient, asked)):
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    outs = [_weighed(k, out, weight) for k, (out, weight) in enumerate(zip(outs, weights, strict=True))]
    found = recorded.gradients_of(recorder_of_mode(), outs, weights, asked, create_graph=create_graph)
    if materialize_grads:
        found = [recorded.or_zeros(recorder_of_mode(), g, x) for g, x in zip(found, asked)]
    elif not allow_unused:
        found = [recorded.used(recorder_of_mode(), g, UNUSED.format(k)) for k, g in enumerate(found)]
    return found


def _tensors(given: Any) -> list[Any]:
    return [plain(x) for x in (given if isinstance(given, tuple | list) else leaves(given))]


def _is_without_gradient(x: Tensor) -> bool:
    rec = recorder_of_mode()
    return flows_through(rec, rec.lower(x)) is False


def _weighed(number: int, out: Tensor, weight: Tensor | None) -> Tensor:
    """An output with a weight of its shape, or with one element."""
    if weight is None:
        return demanded(out, count_of(out) == 1, "grad can be implicitly created only for scalar outputs")
    if tuple(out.static_shape or ()) != tuple(weight.static_shape or ()):
        own, given = (f"torch.Size({list(x.static_shape or ())})" for x in (out, weight))
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{number}] has a shape of {given} and output[{number}] has a shape of {own}."
        )
    return out


def count_of(x: Tensor) -> Any:
    """How many elements a tensor has."""
    return prod(x.shape)


def refused(says: str) -> ConversionError:
    """The error of a call that isn't mapped, at the user's line."""
    return ConversionError(f"{recorder_of_mode().here()}: {says}")
