"""Tensors that a loop gives and that the code makes leaves, `x.requires_grad_()`: the complete Program tells whether they were.

    for _ in range(n):
        x.requires_grad_()                                  detach %x, leaf="open"
        (g,) = torch.autograd.grad(energy(x).sum(), x)
        x = (x - g).detach()                                nothing flows through %x: it becomes a leaf, leaf="made"
        x = x - g                                           gradients flow through %x on a later turn, and not on the first
"""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import ConversionError
from ...ir.core import Operation, Program, Value
from ..recorder.recorder import Recorder
from ..tensors.activity import handed_on, leaf_kind
from ..tensors.gradient_marks import GradientMarks


def settle_leaves(rec: Recorder) -> None:
    """Write which operations make leaves. ConversionError where that follows the path, or where the leaf is the caller's."""
    program = rec.program
    found = [op for op in program.walk() if leaf_kind(op) == "open"]
    if not found:
        return
    args = program.entry.block.args
    bits: dict[int | str, int] = {k: 1 for k, arg in enumerate(args) if arg in rec.flowing}
    bits |= {name: 1 for name, tensor in rec.tensors.items() if not tensor.stop_gradient}
    marks = GradientMarks(program, program.entry, bits, leaf=1, inside=1)
    for op in found:
        flows = marks.of(op.operands[0])
        if flows is None:
            raise ConversionError(
                f"{op.loc}: requires_grad = True of a tensor that has a gradient on one path and none on another: write "
                "x = x.detach() before"
            )
        if any(value in args for value in _given(program, op.operands[0])):
            raise ConversionError(
                f"{op.loc}: requires_grad = True of a tensor that is the caller's in the first turn of the loop: let the loop "
                "begin with x.clone()"
            )
        if flows:
            _take_out(program, op)
        else:
            op.attrs["leaf"] = "made"


def _take_out(program: Program, op: Operation) -> None:
    """Let the operand stand for the result."""
    for user in program.walk():
        user.operands = [op.operands[0] if v is op.result else v for v in user.operands]
    assert op.parent is not None
    op.parent.ops.remove(op)


def _given(program: Program, value: Value) -> Iterator[Value]:
    """The Values that branches and loops hand on to become this one."""
    takers: dict[Value, list[Value]] = {}
    for op in program.walk():
        for given, taken in handed_on(op):
            takers.setdefault(taken, []).append(given)
    pending, seen = [value], {value}
    while pending:
        yield (current := pending.pop())
        new = [v for v in takers.get(current, ()) if v not in seen]
        seen.update(new)
        pending += new
