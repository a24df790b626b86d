"""Gradients, under Paddle's names, and the Tensor members that go with them."""

from __future__ import annotations

from typing import Any

from ..ops import views
from ..runtime import autograd, hooks
from ..runtime.autograd import grad
from ..runtime.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from ..runtime.tensor import Tensor
from .tensor_methods import attach, tensor_method

__all__ = (  # fmt: skip
    "enable_grad",
    "grad",
    "is_grad_enabled",
    "no_grad",
    "set_grad_enabled",
)


@tensor_method()
def backward(x: Tensor, grad_tensor: Tensor | None = None, retain_graph: bool = False) -> None:
    """Add to `.grad` of every leaf how x changes with it, weighted by `grad_tensor` (ones where None)."""
    autograd.backward([x], [grad_tensor], retain_graph)


@tensor_method()
def detach(x: Tensor) -> Tensor:
    """x without its history: the same memory, stop_gradient=True."""
    if x.is_staged:
        result = views.detach(x)
        result.stop_gradient = True
        return result
    result = Tensor(x._data)
    result._writes = x._writes
    return result


@tensor_method()
def detach_(x: Tensor) -> Tensor:
    """Cut x off from its history, and return it."""
    x._node, x._view, x.stop_gradient = None, None, True
    return x


@tensor_method("clear_grad", "clear_gradient")
def clear_grad(x: Tensor, set_to_zero: bool = True) -> None:
    """Set `x.grad` to zeros, or to None where not `set_to_zero`."""
    if x._grad is not None:
        x._grad = x._grad.zeros_like() if set_to_zero else None  # type: ignore[attr-defined]


def _is_leaf(x: Tensor) -> bool:
    """Whether x was made by the user rather than by an operator on the tape."""
    return x.stop_gradient or x._node is None


Tensor.is_leaf = property(_is_leaf)  # type: ignore[attr-defined]
attach(hooks.register_hook, "register_hook")
attach(hooks.retain_grads, "retain_grads")


@tensor_method()
def gradient(x: Tensor) -> Any:
    """`x.grad` as a NumPy array, or None."""
    return None if x._grad is None else x._grad.numpy()
