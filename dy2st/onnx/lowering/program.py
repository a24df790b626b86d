"""A Program as an ONNX model, and what its inputs and outputs stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...config import VERSION
from ...graphs.lowering.coercion import split
from ...graphs.lowering.faults import FINE, ErrorEntry, Failure
from ...graphs.lowering.leaves import leaves_of
from ...graphs.lowering.packed import Packed
from ...graphs.lowering.primitives import NEWEST
from ...graphs.lowering.refusal import InexpressibleError, NeedsOpsetError, at_line
from ...graphs.lowering.state_names import graph_name
from ...graphs.lowering.values import Array, GraphValue
from ...graphs.ports import Port, error_entry, plain, port_of_result
from ...ir.core import Program, Value
from ...ir.types import INT, TensorType
from ...passes.values import Argument, Interface
from ..packages import onnx
from . import protos
from .refusal import OnnxError
from .scope import Constants
from .walk import OnnxWalk
from .writer import OnnxWriter

OLDEST, DEFAULT = 17, 18


@dataclass
class Lowered:
    """An ONNX model, `model`, and what its inputs and outputs stand for, in order.

    parameters: the names of parameters, and of the initialisers that hold them.
    errors: the exceptions that the output of the role "error", int64[], may tell of: which of them Python raises, from
        1, or 0. Where it isn't 0, the result means nothing.
    failures: what Python raises where a node fails, by what the names of an operation's nodes begin with.
    checks: the values outside of branches and loops that are codes of checks, in the order in which they run.
    kinds: of the initialisers, "parameter", "buffer" or "constant", by name.
    values: the Values outside of control flow that the model computes, with the names of their leaves.
    """

    model: Any
    opset: int
    inputs: list[Port] = field(default_factory=list)
    outputs: list[Port] = field(default_factory=list)
    parameters: dict[str, str] = field(default_factory=dict)
    errors: list[ErrorEntry] = field(default_factory=list)
    failures: dict[str, Failure] = field(default_factory=dict)
    checks: list[str] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    values: dict[Value, list[str]] = field(default_factory=dict)


def lower(program: Program, opset: int | None = None, name: str = "model", interface: Interface | None = None) -> Lowered:
    """Make the ONNX model of a Program without heap, calls and writes.

    opset: the version of ONNX's operators; None: 18, or the lowest above it that the operators need.
    interface: what its arguments and results stand for, where the pass `values` has made it.

    OnnxError: an operation has no form in ONNX, or none in that version; ValueError: a version that isn't written.
    """
    if opset is not None and (type(opset) is not int or not OLDEST <= opset <= NEWEST):
        raise ValueError(f"opset_version is {OLDEST} to {NEWEST}, not {opset!r}; left out, it is the lowest that the model needs")
    tried = opset or DEFAULT
    while True:
        try:
            return _Lowering(program, tried, interface or plain(program)).lowered(name)
        except NeedsOpsetError as error:
            if opset is not None or error.opset > NEWEST:
                raise OnnxError(str(error)) from None
            tried = error.opset
        except InexpressibleError as error:
            raise OnnxError(f"an argument or a parameter has no form in ONNX: {error}") from None


class _Lowering:
    """One try, for one opset."""

    def __init__(self, program: Program, opset: int, interface: Interface):
        self.g = OnnxWriter(opset)
        self.walk = OnnxWalk(self.g, program)
        self.walk.reraised = interface.reraised
        self.program, self.interface = program, interface
        self.found = Lowered(None, opset)
        self.outputs: list[GraphValue] = []

    def lowered(self, name: str) -> Lowered:
        """The model, and what surrounds it."""
        g, walk, found, entry = self.g, self.walk, self.found, self.program.entry.block
        walk.name_parameters()
        arguments = [self._input(argument) for argument in self.interface.inputs]
        (returned,) = walk.block(entry, arguments)
        self._results(returned)
        inputs, outputs = ([(x.name, x.type) for x in values] for values in (sum(arguments, []), self.outputs))
        graph = g.scope.graph(name, inputs, outputs, _initialisers(walk, g.constants))
        found.model = _model(graph, found.opset)
        names = {value: [x.name for x in walk.leaves(value)] for op in entry.ops for value in op.results}
        there = {name for node in graph.node for name in node.output}.union(x.name for x in (*graph.input, *graph.initializer))
        found.values = {value: leaves for value, leaves in names.items() if there.issuperset(leaves)}
        found.failures = {name: told for name, told in walk.failures.items() if told is not None}
        found.parameters = {key: value.name for key, value in walk.parameters.items()}
        kinds = {name: self.program.parameters[key].kind for key, name in found.parameters.items()}
        found.kinds = {one.name: kinds.get(one.name, "constant") for one in graph.initializer}
        return found

    def _input(self, argument: Argument) -> list[GraphValue]:
        """The inputs of the graph for one argument."""
        leaves, hint = leaves_of(argument.type), graph_name(argument.name, argument.type) or "input"
        if any(isinstance(leaf.type, Array) and leaf.type.shape is None for leaf in leaves):
            instead = "give its InputSpec a shape" if argument.kind == "input" else "keep tensors of one number of axes there"
            raise OnnxError(f"{argument.name} has an unknown number of axes, which ONNX's checker refuses; {instead}")
        names = [hint] if len(leaves) == 1 else [f"{hint}.{k}" for k in range(len(leaves))]
        is_number = len(leaves) == 1 and not isinstance(argument.type, TensorType)
        found = [GraphValue(self.g.names.fresh(n), leaf.type, is_number=is_number) for n, leaf in zip(names, leaves)]
        role, key = ("value", "") if argument.kind == "input" else (argument.kind, argument.name)
        self.found.inputs.append(Port(argument.type, [x.name for x in found], argument.original, role, key))
        return found

    def _results(self, returned: Packed) -> None:
        """The outputs of the graph for each part of what the Program returns."""
        is_one = len(self.interface.outputs) == 1 and self.interface.outputs[0].type == returned.type
        types = [result.type for result in self.interface.outputs]
        told = None
        for result, part in zip(self.interface.outputs, [returned.leaves] if is_one else split(returned.leaves, types)):
            if result.kind == "error":
                (told,) = part
            else:
                port, hint = port_of_result(result)
                self._output(port, part, hint)
        self._errors(told)

    def _output(self, port: Port, leaves: Sequence[GraphValue], hint: str) -> None:
        """The outputs for one value, each given by a node of its own name."""
        if any(isinstance(x.type, Array) and x.type.shape is None for x in leaves):
            why = "an output has an unknown number of axes, which ONNX's checker refuses; reshape it before `return`"
            raise at_line(self.program.entry.block.ops[-1].loc, why, OnnxError)
        names = [hint] if len(leaves) == 1 else [f"{hint}.{k}" for k in range(len(leaves))]
        values = [self.g.named(x, name) for x, name in zip(leaves, names)]
        self.outputs += values
        self.found.outputs.append(replace(port, leaves=[x.name for x in values]))

    def _errors(self, told: GraphValue | None) -> None:
        """The output that tells which exception has ended the call: of a `raise`, or of a check, which came before it."""
        g, errors = self.g, [error_entry(record) for record in self.interface.errors]
        self.found.checks = [code.name for code in g.scope.codes]
        if g.errors:
            fault = g.fault()
            told = g.Where(g.Equal(fault, FINE), g.const(0) if told is None else told.as_tensor(), g.Add(fault, len(errors)))
        if told is not None:
            self._output(Port(INT, [], INT, "error"), [told], "error")
            self.found.errors = [*errors, *g.errors]


def _initialisers(walk: OnnxWalk, constants: Constants) -> list[Any]:
    """The constants, and the parameters under their own names."""
    weights = [
        protos.weight_proto(value.name, np.asarray(walk.program.parameters[name].data)) for name, value in walk.parameters.items()
    ]
    return [*weights, *constants.protos]


def _model(graph: Any, opset: int) -> Any:
    helper = onnx().helper
    opsets = [helper.make_opsetid("", opset)]
    version = helper.find_min_ir_version_for(opsets)
    return helper.make_model(graph, opset_imports=opsets, ir_version=version, producer_name="dy2st", producer_version=VERSION)
