"""Texts of tensors, as PyTorch writes them."""

from __future__ import annotations

from typing import Any

from ..errors import ConversionError, Dy2stWarning
from ..ops.dispatch import recorder_of_mode
from ..ops.registry import lookup
from ..runtime.convert.operations.asked_flags import flows_through
from ..runtime.tensors.grad_mode import is_grad_enabled
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.warn import warn_at
from .dtypes import default_float
from .packages import torch

NO_GRAD_FN = "the text of this tensor leaves out its grad_fn, which a Program doesn't have; write x.detach()"


def style() -> dict[str, Any]:
    """What torch.set_printoptions has set."""
    options = torch()._tensor_str.PRINT_OPTS
    names = ("precision", "threshold", "edgeitems", "linewidth", "sci_mode")
    return {name: getattr(options, name) for name in names}


def text_of(tensor: Tensor) -> Any:
    """str(tensor): a text that the Program makes."""
    rec: Any = recorder_of_mode()
    rec.facts.guards.answers.note(style, ())
    flows = flows_through(rec, tensor._data) if tensor.is_staged else not tensor.stop_gradient
    if flows and is_grad_enabled():  # where it follows the path, a text without grad_fn is right on one
        warn_at(rec.here(), NO_GRAD_FN, Dy2stWarning)
    return lookup("py.torch_text")(Tensor(tensor._data), **style(), default=default_float())


def formatted(tensor: Any, spec: Any) -> Any:
    """What `format` writes of a tensor: the number of one without axes, which takes a `spec`, or the text."""
    rank = None if tensor.static_shape is None else len(tensor.static_shape)
    if rank is None:
        raise ConversionError(f"{recorder_of_mode().here()}: the number of axes isn't known, which the text follows; reshape it")
    if not rank:
        return tensor.item()
    if spec:
        raise TypeError("unsupported format string passed to Tensor.__format__")
    return text_of(tensor)
