"""A Program as an ONNX model, and what its inputs and outputs stand for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...config import VERSION
from ...ir.core import Program, Value
from ...ir.types import INT, TensorType, Type
from ..packages import onnx
from . import protos
from .faults import FINE, ErrorEntry
from .leaves import leaves_of
from .packed import Packed
from .refusal import InexpressibleError, NeedsOpsetError, OnnxError
from .values import Array, OnnxValue
from .walk import Walk
from .writer import Writer

OLDEST, DEFAULT, NEWEST = 17, 18, 26


@dataclass
class Port:
    """A value that goes in or out: its type in the Program, and the names of its leaves in the graph.

    role, key: what it is outside of the graph. Of an input: the next argument ("value"), or state ("state") of the name `key`.
    Of an output: the result ("value"); the state ("state"), parameter ("parameter") or argument ("argument") of the name or
    position `key` as the call leaves it; or which of `Lowered.errors` has ended the call, counted from 1, or 0 ("error").
    """

    type: Type
    leaves: list[str]
    role: str = "value"
    key: str | int = ""


@dataclass
class Lowered:
    """An ONNX model, `model`, and what its inputs and outputs stand for, in order.

    parameters: the names of parameters, and of the initialisers that hold them.
    errors: the exceptions that the output of the role "error", int64[], may tell of: which of them Python raises, from
        1, or 0. Where it isn't 0, the result means nothing.
    values: the Values outside of control flow, with the names of their leaves.
    """

    model: Any
    opset: int
    inputs: list[Port] = field(default_factory=list)
    outputs: list[Port] = field(default_factory=list)
    parameters: dict[str, str] = field(default_factory=dict)
    errors: list[ErrorEntry] = field(default_factory=list)
    values: dict[Value, list[str]] = field(default_factory=dict)


def lower(program: Program, opset: int | None = None, name: str = "model") -> Lowered:
    """Make the ONNX model of a Program.

    opset: the version of ONNX's operators; None: 18, or the lowest above it that the operators need.

    OnnxError: an operation has no form in ONNX, or none in that version; ValueError: a version that isn't written.
    """
    if opset is not None and not OLDEST <= opset <= NEWEST:
        raise ValueError(f"opset_version is {OLDEST} to {NEWEST}, not {opset}")
    tried = opset or DEFAULT
    while True:
        try:
            return _lowered(program, tried, name)
        except NeedsOpsetError as error:
            if opset is not None or error.opset > NEWEST:
                raise OnnxError(str(error)) from None
            tried = error.opset
        except InexpressibleError as error:
            raise OnnxError(f"an argument or a parameter has no form in ONNX: {error}") from None


def _lowered(program: Program, opset: int, name: str) -> Lowered:
    g = Writer(opset)
    walk = Walk(g, program)
    walk.name_parameters()
    entry = program.entry.block
    found = Lowered(None, opset)
    arguments: list[list[OnnxValue]] = []
    for argument in entry.args:
        leaves = _inputs(g, argument.name, argument.type)
        arguments.append(leaves)
        found.inputs.append(Port(argument.type, [x.name for x in leaves]))
    (result,) = walk.block(entry, arguments)
    outputs = _outputs(g, result)
    found.outputs.append(Port(result.type, [x.name for x in outputs]))
    if g.errors:
        fault = g.fault()
        outputs.append(_output(g, g.Where(g.Equal(fault, FINE), 0, fault), "error"))
        found.outputs.append(Port(INT, [outputs[-1].name], "error"))
        found.errors = g.errors
    inputs = [(x.name, x.type) for leaves in arguments for x in leaves]
    graph = g.scope.graph(name, inputs, [(x.name, x.type) for x in outputs], _initialisers(walk))
    found.model = _model(graph, opset)
    found.values = {value: [x.name for x in walk.leaves(value)] for op in entry.ops for value in op.results}
    found.parameters = {name: value.name for name, value in walk.parameters.items()}
    return found


def _inputs(g: Writer, name: str, type_: Type) -> list[OnnxValue]:
    """The inputs of the graph for one argument."""
    leaves = leaves_of(type_)
    names = [name or "input"] if len(leaves) == 1 else [f"{name or 'input'}.{k}" for k in range(len(leaves))]
    is_number = len(leaves) == 1 and not isinstance(type_, TensorType)
    return [OnnxValue(g.names.fresh(n), leaf.type, is_number=is_number) for n, leaf in zip(names, leaves)]


def _outputs(g: Writer, result: Packed) -> list[OnnxValue]:
    """The outputs of the graph, each given by a node of its own name."""
    found = []
    for k, leaf in enumerate(result.leaves):
        if isinstance(leaf.type, Array) and leaf.type.shape is None:
            raise OnnxError("an output has an unknown number of axes, which ONNX's checker refuses; reshape it before `return`")
        found.append(_output(g, leaf, "output" if len(result.leaves) == 1 else f"output.{k}"))
    return found


def _output(g: Writer, value: OnnxValue, hint: str) -> OnnxValue:
    name = g.names.fresh(hint)
    g.scope.add(onnx().helper.make_node("Identity", [value.name], [name], g.names.fresh(f"{name}/Identity")))
    return OnnxValue(name, value.type)


def _initialisers(walk: Walk) -> list[Any]:
    """The constants, and the parameters under their own names."""
    weights = [
        protos.tensor_proto(value.name, np.asarray(walk.program.parameters[name].data)) for name, value in walk.parameters.items()
    ]
    return [*weights, *walk.g.constants.protos]


def _model(graph: Any, opset: int) -> Any:
    helper = onnx().helper
    opsets = [helper.make_opsetid("", opset)]
    version = helper.find_min_ir_version_for(opsets)
    return helper.make_model(graph, opset_imports=opsets, ir_version=version, producer_name="dy2st", producer_version=VERSION)
