"""The gradients that a function asks for itself, as in a training step: the backward is written right where they are asked for.

    %loss = ...                                %loss = ...                    and what the backward needs of it
    %g = gradients %loss, %w           ->      %s = gradient_start %loss
    sgd_ %w, %g                                ...                            from %s to %g
                                               sgd_ %w, %g

Forward and backward share their Block: what the loss is computed from lies in it. Parameters may be written before their use and
after the backward, not in between.
"""

from __future__ import annotations

from collections.abc import Collection

from ...ir.alias import Aliases, holds_memory
from ...ir.core import Block, Function, Operation, Program, Value
from ...ir.types import TensorType
from ...ops.registry import OPERATORS
from ...runtime.tensors.activity import Activity
from . import residuals
from .adjoints import Adjoints, Arrival
from .emitter import Emitter
from .hidden import refuse_hidden_flow, written
from .refusal import NotDifferentiableError
from .reverse import Reverse
from .shadows import shadows_of


def expand(program: Program) -> bool:
    """Write the backward in place of every `gradients`, in their order; whether there was one."""
    changed = False
    for function in program.functions.values():
        asking = [op for op in function.block.walk() if op.name == "gradients"]
        for k, op in enumerate(asking):
            differentiate(program, function, op, cut=k + 1 < len(asking) or not op.attrs.get("frees"))
            changed = True
    return changed


def differentiate(program: Program, function: Function, op: Operation, cut: bool = False) -> list[bool | None]:
    """Write the backward in place of one `gradients`. Whether a gradient reaches each of what it asks about; None: by the path.

    cut: somebody may differentiate what is computed from the gradients; without `create_graph`, that doesn't lead back here.
    """
    block, count = op.parent, 1 + bool(op.attrs.get("weighted"))
    assert block is not None
    loss, asked = op.operands[0], op.operands[count:]
    activity = Activity(program, function, asked)
    at = block.ops.index(op)
    tail, block.ops[at:] = block.ops[at:], []
    forward = _leading_to(loss, block.ops, activity, asked)
    inside = [o for top in forward for o in top.walk()]
    _refuse_writes(inside, activity, asked)
    emit, back = Emitter(), Block()
    adjoints = Adjoints(emit)
    with emit.at(back):
        reverse = Reverse(activity, asked, emit, shadows_of(inside, activity, emit))
        emit.loc, emit.path = op.loc, op.path
        seed = emit.op("gradient_start", *op.operands[:count], frees=bool(op.attrs.get("frees")))
        reverse.walk(block, adjoints, [(loss, Arrival(seed))])
        emit.loc, emit.path = op.loc, op.path
        given = [adjoints.complete(v) for v in asked]
        given = [emit.op("detach", g) for g in given] if cut and not op.attrs.get("create_graph") else given
        given = [adjoints.where_it_arrives(v, g) for v, g in zip(asked, given)]
    for made in back.ops:
        made.parent = block
    block.ops += [*back.ops, *tail[1:]]
    residuals.replace([function.block], dict(zip(op.results, given)))
    _refuse_overwritten(program, block.ops, forward, back.ops)
    return [None if v in adjoints.whether else v in adjoints.known for v in asked]


def _changed(op: Operation) -> list[Value]:
    """What an Operation writes. State is read where the Program starts: nothing comes back from there."""
    return [] if op.name == "state.set" else written(op)


def _leading_to(loss: Value, ops: list[Operation], activity: Activity, leaves: Collection[Value]) -> list[Operation]:
    """The Operations of a Block that the gradient of `loss` may flow through."""
    used, found = {loss}, []
    memory = {activity.aliases.group(loss)}
    for op in reversed(ops):
        inside = list(op.walk())
        kept = (v for o in inside for v in _changed(o) if v in activity and v not in leaves)
        if any(r in used for r in op.results) or any(activity.aliases.group(v) in memory for v in kept):
            found.append(op)
            operands = {v for o in inside for v in o.operands}
            used |= operands
            memory |= {activity.aliases.group(v) for v in operands if holds_memory(v.type)}
    return found[::-1]


def _refuse_writes(forward: list[Operation], activity: Activity, leaves: Collection[Value]) -> None:
    """What gradients would have to follow through memory."""
    others = [op for op in forward if op.name != "state.set" and not any(v in leaves for v in written(op))]
    for op in others:
        if op.name in OPERATORS and any(isinstance(v.type, TensorType) and v in activity for v in written(op)):
            raise NotDifferentiableError(
                op,
                f"backward() in a static function goes through {op.name}, which writes in place: compute a new tensor",
            )
    refuse_hidden_flow(others, activity)


def _refuse_overwritten(
    program: Program, ops: list[Operation], forward: list[Operation], back: list[Operation]
) -> None:
    """What the backward reads must still be what forward has read."""
    aliases = Aliases(program, OPERATORS)
    own = {v for op in back for o in op.walk() for v in (*o.results, *(a for b in o.blocks for a in b.args))}
    read = {v for op in back for o in op.walk() for v in o.operands if v not in own and isinstance(v.type, TensorType)}
    memory = {aliases.group(v) for v in read}
    seen: set = set()
    steps, behind = set(forward), set(back)
    for op in ops:
        if op in behind:
            return
        for o in op.walk():
            if any(isinstance(v.type, TensorType) and aliases.group(v) in seen for v in _changed(o)):
                raise NotDifferentiableError(
                    o, f"{o.name} changes in place what the gradient still needs; change a copy (`x.clone()`), or change it later"
                )
        if op in steps and op.name != "param":  # which reads nothing yet
            used = {v for o in op.walk() for v in (*o.operands, *o.results) if holds_memory(v.type)}
            seen |= {aliases.group(v) for v in used} & memory
