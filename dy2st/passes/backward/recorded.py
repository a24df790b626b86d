"""`loss.backward()` and `grad(loss, xs)` while a function is staged: one operation, `gradients`, until the Program is complete.

Which parameters a gradient reaches decides which get one, as in plain Python; so the backward is tried on a copy at once. A
gradient that only some paths reach is None on the others, as there: a sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...errors import StagedValueError
from ...ir.core import Block, Function, Operation, Program, Value
from ...ir.join import join_types
from ...ir.types import NONE
from ...ops.elementwise import add
from ...runtime.recorder.recorder import Recorder
from ...runtime.tensors.activity import holds_floats
from ...runtime.tensors.tensor import Tensor
from ..copying import Copy
from .refusal import NotDifferentiableError
from .within import differentiate


def backward(rec: Recorder, loss: Tensor, weight: Tensor | None) -> None:
    """Add to the gradients of the parameters that `loss` was computed from."""
    known = rec.frame.body.parameters
    leaves = [t for name, t in rec.tensors.items() if name in known and not t.stop_gradient and t.is_floating_point()]
    for leaf in leaves:
        rec.facts.guards.read(leaf, None, ("stop_gradient",))
    gradients = gradients_of(rec, loss, weight, leaves, frees=True)
    if all(g is None for g in gradients):
        raise StagedValueError(
            f"{rec.here()}: backward: nothing here requires a gradient: no parameter with stop_gradient=False leads to this "
            "tensor; the gradient of an input is grad(loss, [x])"
        )
    rec.follow_gradients([leaf for leaf, gradient in zip(leaves, gradients) if gradient is not None])
    for leaf, gradient in zip(leaves, gradients):
        if gradient is not None:
            _accumulate(rec, leaf, gradient)


def _accumulate(rec: Recorder, leaf: Tensor, gradient: Tensor) -> None:
    if leaf.__dict__.get("_hooks"):
        raise StagedValueError(f"{rec.here()}: backward: {leaf.name or 'a parameter'} has a hook; call backward() outside")
    rec.set_gradient(leaf, _sum(rec, rec.gradient_of(leaf), gradient))


def _sum(rec: Recorder, before: Any, gradient: Any) -> Any:
    """The sum of two gradients, each of which may be None, or follow the path."""
    if _is_open(before):
        return rec.on_alternatives(before, lambda b: _sum(rec, b, gradient))
    if _is_open(gradient):
        return rec.on_alternatives(gradient, lambda g: _sum(rec, before, g))
    return add(before, gradient) if before is not None and gradient is not None else gradient if before is None else before


def _is_open(gradient: Any) -> bool:
    return gradient is not None and not isinstance(gradient, Tensor)


def grad(
    rec: Recorder, outputs: list, inputs: list[Tensor], weights: list, create_graph: bool, allow_unused: bool, no_grad_vars: Any
) -> list[Tensor | None]:
    """`grad(loss, xs)`, for one output, with respect to inputs of the function and parameters."""
    if len(outputs) != 1 or no_grad_vars is not None:
        raise StagedValueError(f"{rec.here()}: grad in a static function takes one output, and no no_grad_vars")
    for x in inputs:
        if x.is_staged and isinstance(x._data.owner, Operation):
            raise StagedValueError(
                f"{rec.here()}: grad in a static function is that with respect to its inputs and parameters; make what is "
                "computed in between an input, or call dy2st.func.grad outside of the static function"
            )
    gradients = gradients_of(rec, outputs[0], weights[0], inputs, create_graph=create_graph)
    gradients = [None if x.stop_gradient else g for x, g in zip(inputs, gradients)]
    return rec.heap.born_here(gradients if allow_unused else [_used(rec, g) for g in gradients])


def _used(rec: Recorder, gradient: Any) -> Any:
    """A gradient that must be there."""
    if _is_open(gradient):
        return rec.on_alternatives(gradient, lambda g: _used(rec, g))
    if gradient is None:
        raise RuntimeError(
            "grad: the outputs don't depend on an input, or it has stop_gradient=True; pass allow_unused=True to get None for it"
        )
    return gradient


def gradients_of(rec: Recorder, loss: Tensor, weight: Tensor | None, asked: list[Tensor], **how: bool) -> list:
    """The gradients of `loss` as Variables; None where none arrives, a Variable of both where that follows the path."""
    _refuse_second(rec, loss)
    given = [rec.lower(x) for x in ([loss] if weight is None else [loss, weight])]
    values = [rec.lower(x) for x in asked]
    attrs = {name: True for name, on in {"weighted": weight is not None, **how}.items() if on}
    reached = _reached(rec, given, values, attrs)
    wanted = [v for v, is_reached in zip(values, reached) if is_reached is not False]
    types = [join_types(v.type, NONE) if r is None else v.type for v, r in zip(values, reached) if r is not False]
    results = iter(rec.emit("gradients", [*given, *wanted], types, attrs).results)
    return [None if is_reached is False else rec.wrap(next(results)) for is_reached in reached]


def _refuse_second(rec: Recorder, loss: Tensor) -> None:
    for frame in rec.frames:
        for op in frame.block.ops:
            if op.name == "gradients" and op.operands[0] is loss._data and op.attrs.get("frees"):
                raise RuntimeError("backward: the graph of this tensor was already used by an earlier backward()")


def _reached(rec: Recorder, given: list[Value], asked: list[Value], attrs: dict[str, Any]) -> list[bool | None]:
    """Whether a gradient reaches each Value (None: by the path), found on a copy of what the open Block has recorded."""
    copy, block = Copy(), Block()
    around = [v for v in _from_around(rec.frame.block, [*given, *asked]) if not _is_constant(v)]
    for value in (*rec.frame.block.args, *around):
        copy.values[value] = Value(value.type, value.name, block)
        block.args.append(copy.values[value])
    for value in _from_around(rec.frame.block, given):
        if isinstance(value.owner, Operation) and _is_constant(value):
            block.append(copy.operation(value.owner))
    for op in rec.frame.block.ops:
        block.append(copy.operation(op))
    for old, new in copy.values.items():
        new.type = rec.type_of_value(old)
    outer = [v for v in around if v not in asked and holds_floats(v.type) and _depends(v, set(asked), rec.frame.body.block)]
    targets = [*asked, *outer]
    types = [v.type for v in targets]
    op = Operation("gradients", [copy.values[v] for v in (*given, *targets)], attrs, types, (), rec.here(), rec.path)
    block.append(op)
    block.append(Operation("return", [copy.values[given[0]]]))
    function = Function("main", block)
    program = Program({"main": function}, dict(rec.program.parameters), dict(rec.program.state), rec.program.errors)
    try:
        reached = differentiate(program, function, op)
    except NotDifferentiableError as why:
        raise StagedValueError(f"{why}; call backward() on the result of the static function instead, outside of it") from why
    if any(is_reached is not False for is_reached in reached[len(asked) :]):
        raise StagedValueError(
            f"{rec.here()}: backward() stands in a branch or a loop, and what it differentiates begins outside of it; compute "
            "the loss where backward() is called, or call backward() on the result of the static function"
        )
    return reached[: len(asked)]


def _from_around(block: Block, more: list[Value]) -> Iterator[Value]:
    """The Values that a Block uses and doesn't define, each once."""
    inside = set(block.args)
    seen: set[Value] = set()
    for op in block.walk():
        inside.update(op.results, (v for b in op.blocks for v in b.args))
    for value in (*(v for op in block.walk() for v in op.operands), *more):
        if value not in inside and value not in seen:
            seen.add(value)
            yield value


def _is_constant(value: Value) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name in ("const", "atom")


def _depends(value: Value, leaves: set[Value], body: Block) -> bool:
    """Whether a Value may be computed from one of the leaves; what a loop carries may, what the Function is given is not."""
    seen, pending = set(), [value]
    while pending:
        value, made = pending[-1], pending.pop().owner
        if value in leaves or (not isinstance(made, Operation) and made is not body):
            return True
        if isinstance(made, Operation) and made not in seen:
            seen.add(made)
            pending += [v for op in (made, *(o for b in made.blocks for o in b.walk())) for v in op.operands]
    return False
