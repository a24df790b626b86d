"""The gradients that a function asks for itself, as in a training step: the backward is written right where they are asked for.

    %loss = ...                                %loss = ...                    and what the backward needs of it
    %g = gradients %loss, %w           ->      %s = gradient_start %loss
    sgd_ %w, %g                                ...                            from %s to %g
                                               sgd_ %w, %g

The outputs are computed in the Block of the question and in those around it, and not in an earlier turn of a loop around it. The
gradient of a Value that was computed is that of what is computed from it. Parameters may be written before their use and after
the backward, not in between.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from ...ir.alias import Aliases, holds_memory
from ...ir.core import Block, Function, Operation, Program, Value
from ...ir.types import TensorType
from ...ops.registry import OPERATORS
from ...runtime.tensors.activity import Activity
from . import residuals
from .adjoints import Adjoints, Arrival
from .again import compute_again
from .emitter import Emitter
from .hidden import refuse_hidden_flow, written
from .refusal import NotDifferentiableError
from .reverse import Reverse
from .shadows import shadows_of

EARLIER = "what is differentiated here begins in an earlier turn of the loop: compute it in the turn that asks for its gradient"


class Question(NamedTuple):
    """The operands of `gradients`: the outputs, their weights (None: ones), and the Values whose gradients are asked for."""

    outputs: list[Value]
    weights: list[Value | None]
    asked: list[Value]

    @classmethod
    def of(cls, op: Operation) -> Question:
        """The question that an operation asks."""
        count, weighed = op.attrs["outputs"], op.attrs["weighed"]
        given = iter(op.operands[count:])
        weights = [next(given) if k in weighed else None for k in range(count)]
        return cls(op.operands[:count], weights, list(given))


class Level(NamedTuple):
    """A Block around a question, and the operation in it that is the question or contains it."""

    block: Block
    op: Operation

    @property
    def before(self) -> list[Operation]:
        """The operations of the Block before."""
        return self.block.ops[: self.block.ops.index(self.op)]


def levels_of(op: Operation) -> Iterator[Level]:
    """The Blocks around an operation, from its own to that of the Function."""
    owner: Operation | Function | None = op
    while isinstance(owner, Operation):
        assert owner.parent is not None
        yield Level(owner.parent, owner)
        owner = owner.parent.parent


def expand(program: Program) -> bool:
    """Write the backward in place of every `gradients`, in their order; whether there was one."""
    return sum(len(expand_function(program, function)) for function in program.functions.values()) > 0


def expand_function(program: Program, function: Function) -> list[list[bool | None]]:
    """Those of one Function; for each, whether a gradient reaches each of what it asks about; None: by the path."""
    asking = [op for op in function.block.walk() if op.name == "gradients"]
    last = len(asking) - 1
    return [_differentiate(program, function, op, k < last or not op.attrs.get("frees")) for k, op in enumerate(asking)]


def _differentiate(program: Program, function: Function, op: Operation, cut: bool) -> list[bool | None]:
    """Write the backward in place of one `gradients`; whether gradients arrive.

    cut: somebody may differentiate what is computed from the gradients; without `create_graph`, that doesn't lead back here.
    """
    question, levels = Question.of(op), list(levels_of(op))
    asked = question.asked
    activity = Activity(program, function, asked)
    before = [o for level in reversed(levels) for o in level.before]
    forward = _leading_to(question.outputs, before, activity, asked)
    inside = [o for top in forward for o in top.walk()]
    _refuse_writes(inside, activity, asked)
    emit, back = Emitter(), Block()
    adjoints = Adjoints(emit, asked)
    with emit.at(back):
        reverse = Reverse(program, activity, asked, emit, shadows_of(inside, activity, emit))
        emit.loc, emit.path = op.loc, op.path
        _walk(reverse, adjoints, question, levels, set(forward), bool(op.attrs.get("frees")))
        emit.loc, emit.path = op.loc, op.path
        given = [adjoints.complete(v) for v in asked]
        given = [emit.op("detach", g) for g in given] if cut and not op.attrs.get("create_graph") else given
        given = [adjoints.where_it_arrives(v, g) for v, g in zip(asked, given)]
    _refuse_earlier_turns(program, function, op, adjoints, levels, asked)
    for level in levels:
        compute_again(program, level.block, back)
    _replace(op, back)
    residuals.replace([function.block], dict(zip(op.results, given)))
    _refuse_overwritten(program, levels, forward, back.ops)
    return [None if v in adjoints.whether else v in adjoints.known for v in asked]


def _walk(
    reverse: Reverse, adjoints: Adjoints, question: Question, levels: Sequence[Level], forward: set[Operation], frees: bool
) -> None:
    """Append the backward of `forward`, from the innermost Block to the outermost one that it needs."""
    arrived = []
    for output, weight in zip(question.outputs, question.weights):
        if weight is None:
            start = reverse.emit.op("gradient_start", output, frees=frees)
        elif frees:
            start = reverse.emit.op("gradient_start", output, weight, frees=True)
        else:
            start = reverse.emit.op("assign", weight)  # which may have a gradient
        arrived.append((output, Arrival(start)))
    for k, level in enumerate(levels):
        reverse.walk([op for op in level.before if op in forward], adjoints, arrived if k == 0 else ())
        outer = {further.block for further in levels[k + 1 :]}
        if not any(v.block in outer for v in adjoints.known):
            break


def _replace(op: Operation, back: Block) -> None:
    """Put the operations of a Block in the place of an operation."""
    block = op.parent
    assert block is not None
    at = block.ops.index(op)
    block.ops[at : at + 1] = back.ops
    for made in back.ops:
        made.parent = block


def _refuse_earlier_turns(
    program: Program, function: Function, op: Operation, adjoints: Adjoints, levels: Sequence[Level], asked: list[Value]
) -> None:
    """NotDifferentiableError where gradients go on to what an earlier turn of a loop has computed from what is asked about.

    What a turn computes itself is another tensor than that of an earlier turn, to which no gradient flows.
    """
    for k, level in enumerate(levels[:-1]):
        carried = [v for v in level.block.args if v in adjoints.known]
        around = {outer.block for outer in levels[k + 1 :]}
        outside = [v for v in asked if v.block in around]
        if carried and outside and any(v in Activity(program, function, outside) for v in carried):
            raise NotDifferentiableError(op, EARLIER)


def _changed(op: Operation) -> list[Value]:
    """The memory that an Operation writes. State is read where the Program starts: nothing comes back from there."""
    return [] if op.name == "state.set" else written(op)


def _leading_to(
    outputs: Collection[Value], ops: list[Operation], activity: Activity, leaves: Collection[Value]
) -> list[Operation]:
    """The Operations that gradients of the outputs may flow through."""
    used, found = set(outputs), []
    memory = {activity.aliases.group(output) for output in outputs}
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
                f"a gradient asked for in a static function goes through {op.name}, which writes in place: compute a new tensor",
            )
    refuse_hidden_flow(others, activity)


def _refuse_overwritten(program: Program, levels: Sequence[Level], forward: list[Operation], back: list[Operation]) -> None:
    """Check that nothing has written the memory that the backward reads since forward has read it."""
    aliases = Aliases(program, OPERATORS)
    own = {v for op in back for o in op.walk() for v in (*o.results, *(a for b in o.blocks for a in b.args))}
    read = {v for op in back for o in op.walk() for v in o.operands if v not in own and isinstance(v.type, TensorType)}
    memory = {aliases.group(v) for v in read}
    seen: set = set()
    steps = set(forward)
    for op in _run_before(levels, back) if back else ():
        for o in op.walk():
            if any(isinstance(v.type, TensorType) and aliases.group(v) in seen for v in _changed(o)):
                raise NotDifferentiableError(
                    o, f"{o.name} changes in place what the gradient still needs; change a copy (`x.clone()`), or change it later"
                )
        if op in steps and op.name != "param":  # which reads nothing yet
            used = {v for o in op.walk() for v in (*o.operands, *o.results) if holds_memory(v.type)}
            seen |= {aliases.group(v) for v in used} & memory


def _run_before(levels: Sequence[Level], back: list[Operation]) -> Iterator[Operation]:
    """What runs before a backward, from the outside in; all of a loop around it, whose earlier turns do."""
    for level in reversed(levels):
        ops = level.block.ops
        yield from ops[: ops.index(back[0] if level is levels[0] else level.op)]
        if level is not levels[0] and level.op.name == "while":
            yield level.op
