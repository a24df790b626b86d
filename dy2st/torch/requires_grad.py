"""`x.requires_grad_()` and `x.requires_grad = True` in converted code: which tensors may become leaves, as torch says it."""

from __future__ import annotations

from ..errors import ConversionError
from ..ops.dispatch import recorder_of_mode
from ..runtime.convert.operations.asked_flags import flows_through
from ..runtime.convert.operations.gradient_stops import store_stop_gradient
from ..runtime.tensors.activity import holds_floats, leaf_kind
from ..runtime.tensors.tensor import Tensor


def let_flow(x: Tensor, flows: bool) -> None:
    """Let gradients flow into a tensor, or no longer.

    RuntimeError: it is of whole numbers, or computed of a tensor that has a gradient. ConversionError: the path decides that.
    """
    rec = recorder_of_mode()
    value = x._data
    if flows and not holds_floats(value.type):
        raise RuntimeError("only Tensors of floating point dtype can require gradients")
    if flows:
        return store_stop_gradient(rec, x, False)
    has_gradient = flows_through(rec, value)
    if has_gradient is None:
        raise ConversionError(
            f"{rec.here()}: requires_grad = False of a tensor that a branch, a loop or a container gives: use x.detach()"
        )
    if not has_gradient:
        return None
    if leaf_kind(value.owner) or value in rec.program.entry.block.args:
        raise ConversionError(f"{rec.here()}: requires_grad = False of a leaf that gradients flow into: use x.detach()")
    raise RuntimeError(
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that "
        "doesn't require differentiation use var_no_grad = var.detach()."
    )
