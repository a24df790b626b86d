"""`x.stop_gradient` and `x.requires_grad`, as converted code asks for them: the Program so far tells, with its writes in place.

    while k < n:
        flags.append(u.requires_grad)     False, unless a write of an earlier turn gives u a gradient: the complete loop tells
        u.add_(x)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import chain

from ....errors import ConversionError
from ....ir.core import Block, Loc, Operation, Value
from ....ir.types import ScalarType, TensorType
from ....ops.registry import OPERATORS
from ...recorder.recorder import Recorder
from ...tensors.activity import holds_floats, leading_operands, passes_gradients, with_bases
from ...tensors.gradient_marks import changed_by, is_structural
from ...tensors.tensor import Tensor


def load_stop_gradient(rec: Recorder, x: Tensor, name: str = "stop_gradient") -> bool:
    """Whether no gradient flows through a tensor. name: the attribute that the user reads.

    ConversionError: a branch, a loop, a container or a write in place may have given it a gradient.
    """
    value = rec.lower(x)
    found = flows_through(rec, value)
    if found is None:
        raise _unknown(rec.here(), name)
    if not found and rec.loops:
        rec.checks_at_end.append(partial(_check_loop, rec, value, rec.frame.block, rec.here(), name))
    return not found


def refuse_written_outside(rec: Recorder, owner: object, name: str) -> None:
    """ConversionError where a write gives a gradient to a tensor from outside, whose own flag says otherwise."""
    lifted = rec.facts.policy.lifted(owner)
    tensor = owner if lifted is None else lifted
    if isinstance(tensor, Tensor) and tensor.stop_gradient and (rec.tensor_writes or rec.loops):
        load_stop_gradient(rec, tensor, name)


def _check_loop(rec: Recorder, value: Value, block: Block, loc: Loc | None, name: str) -> None:
    """ConversionError where a later line of a loop gives a gradient to a tensor that a line before it has found without."""
    loop = _outermost_loop(block)
    if loop is not None and flows_through(rec, value, loop.blocks[-1].walk()) is None:
        raise _unknown(loc, name)


def _unknown(loc: Loc | None, name: str) -> ConversionError:
    return ConversionError(
        f"{loc}: {name} of a tensor isn't known while staging where a branch, a loop, a container or a write in place may have "
        "given it a gradient; ask before that, or ask the tensors that it is computed from"
    )


def _outermost_loop(block: Block) -> Operation | None:
    """The loop of the Program that a Block is in; None for one that was recorded again since."""
    found = None
    while isinstance(op := block.parent, Operation):
        found = op if op.name == "while" else found
        if op.parent is None or op not in op.parent.ops:
            return None
        block = op.parent
    return found


def flows_through(rec: Recorder, value: Value, writes: Iterable[Operation] | None = None) -> bool | None:
    """Whether a gradient flows through a tensor; None: it may, as a path, a container or a write in place decides.

    writes: the operations that may write in place; None: all that are recorded so far.
    """
    seen: set[Value] = set()
    found = _search(rec, [value], seen)
    if found is not False or not rec.has_gradients:
        return found
    pending = [op for op in (rec.tensor_writes if writes is None else writes) if any(map(_is_floats, changed_by(op)))]
    while touching := [op for op in pending if _touches(rec, op, seen)]:
        pending = [op for op in pending if op not in touching]
        if _search(rec, [v for op in touching for v in _written_from(op)], seen) is not False:
            return None
    return False


def _search(rec: Recorder, pending: list[Value], seen: set[Value]) -> bool | None:
    """Whether a gradient flows through one of the pending Values; None: perhaps. seen: takes all that they are computed from."""
    is_open = False
    while pending:
        current = pending.pop()
        op = current.owner
        if current in seen or not holds_floats(current.type):
            continue
        seen.add(current)
        if current in rec.flowing:
            return True
        if not isinstance(op, Operation):
            if current not in rec.program.entry.block.args:
                is_open = True  # carried by a loop, or given to a Function of the Program
        elif op.name == "param":
            if not rec.tensors[op.attrs["name"]].stop_gradient:
                return True
        elif op.name == "gradients":
            pending.extend(op.operands if op.attrs.get("create_graph") else ())
        elif op.blocks or op.name not in OPERATORS or is_item(op):
            is_open = True
        elif passes_gradients(op):
            pending.extend(op.operands[: op.n_positional])
    return None if is_open and rec.has_gradients else False


def is_item(op: Operation) -> bool:
    """Whether an operation takes something out of a container, or what holds more than a number or a tensor."""
    return any(not isinstance(x.type, TensorType | ScalarType) for x in op.operands)


def _is_floats(value: Value) -> bool:
    return holds_floats(value.type)


def _written_from(op: Operation) -> list[Value]:
    """The operands that an operation writes something of into others."""
    changed = changed_by(op)
    return [v for v in leading_operands(op) if v not in changed]


def _touches(rec: Recorder, op: Operation, values: set[Value]) -> bool:
    """Whether an operation may write into the memory of one of some tensors, or of one that it is a view of."""
    bases = set(chain.from_iterable(map(with_bases, values)))
    for target in changed_by(op):
        of_target = list(with_bases(target))
        if not bases.isdisjoint(of_target):
            return True
        if _may_be_another(of_target[-1]) and any(_is_held(rec, base) for base in bases):
            return True
    return False


def _may_be_another(value: Value) -> bool:
    """Whether a tensor may be another one: a container, a branch or a loop has given it."""
    op = value.owner
    return not isinstance(op, Operation) or bool(op.blocks) or is_item(op)


def _is_held(rec: Recorder, value: Value) -> bool:
    """Whether a container, a branch or a loop has been given a tensor."""
    ops = chain.from_iterable(frame.block.walk() for frame in rec.frames)
    return any(value in op.operands and (op.name not in OPERATORS or is_structural(op)) for op in ops)
