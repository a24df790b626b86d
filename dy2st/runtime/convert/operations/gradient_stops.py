"""`x.stop_gradient` of a tensor. What `x.stop_gradient = True` makes of one that the Program computes is what `detach` gives."""

from __future__ import annotations

from typing import Any

from ....errors import ConversionError
from ....ir.core import Operation, Value
from ....ir.types import ScalarType, TensorType
from ....ops.registry import OPERATORS
from ....ops.views import detach
from ...proxies import Staged
from ...recorder.recorder import Recorder
from ...tensors.activity import holds_floats, passes_gradients
from ...tensors.tensor import Tensor
from .asked_flags import flows_through, is_item

_ASK = ("py.dim", "py.dims", "py.rank")


def store_stop_gradient(rec: Recorder, x: Tensor, stops: Any) -> None:
    """`x.stop_gradient = stops`. ConversionError where the path, or the Program, would decide it."""
    if isinstance(stops, Tensor | Staged):
        raise ConversionError(
            f"{rec.here()}: stop_gradient = a value that is known only when the Program runs; write y = x.detach() on the path "
            "that is to stop gradients"
        )
    if not x.is_staged:
        _store_outside(rec, x, stops)
    elif stops:
        _stop(rec, x)
    else:
        _let_flow(rec, x)


def _store_outside(rec: Recorder, x: Tensor, stops: bool) -> None:
    """Staging stores it, so each call is to come to this line; those that find it stored have a Program of their own."""
    before = x.stop_gradient
    if before is not stops and (rec.frame is not rec.frames[0] or rec.exceptions):
        raise ConversionError(
            f"{rec.here()}: stop_gradient = {stops} of a tensor from outside, which not every call comes to; set it outside of "
            "this function, or write y = x.detach(), and use y"
        )
    if before is not stops:
        rec.facts.guards.end()
        rec.facts.flags.set(x, stops)


def _stop(rec: Recorder, x: Tensor) -> None:
    """Gradients that have begun to flow through x go on, as in plain Python.

    Refused is a tensor that something else may hold, too (an item, what a branch or a loop gives): that would have to know.
    Through one that is computed of truths or integers alone, such as `cast(labels == c, "float32")`, no gradient flows anyway.
    """
    value = x._data
    if holds_floats(value.type) and value not in rec.stopped and not _never_flows(rec, value):
        if not _is_unshared(rec, value):
            raise ConversionError(
                f"{rec.here()}: stop_gradient = True of a tensor that more than one name, or another part of the Program, may "
                "hold: write y = x.detach(), and use y"
            )
        x._data = detach(x)._data
        rec.stopped.add(x._data)
    x.stop_gradient = True


def _let_flow(rec: Recorder, x: Tensor) -> None:
    """Gradients flow into x from here on, as into a leaf; where they flow through x, it stays as it is."""
    value = x._data
    flows, is_input = flows_through(rec, value), value in rec.program.entry.block.args
    is_used = is_input and any(value in op.operands and op.name not in _ASK for frame in rec.frames for op in frame.block.walk())
    if flows and (is_used or not is_input):  # an InputSpec says that gradients flow into an input, the caller's tensor may not
        x.stop_gradient = False
        return
    if value in rec.stopped:
        raise ConversionError(
            f"{rec.here()}: stop_gradient = False of a tensor whose gradient was stopped: write y = x.detach(), and use both"
        )
    if rec.loops and rec.home(value) is not rec.frame:
        rec.loops[-1].carry(x)
    is_carried = value in rec.frame.block.args  # by a loop: a later turn may give it a gradient
    kind = "input" if is_input else "open" if is_carried or flows is None else "made"
    if rec.home(value) is not rec.frame or is_used:
        raise ConversionError(
            f"{rec.here()}: stop_gradient = False (requires_grad = True) on one path only, or of an input that was used before: "
            "set it before, or on a tensor of its own, y = x.detach()"
        )
    if not (is_input or is_carried or _is_unshared(rec, value)):
        raise ConversionError(
            f"{rec.here()}: stop_gradient = False (requires_grad = True) of a tensor that more than one name, or another part of "
            "the Program, may hold: set it on a tensor of its own, y = x.detach()"
        )
    x._data = detach(x, leaf=kind)._data
    x.stop_gradient = False
    rec.flowing.add(x._data)


def _never_flows(rec: Recorder, value: Value) -> bool:
    """Whether no gradient can arrive at the tensor, made in this turn of the loop: nothing it is computed of has one."""
    home = rec.home(value)
    is_of_this_turn = home is not None and (not rec.loops or home.level > rec.loops[-1].frame.level)
    if not is_of_this_turn or _depends_on_floats(value):
        return False
    return not any(_writes(op, value) for frame in rec.frames for op in frame.block.walk())


def _depends_on_floats(value: Value) -> bool:
    """Whether gradients lead from a tensor to a floating-point input, parameter or result of control flow."""
    pending, seen = [value], set()
    while pending:
        op = (current := pending.pop()).owner
        if current in seen or not holds_floats(current.type):
            continue
        if not isinstance(op, Operation) or op.name not in OPERATORS or op.blocks:
            return True
        if is_item(op):
            return True  # which may have come from anywhere
        seen.add(current)
        if passes_gradients(op):
            pending.extend(op.operands)
    return False


def _writes(op: Operation, value: Value) -> bool:
    """Whether an operation may write into the memory of a tensor."""
    written = OPERATORS[op.name].mutates if op.name in OPERATORS else ()
    bases = [_base(op.operands[i]) for i in written if holds_floats(op.operands[i].type)]
    return any(base is None or base is _base(value) for base in bases)


def _base(value: Value) -> Value | None:
    """The tensor that an operator made whose memory this one shares; None where that can't be seen."""
    op = value.owner
    while isinstance(op, Operation) and op.name in OPERATORS and OPERATORS[op.name].view is not None:
        value = op.operands[0]
        op = value.owner
    return value if isinstance(op, Operation) and op.name in OPERATORS else None


def _is_unshared(rec: Recorder, value: Value) -> bool:
    """Whether an operator has just made the tensor, and no other part of the Program holds it."""
    return _is_fresh(rec, value) and not any(_keeps(op, value) for op in rec.frame.block.walk())


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
