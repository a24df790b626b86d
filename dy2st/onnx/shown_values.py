"""What a model computes on the way, Value by Value. All forms of a model go by the names in its ONNX form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..graphs.calls import GraphCall
from ..graphs.lowering.arrays import flattened
from ..graphs.ports import Port
from ..graphs.preparing import Prepared
from ..ir.core import Operation, Program, Value
from ..ir.types import TensorType, TupleType
from ..passes.copying import Copy
from ..passes.values.natives import without_heap
from ..runtime.engine import compile_program
from .lowering.program import Lowered


class Shown(NamedTuple):
    """An array, or a list of them, and what gives it, with the user's line, for people.

    computed_in: the dtype whose rounding it has; None: its own. A Python float may come of a float32 tensor.
    """

    array: Any
    where: str
    computed_in: str | None = None


def on_numpy(ready: Prepared, lowered: Lowered, natives: Sequence[Any]) -> tuple[dict[str, Shown], dict[str, Shown]]:
    """What the engine on NumPy computes outside of control flow, in order: tensors, leaves of other values; and the outputs.

    lowered: the model of the Program, for the names. natives: the arguments in native form.
    """
    names, (returned,) = lowered.values, ready.program.entry.block.ops[-1].operands
    watched = [value for value in names if names[value]]
    rest = iter(natives)
    given = [next(rest) if x.kind == "input" else ready.initial[x.kind, x.name] for x in ready.interface.inputs]
    plain = [without_heap(native, x.original) for x, native in zip(ready.interface.inputs, given)]
    *found, outputs = compile_program(_giving(ready.program, [*watched, returned]))(*plain)
    shown: dict[str, Shown] = {}
    for value, native in zip(watched, found):
        computed_in = None if isinstance(value.type, TensorType) else "float32"
        for name, array in zip(names[value], flattened(value.type, native)):
            shown.setdefault(name, Shown(array, _named(value), computed_in))  # a tuple has the leaves of its items
    return shown, _outputs(ready, lowered, outputs)


def _outputs(ready: Prepared, lowered: Lowered, values: tuple) -> dict[str, Shown]:
    """The outputs of a graph. Where a call raises, that is all that they tell."""
    given = {(result.kind, result.name, result.number): value for result, value in zip(ready.interface.outputs, values)}
    error = given.pop(("error", "", 0), 0)
    shown: dict[str, Shown] = {}
    results = [value for (kind, _, _), value in given.items() if kind != "value"]
    ports = [port for port in lowered.outputs if port.role not in ("error", "detail")]
    for port, value in zip(ports, results if error == 0 else []):
        computed_in = None if isinstance(port.type, TensorType) else "float32"
        for name, array in zip(port.leaves, flattened(port.type, value)):
            shown[name] = Shown(array, f"the output {name}", computed_in)
    told = [name for port in lowered.outputs if port.role == "error" for name in port.leaves]
    return shown | {name: Shown(np.asarray(error), "the error") for name in told}


def _giving(program: Program, watched: list[Value]) -> Program:
    """A copy of a Program that returns these Values."""
    copy = Copy()
    function = copy.function(program.entry)
    values = [copy.values[value] for value in watched]
    everything = Operation("tuple.new", values, None, [TupleType(tuple(value.type for value in values))])
    function.block.ops[-1:] = []
    function.block.append(everything)
    function.block.append(Operation("return", [everything.result]))
    return Program({function.name: function}, program.parameters, program.state, program.errors)


def _named(value: Value) -> str:
    op = value.owner
    assert isinstance(op, Operation)
    line = f"{op.loc}: " if op.loc else ""
    part = f" of {op.path}" if op.path else ""
    return f"{line}{op.name}{part}, {value.type}"


def shown_node(node: Any, array: Any) -> Shown:
    """What a node of a model gives."""
    line = f"{node.doc_string}: " if node.doc_string else ""
    return Shown(array, f"{line}{node.op_type}, {node.name}")


def feeds_of(ports: Iterable[Port], natives: Sequence[Any], initial: Mapping[tuple[str, str], Any]) -> dict[str, Any]:
    """The arrays of a graph's inputs. initial: what state and written parameters hold, by kind and name."""
    held = [{name: value for (kind, name), value in initial.items() if kind == role} for role in ("state", "parameter")]
    return GraphCall([*ports], []).feeds(natives, *held)
