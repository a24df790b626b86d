"""What a model file needs that a model in a session doesn't: start values of its state, and outputs, of known ranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..graphs.calls import arrays_of
from ..graphs.ports import Port
from .lowering import protos
from .lowering.program import Lowered
from .lowering.pruning import read_by
from .lowering.refusal import OnnxError


def refuse_open_ranks(lowered: Lowered) -> None:
    """OnnxError for an output whose number of axes isn't known: ONNX's checker wants one."""
    for output in lowered.model.graph.output:
        type_ = output.type.sequence_type.elem_type if output.type.HasField("sequence_type") else output.type
        if not type_.tensor_type.HasField("shape"):
            raise OnnxError(
                f"the number of axes of the output {output.name} isn't known, which ONNX's checker asks for: "
                "reshape it before it is returned"
            )


def refuse_nothing(lowered: Lowered) -> None:
    """OnnxError for a model without outputs, which onnxruntime doesn't load."""
    if not lowered.model.graph.output:
        raise OnnxError("the model gives no tensor and no number, and keeps no state: return what it computes")


def start_values(lowered: Lowered, initial: Mapping[tuple[str, str], Any]) -> None:
    """Give the inputs that are state their values of now, for callers that leave them out.

    initial: in native form, by kind and name. A list of tensors of open shapes has no constant: it begins empty, and callers give
    an empty sequence (`GraphCall`). One that isn't empty is no input, where nobody reads it. OnnxError: somebody does.
    """
    read = {name for node in lowered.model.graph.node for name in read_by(node)}
    for port in [*lowered.inputs]:
        if port.role == "value":
            continue
        arrays = arrays_of(port, initial[port.role, str(port.key)])
        is_constant = not any(isinstance(array, list) and array for array in arrays.values())
        if not is_constant and read.isdisjoint(port.leaves):
            _leave_out(lowered, port)
        elif not is_constant:
            raise OnnxError(
                f"the state {port.key} holds tensors whose shapes aren't known, which a file has no place for: "
                "export the model while it is empty, or give them fixed shapes"
            )
        else:
            constants = ((name, array) for name, array in arrays.items() if not isinstance(array, list))
            lowered.model.graph.initializer.extend(protos.tensor_proto(name, array) for name, array in constants)


def _leave_out(lowered: Lowered, port: Port) -> None:
    """The model doesn't take this."""
    lowered.inputs.remove(port)
    inputs = lowered.model.graph.input
    others = [node for node in inputs if node.name not in port.leaves]
    del inputs[:]
    inputs.extend(others)
