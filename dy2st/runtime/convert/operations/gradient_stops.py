"""`x.stop_gradient = True` of a tensor that the Program computes: from here on, x is what `detach` gives."""

from __future__ import annotations

from typing import Any

from ....errors import ConversionError
from ....ir.core import Operation, Value
from ....ir.types import ScalarType, TensorType
from ....ops.registry import OPERATORS
from ....ops.views import detach
from ...recorder.recorder import Recorder
from ...tensors.activity import holds_floats
from ...tensors.tensor import Tensor


def store_stop_gradient(rec: Recorder, x: Tensor, stops: Any) -> None:
    """Gradients that have begun to flow through x go on, as in plain Python.

    Refused is a tensor that something else may hold, too (an item, what a branch or a loop gives): that would have to know.
    """
    value = x._data
    if stops and holds_floats(value.type) and value not in rec.stopped:
        if not (_is_fresh(rec, value) and not any(_keeps(op, value) for op in rec.frame.block.walk())):
            raise ConversionError(
                f"{rec.here()}: stop_gradient = True of a tensor that more than one name, or another part of the Program, may "
                "hold: write y = x.detach(), and use y"
            )
        x._data = detach(x)._data
        rec.stopped.add(x._data)
    elif not stops and value in rec.stopped:
        raise ConversionError(
            f"{rec.here()}: stop_gradient = False of a tensor whose gradient was stopped: write y = x.detach(), and use both"
        )
    x.stop_gradient = stops


def _is_fresh(rec: Recorder, value: Value) -> bool:
    """Whether an operator has made the tensor in the Block that is open, and nothing had it before."""
    op = value.owner
    if not isinstance(op, Operation) or op.name not in OPERATORS or rec.home(value) is not rec.frame:
        return False
    return OPERATORS[op.name].allocates or all(map(_is_plain, op.operands))


def _keeps(op: Operation, value: Value) -> bool:
    """Whether an operation puts the tensor where it can be found again: in a container, a loop, a result."""
    return value in op.operands and (op.name not in OPERATORS or not all(map(_is_plain, (*op.operands, *op.results))))


def _is_plain(value: Value) -> bool:
    return isinstance(value.type, TensorType | ScalarType)
