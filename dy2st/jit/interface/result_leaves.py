"""The arrays in what a Program gives, in order, and a structure of gradients like it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import repeat
from typing import Any

import numpy as np

from ...dtypes import FLOWING
from ...ir.alias import holds_objects
from ...ir.core import Operation, Program, Value
from ...ir.native import SHARED, Record, parts
from ...runtime.tensors.activity import Activity, holds_floats
from ...runtime.tensors.tensor import Tensor

Flow = bool | tuple["Flow", ...]  # whether gradients flow to a result; of a tuple, to each of its parts


def arrays(value: Any) -> Iterator[Any]:
    """The arrays, or Tensors, of a native value; a container counts once."""
    return _arrays(value, True, set())


def floating(value: Any, flow: Flow) -> list:
    """Those of floating point that gradients flow to."""
    return [x for x in _arrays(value, flow, set()) if (x._data if isinstance(x, Tensor) else x).dtype.kind in FLOWING]


def _arrays(value: Any, flow: Flow, seen: set[int]) -> Iterator[Any]:
    if not flow:
        return
    if isinstance(value, np.ndarray | Tensor):
        yield value
        return
    if isinstance(value, SHARED):
        if id(value) in seen:
            return
        seen.add(id(value))
    for part, inner in zip(parts(value), flow if isinstance(flow, tuple) else repeat(True)):
        yield from _arrays(part, inner, seen)


def gradient_of_result(value: Any, flow: Flow, gradients: Iterator[np.ndarray], seen: set[int] | None = None) -> Any:
    """A value of the structure of `value` with the next gradient in the place of each array that `floating` finds."""
    from ...ops.python.adjoints import deep_zeros  # only who trains needs it: loading is quick without

    seen = set() if seen is None else seen
    if not flow:
        return deep_zeros(value)
    if isinstance(value, np.ndarray):
        return next(gradients) if value.dtype.kind in FLOWING else value
    if isinstance(value, list | dict):
        if id(value) in seen:
            return deep_zeros(value)
        seen.add(id(value))
    if isinstance(value, dict):
        return {key: gradient_of_result(x, True, gradients, seen) for key, x in value.items()}
    if not isinstance(value, list | tuple):
        return value
    inner = flow if isinstance(flow, tuple) else repeat(True)
    made = [gradient_of_result(x, f, gradients, seen) for x, f in zip(value, inner)]
    return Record.of(value.name, value.fields, made) if isinstance(value, Record) else type(value)(made)


def flow_to_result(program: Program, function: str, asked: Collection[int | str]) -> Flow:
    """Where in a Function's result gradients with respect to `asked` arrive: numbers of arguments, names of parameters."""
    block = program.functions[function].block
    end = block.ops[-1]
    if end.name != "return" or not holds_floats(end.operands[0].type):
        return False
    start = [arg for number, arg in enumerate(block.args) if number in asked and holds_floats(arg.type)]
    for op in block.walk():
        if op.name == "param" and op.attrs["name"] in asked or op.name in ("call", "state.get"):
            filled = [v for v in op.operands if holds_objects(v.type)]
            start.extend(v for v in (*op.results, *filled) if holds_floats(v.type))
    return _flow(end.operands[0], Activity(program, program.functions[function], start))


def _flow(value: Value, activity: Activity) -> Flow:
    if isinstance(value.owner, Operation) and value.owner.name == "tuple.new":
        flows = tuple(_flow(operand, activity) for operand in value.owner.operands)
        return any(flows) and flows
    return value in activity
