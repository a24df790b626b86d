"""Gradients, under Paddle's names, and the Tensor members that go with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ops import views
from ..runtime.proxies import StagedSum
from ..runtime.recorder import hooks
from ..runtime.recorder.recorder import current_recorder
from ..runtime.tensors import autograd
from ..runtime.tensors.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from ..runtime.tensors.tensor import Tensor
from .tensor_methods import attach, tensor_method, tensor_property

__all__ = (  # fmt: skip
    "enable_grad",
    "grad",
    "is_grad_enabled",
    "no_grad",
    "set_grad_enabled",
)


@tensor_method()
def backward(x: Tensor, grad_tensor: Tensor | None = None, retain_graph: bool = False) -> None:
    """Add to `.grad` of every leaf how x, of any shape and a float or complex dtype, changes with it.

    grad_tensor: a tensor of the shape of x that weighs its elements, ones where None. retain_graph: keep what another backward
    through the same history needs. Nothing happens, where no gradient can flow. Inside a static function it is recorded.

    >>> w = dy2st.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> (w * w).sum().backward(); w.grad.tolist()
    [2.0, 4.0]
    """
    if x.is_staged:
        return _recorded().backward(current_recorder(), x, grad_tensor)
    return autograd.backward([x], [grad_tensor], retain_graph)


def _recorded() -> Any:
    from ..passes.backward import recorded  # only who trains in a static function needs it

    return recorded


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
) -> list[Tensor]:
    """Gives the gradients of `outputs` with respect to `inputs`, tensors or lists of them, as a list; `.grad` stays as it is.

    Each gradient has the shape and dtype of its input. `grad_outputs` weighs the outputs (ones where None). `retain_graph`
    defaults to `create_graph`, which makes the gradients differentiable. An input that the outputs don't depend on is an error,
    or None where `allow_unused`. Gradients don't flow through `no_grad_vars`, which a static function doesn't take. ValueError:
    `only_inputs` is False.

    >>> x = dy2st.to_tensor(3.0, stop_gradient=False)
    >>> dy2st.grad(x * x, x)[0].item()
    6.0
    """
    if not only_inputs:
        raise ValueError("grad: only_inputs=False is not supported; use backward()")
    outputs = outputs if isinstance(outputs, list | tuple) else [outputs]
    if not any(isinstance(x, Tensor) and x.is_staged for x in outputs):
        return autograd.grad(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused, no_grad_vars)
    inputs = inputs if isinstance(inputs, list | tuple) else [inputs]
    weights = grad_outputs if isinstance(grad_outputs, list | tuple) else [grad_outputs]
    return _recorded().grad(current_recorder(), outputs, list(inputs), weights, create_graph, allow_unused, no_grad_vars)


@tensor_method()
def detach(x: Tensor) -> Tensor:
    """x without its history: a tensor of its shape and dtype on the same memory, with stop_gradient=True."""
    if x.is_staged:
        result = views.detach(x)
        result.stop_gradient = True
        return result
    result = Tensor(x._data)
    result._writes = x._writes
    return result


@tensor_method()
def detach_(x: Tensor) -> Tensor:
    """Cut x off from its history, and return it, with its shape and dtype as they were."""
    if current_recorder() is None or x._node is not None:
        x._node, x._view, x.stop_gradient = None, None, True
    else:
        set_stop_gradient(x, True)
    return x


def set_stop_gradient(x: Tensor, stops: bool) -> None:
    """`x.stop_gradient = stops`, as a static function's code does it; an eager write where nothing is recorded."""
    rec = current_recorder()
    if rec is None:
        x.stop_gradient = stops
        return
    from ..runtime.convert.operations.gradient_stops import store_stop_gradient  # loading a model is quick without

    store_stop_gradient(rec, x, stops)


def clear_gradients(tensors: Sequence[Tensor], set_to_zero: bool) -> None:
    """Set the gradients of parameters to zeros, or to None where not `set_to_zero`."""
    rec = current_recorder()
    if rec is not None:
        rec.follow_gradients([x for x in tensors if not x.is_staged])
    for x in tensors:
        clear_grad(x, set_to_zero)


@tensor_method("clear_grad", "clear_gradient")
def clear_grad(x: Tensor, set_to_zero: bool = True) -> None:
    """Set `x.grad`, of whatever shape and dtype x is, to zeros, or to None where not `set_to_zero`."""
    if not set_to_zero:
        x.grad = None
    elif isinstance(x.grad, StagedSum):  # whether there is one, each call finds
        x.grad = current_recorder().on_alternatives(x.grad, lambda g: None if g is None else g.zeros_like())  # type: ignore[union-attr]
    elif x.grad is not None:
        x.grad = x.grad.zeros_like()  # type: ignore[attr-defined]


@tensor_property("is_leaf")
def _is_leaf(x: Tensor) -> bool:
    """Whether x was made by the user rather than by an operator on the tape."""
    return x.stop_gradient or x._node is None


attach(hooks.register_hook, "register_hook")
attach(hooks.retain_grads, "retain_grads")


@tensor_method()
def gradient(x: Tensor) -> Any:
    """`x.grad` as a NumPy array of the shape and dtype of x, or None."""
    return None if x._grad is None else x._grad.numpy()
