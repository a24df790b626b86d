"""A model in onnxruntime held against the engine on NumPy, Value by Value, and the first one that differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import Dy2stError
from ..ir.core import Operation, Program, Value
from ..ir.types import TensorType, TupleType
from ..ops.registry import OPERATORS
from ..passes.copying import Copy
from ..runtime.engine import compile_program
from .calls import GraphCall
from .lowering import protos
from .lowering.leaves import leaves_of
from .lowering.program import Lowered
from .packages import onnx, onnxruntime
from .preparing import Prepared

ROUNDING = {"float16": (2e-2, 1e-3), "float32": (1e-3, 1e-5), "float64": (1e-9, 1e-12)}  # relative, absolute


class DifferenceError(Dy2stError):
    """Two forms of one model give different values: names the first Value that differs, and its line."""


def verify_model(ready: Prepared, lowered: Lowered, natives: Sequence[Any]) -> None:
    """Compare a Program with its ONNX model, for the arguments `natives` in native form.

    DifferenceError: a Value outside of control flow differs by more than rounding; of those in an `if` or a loop, the results are
    compared. ValueError: the Program draws random numbers.
    """
    if any(OPERATORS[op.name].random for op in ready.program.walk() if op.name in OPERATORS):
        raise ValueError("a model that draws random numbers can't be verified: each run draws others")
    given_by = {name for node in lowered.model.graph.node for name in node.output}
    rest = iter(natives)
    given = [next(rest) if x.kind == "input" else ready.initial[x.kind, x.name] for x in ready.interface.inputs]
    watched = [value for value in lowered.values if isinstance(value.type, TensorType) and lowered.values[value][0] in given_by]
    ours = _on_numpy(ready.program, watched, given)
    theirs = _in_onnxruntime(lowered, watched, natives, ready.initial)
    for value, a, b in zip(watched, ours, theirs):
        if problem := difference(a, b):
            raise DifferenceError(f"{_named(value)} differs: {problem}")


def _on_numpy(ready: Program, watched: list[Value], natives: Sequence[Any]) -> tuple:
    """What the engine on NumPy computes for these Values."""
    copy = Copy()
    function = copy.function(ready.entry)
    values = [copy.values[value] for value in watched]
    type_ = TupleType(tuple(value.type for value in values))
    everything = Operation("tuple.new", values, None, [type_])
    function.block.ops[-1:] = []
    function.block.append(everything)
    function.block.append(Operation("return", [everything.result]))
    return compile_program(Program({function.name: function}, ready.parameters, ready.state))(*natives)


def _in_onnxruntime(
    lowered: Lowered, watched: list[Value], natives: Sequence[Any], initial: Mapping[tuple[str, str], Any]
) -> list[Any]:
    """What onnxruntime computes for them: the model with each of them as an output."""
    model = onnx().ModelProto()
    model.CopyFrom(lowered.model)
    del model.graph.output[:]
    names = [lowered.values[value][0] for value in watched]
    types = {name: leaves_of(value.type)[0].type for name, value in zip(names, watched)}
    model.graph.output.extend(protos.value_info(*pair) for pair in types.items())
    options = onnxruntime().SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime().InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    held = [{name: value for (kind, name), value in initial.items() if kind == role} for role in ("state", "parameter")]
    feeds = GraphCall(lowered.inputs, []).feeds(natives, *held)
    found = dict(zip(types, session.run([*types], feeds)))
    return [found[name] for name in names]


def difference(a: np.ndarray, b: np.ndarray) -> str:
    """In which way two arrays differ by more than rounding; "" where they don't."""
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        return f"{a.dtype.name}{list(a.shape)} on NumPy, {b.dtype.name}{list(b.shape)} in onnxruntime"
    relative, absolute = ROUNDING.get(a.dtype.name, (0.0, 0.0))
    if a.dtype.kind in "fc":
        differs = ~np.isclose(a, b, relative, absolute, equal_nan=True)
    else:
        differs = a != b
    if not differs.any():
        return ""
    place = tuple(int(k) for k in np.argwhere(differs)[0])
    where = f" at {list(place)}" if place else ""
    return f"{a[place]!r} on NumPy and {b[place]!r} in onnxruntime{where}, and {int(differs.sum())} of {a.size} elements in all"


def _named(value: Value) -> str:
    """A Value for people: its name, its type, and the user's line."""
    op = value.owner
    line = f"{op.loc}: " if isinstance(op, Operation) and op.loc else ""
    made = f", which {op.name} gives," if isinstance(op, Operation) else ""
    return f"{line}%{value.name or '?'}: {value.type}{made}"
