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
from ...ops.registry import lookup
from ...runtime.convert.operations.asked_flags import flows_through
from ...runtime.recorder.recorder import Recorder
from ...runtime.tensors.activity import holds_floats
from ...runtime.tensors.tensor import Tensor
from ..copying import Copy
from .refusal import NotDifferentiableError
from .within import EARLIER, expand_function

UNUSED = "grad: the outputs don't depend on an input, or it has stop_gradient=True; pass allow_unused=True to get None for it"


def backward(rec: Recorder, loss: Tensor, weight: Tensor | None) -> None:
    """Add to the gradients of the parameters that `loss` was computed from."""
    known = rec.frame.body.parameters
    leaves = [t for name, t in rec.tensors.items() if name in known and not t.stop_gradient and t.is_floating_point()]
    for leaf in leaves:
        rec.facts.guards.read_flag(leaf)
    gradients = gradients_of(rec, [loss], [weight], leaves, frees=True)
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
    """`grad(outputs, inputs)`: None for an input that no gradient reaches, where `allow_unused`."""
    if no_grad_vars is not None:
        raise StagedValueError(f"{rec.here()}: grad in a static function takes no no_grad_vars; write y = x.detach(), and use y")
    gradients = gradients_of(rec, outputs, weights, inputs, create_graph=create_graph)
    gradients = [None if flows_through(rec, rec.lower(x)) is False else g for x, g in zip(inputs, gradients)]
    return rec.heap.born_here(gradients if allow_unused else [used(rec, g, UNUSED) for g in gradients])


def used(rec: Recorder, gradient: Any, says: str) -> Any:
    """A gradient that must be there: RuntimeError with these words where it isn't."""
    if _is_open(gradient):
        return rec.on_alternatives(gradient, lambda g: used(rec, g, says))
    if gradient is None:
        raise RuntimeError(says)
    return gradient


def or_zeros(rec: Recorder, gradient: Any, x: Tensor) -> Any:
    """A gradient of x; zeros where none arrives."""
    if _is_open(gradient):
        return rec.on_alternatives(gradient, lambda g: or_zeros(rec, g, x))
    return lookup("zeros_like")(x) if gradient is None else gradient


def gradients_of(rec: Recorder, outputs: list, weights: list, asked: list[Tensor], **how: bool) -> list:
    """The gradients of the outputs as Variables; None where none arrives, a Variable of both where that follows the path.

    weights: one for each output, None for ones.
    """
    _refuse_second(rec, outputs)
    weighed = [k for k, weight in enumerate(weights) if weight is not None]
    given = [rec.lower(x) for x in (*outputs, *(weights[k] for k in weighed))]
    values = [rec.lower(x) for x in asked]
    attrs = {"outputs": len(outputs), "weighed": weighed, **{name: True for name, on in how.items() if on}}
    reached = _reached(rec, given, values, attrs)
    wanted = [v for v, is_reached in zip(values, reached) if is_reached is not False]
    types = [join_types(v.type, NONE) if r is None else v.type for v, r in zip(values, reached) if r is not False]
    results = iter(rec.emit("gradients", [*given, *wanted], types, attrs).results)
    return [None if is_reached is False else rec.wrap(next(results)) for is_reached in reached]


def _refuse_second(rec: Recorder, outputs: list[Tensor]) -> None:
    for op in (op for frame in rec.frames for op in frame.block.ops):
        if op.name == "gradients" and op.attrs.get("frees") and any(x._data in op.operands[:1] for x in outputs):
            raise RuntimeError("backward: the graph of this tensor was already used by an earlier backward()")


def _reached(rec: Recorder, given: list[Value], asked: list[Value], attrs: dict[str, Any]) -> list[bool | None]:
    """Whether a gradient reaches each Value (None: by the path), found on a copy of what the open Blocks have recorded."""
    frames = [frame for frame in rec.frames if frame.body is rec.frame.body]
    recorded = Block()
    recorded.ops = [op for frame in frames for op in frame.block.ops]
    carried = [v for frame in frames[1:] for v in frame.block.args if holds_floats(v.type) and v not in asked]
    copy, block = Copy(), Block()
    for value in (*(v for frame in frames for v in frame.block.args), *_from_around(recorded, [*given, *asked])):
        if value not in copy.values:
            copy.values[value] = Value(value.type, value.name, block)
            block.args.append(copy.values[value])
    for op in recorded.ops:
        block.append(copy.operation(op))
    for old, new in copy.values.items():
        new.type = rec.type_of_value(old)
    targets = [*asked, *carried]
    operands, types = [copy.values[v] for v in (*given, *targets)], [v.type for v in targets]
    op = Operation("gradients", operands, attrs, types, (), rec.here(), rec.path)
    block.append(op)
    block.append(Operation("return", [copy.values[given[0]]]))
    function = Function("main", block)
    program = Program({"main": function}, dict(rec.program.parameters), dict(rec.program.state), rec.program.errors)
    try:
        reached = expand_function(program, function)[-1]
    except NotDifferentiableError as why:
        raise StagedValueError(f"{why}; ask for the gradient outside of the static function, of its result") from why
    found = reached[: len(asked)]
    if False in found and any(is_reached is not False for is_reached in reached[len(asked) :]):
        raise StagedValueError(f"{rec.here()}: {EARLIER}, or ask outside of the static function")
    return found


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
