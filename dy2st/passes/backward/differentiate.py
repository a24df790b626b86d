"""From a Program to the Programs of its gradients.

    gradient(program, [0, "w"])             %inputs, %g -> (gradient of input 0, gradient of parameter w)

    split(program, [0, "w"])                forward:  %inputs -> (result, *residuals)
                                            backward: %residuals, %g -> (gradients)

%g has the type of the result and holds the gradient of some number with respect to each floating-point tensor in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...ir.core import Function, Operation, Program, Value
from ...ir.functions import reached
from ...ir.types import TensorType, TupleType
from ...runtime.tensors.activity import holds_floats
from ..base import Pipeline
from . import residuals
from .again import compute_again
from .draft import Asked, Draft

_CLEAN = ("dead_code",)


@dataclass
class Split:
    """A forward and a backward, in one Program.

    program: its first Functions are the two; forward, backward: their names in it. given: the inputs (by number) and parameters
    (by name) that were asked about and that the backward gives a gradient of. A gradient is None where the path that forward took
    doesn't lead to it.
    """

    program: Program
    given: list[int | str]
    forward: str
    backward: str


def gradient(program: Program, asked: Asked) -> Program:
    """A Program from the inputs and the gradient of the result to a tuple of the gradients of what is asked about."""
    draft = Draft(program, asked, program.entry.name)
    weight = draft.back.args[0]
    _in_one(draft)
    weight.owner = draft.function.block
    draft.function.block.args.append(weight)
    return _cleaned(draft, [draft.function])


def slope(program: Program, asked: Asked) -> Program:
    """A Program from the inputs to a tuple of the gradients of the one number that the given Program computes."""
    draft = Draft(program, asked, program.entry.name)
    weight = draft.back.args[0]
    if not isinstance(weight.type, TensorType) or weight.type.shape != () or not holds_floats(weight.type):
        raise TypeError(f"a gradient is that of one floating-point number, not of {weight.type}")
    seed = Operation("full", (), {"shape": [], "fill_value": 1.0, "dtype": weight.type.dtype}, [weight.type])
    residuals.replace([draft.back], {weight: seed.result})
    seed.parent = draft.back
    draft.back.ops.insert(0, seed)
    _in_one(draft)
    return _cleaned(draft, [draft.function])


def _in_one(draft: Draft) -> None:
    """Put the backward behind the forward, to give the gradients of all that is asked about."""
    with draft.emit.at(draft.back):
        _return(draft, [draft.adjoints.complete(v) for v in draft.asked])
    block = draft.function.block
    compute_again(draft.program, block, draft.back)
    block.ops[-1:] = draft.back.ops
    for op in draft.back.ops:
        op.parent = block


def split(program: Program, asked: Asked, function: str = "") -> Split:
    """A Program of two Functions: what runs forward and keeps what is needed, and what runs backward."""
    draft = Draft(program, asked, function or program.entry.name)
    reached = [(key, v) for key, v in zip(asked, draft.asked) if v in draft.adjoints.known]
    with draft.emit.at(draft.back):
        _return(draft, [draft.adjoints.where_it_arrives(v, draft.adjoints.known[v]) for _, v in reached])
    block, back = draft.function.block, draft.back
    compute_again(draft.program, block, back)
    kept = residuals.needed_from(block, [back])
    end = block.ops[-1]
    values = [*end.operands, *kept]
    both = residuals.before(end, Operation("tuple.new", values, None, [TupleType(tuple(v.type for v in values))]))
    end.operands = [both.result]
    arguments = [Value(v.type, v.name, back) for v in kept]
    residuals.replace([back], dict(zip(kept, arguments)))
    back.args[:0] = arguments
    names = [draft.free_name("forward"), draft.free_name("backward")]
    made = _cleaned(draft, [Function(names[0], block), Function(names[1], back)])
    return Split(made, [key for key, _ in reached], *names)


def _return(draft: Draft, values: list[Value]) -> None:
    draft.emit.core("return", [draft.emit.op("tuple.new", *values)])


def _cleaned(draft: Draft, functions: list[Function]) -> Program:
    made = replace(draft.program, functions=draft.program.functions | {f.name: f for f in functions})
    used = dict.fromkeys(name for f in functions for name in (f.name, *sorted(reached(made, f.name))))
    made.functions = {f.name: f for f in functions} | {name: made.functions[name] for name in used}
    return Pipeline.of("gradient", *_CLEAN).run(made, fresh=True)
