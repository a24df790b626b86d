"""The arrays in what a Program gives, in order, and a structure of gradients like it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any

import numpy as np

from ...dtypes import FLOWING
from ...ir.alias import holds_objects
from ...ir.core import Operation, Program, Value
from ...ir.native import leaves, mapped
from ...runtime.tensors.activity import Activity, holds_floats
from ...runtime.tensors.tensor import Tensor

Flow = bool | tuple["Flow", ...]  # whether gradients flow to a result; of a tuple, to each of its parts


def arrays(value: Any) -> Iterator[Any]:
    """The arrays, or Tensors, of a native value; a container counts once."""
    return leaves(value, _is_array)


def floating(value: Any, flow: Flow) -> list:
    """Those of floating point that gradients flow to."""
    if flow is True and type(value) is np.ndarray:
        return [value] if value.dtype.kind in FLOWING else []
    return [x for x in _arrays(value, flow, set()) if (x._data if isinstance(x, Tensor) else x).dtype.kind in FLOWING]


def _is_tuple(flow: Flow) -> bool:
    return isinstance(flow, tuple)


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray | Tensor)


def _arrays(value: Any, flow: Flow, seen: set[int]) -> Iterator[Any]:
    if isinstance(flow, tuple):
        return chain.from_iterable(_arrays(part, inner, seen) for part, inner in zip(value, flow))
    return leaves(value, _is_array, seen=seen) if flow else iter(())


def gradient_of_result(value: Any, flow: Flow, gradients: Iterator[np.ndarray]) -> Any:
    """A value of the structure of `value` with the next gradient in the place of each array that `floating` finds."""
    from ...ops.python.adjoints import deep_zeros  # only who trains needs it: loading is quick without

    seen: set[int] = set()

    def is_new(part: Any) -> bool:
        if isinstance(part, list | dict) and id(part) not in seen:
            seen.add(id(part))
            return True
        return isinstance(part, tuple)

    def gradient(part: Any) -> Any:
        flows = isinstance(part, np.ndarray) and part.dtype.kind in FLOWING
        return next(gradients) if flows else deep_zeros(part) if isinstance(part, list | dict) else part

    return mapped(lambda flow, part: mapped(gradient, is_new, part) if flow else deep_zeros(part), _is_tuple, flow, value)


def flow_to_result(program: Program, function: str, asked: Collection[int | str]) -> Flow:
    """Where in a Function's result gradients with respect to `asked` arrive: numbers of arguments, names of parameters.

    The state holds nothing that gradients go to: a call whose state does is put on the tape.
    """
    block = program.functions[function].block
    end = block.ops[-1]
    if end.name != "return" or not holds_floats(end.operands[0].type):
        return False
    start = [arg for number, arg in enumerate(block.args) if number in asked and holds_floats(arg.type)]
    for op in block.walk():
        if op.name == "param" and op.attrs["name"] in asked or op.name == "call":
            filled = [v for v in op.operands if holds_objects(v.type)]
            start.extend(v for v in (*op.results, *filled) if holds_floats(v.type))
    return _flow(end.operands[0], Activity(program, program.functions[function], start))


def _flow(value: Value, activity: Activity) -> Flow:
    if isinstance(value.owner, Operation) and value.owner.name == "tuple.new":
        flows = tuple(_flow(operand, activity) for operand in value.owner.operands)
        return any(flows) and flows
    return value in activity
