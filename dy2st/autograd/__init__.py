"""`dy2st.autograd`: gradients, and layers whose backward the user writes."""

from collections.abc import Sequence as _Sequence
from typing import Any as _Any

from ..api.autograd import enable_grad, grad, is_grad_enabled, no_grad, set_grad_enabled
from ..runtime.tensors import autograd as _autograd
from .py_layer import PyLayer, PyLayerContext

Function = PyLayer

__all__ = [
    "Function",
    "PyLayer",
    "PyLayerContext",
    "backward",
    "enable_grad",
    "grad",
    "is_grad_enabled",
    "no_grad",
    "set_grad_enabled",
]


def backward(tensors: _Any, grad_tensors: _Any = None, retain_graph: bool = False) -> None:
    """Add to `.grad` of every leaf how the tensors change with it, each weighted by its `grad_tensors` (ones where None).

    tensors: one, or a list; grad_tensors: None, or tensors of their shapes. retain_graph: keep what another backward needs.
    """
    of = list(tensors) if isinstance(tensors, _Sequence) else [tensors]
    weights = list(grad_tensors) if isinstance(grad_tensors, _Sequence) else [grad_tensors] * len(of)
    _autograd.backward(of, weights, retain_graph)
