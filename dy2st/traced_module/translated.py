"""A loaded Program as a TracedModule: the same queries and edits, on single operators."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from ..errors import TraceError
from ..ir.core import Value
from ..nn import Layer, Parameter
from ..nn.before import Before
from ..passes import run as run_passes
from ..passes.copying import copied
from .arguments import Signature
from .from_program import fill_from_entry
from .graph import Ids, InternalGraph
from .module import TracedModule
from .names import identifier
from .node import ModuleNode
from .program_values import Source
from .tracing import Traces
from .value_nodes import add_input

_ANY = inspect.Parameter.POSITIONAL_OR_KEYWORD


def from_translated(loaded: Any, method: str | None = None) -> TracedModule:
    """The Program of a loaded model (`jit.load`) as a TracedModule, whose Exprs are operators.

    It computes what the method of this name (that which a call runs) does in the mode that the model is in, on the same
    parameters, which lie in a tree of layers by their names. Queries by function find the operator of its name. TypeError for
    anything but a loaded model, ValueError for a method that wasn't saved, TraceError where the Program has state, `try` or
    recursion.
    """
    if not (isinstance(loaded, Layer) and hasattr(loaded, "current_program") and hasattr(loaded, "_methods")):
        raise TypeError(f"from_translated takes what jit.load gives, not {type(loaded).__name__}")
    info = loaded.info
    method = loaded.called if method is None else method
    if method not in info.entries:
        raise ValueError(f"there is no method {method!r}; the file holds {', '.join(info.entries)}")
    program = copied(loaded.current_program().starting_at(loaded._methods[method].function))  # for the mode it is in
    run_passes(program, "inline", "dead_code")
    parameters = [inspect.Parameter(identifier(name), _ANY) for name, _ in info.inputs[method]]
    graph = InternalGraph(identifier(info.name or "Model"), Ids(), True)
    module = TracedModule(info.name or "Model", Signature(parameters), [graph])
    module.training = loaded.training
    tensors = {**dict(loaded.named_parameters()), **dict(loaded.named_buffers())}
    for name, tensor in tensors.items():
        _hold(module, name, tensor)
    graph.add_input(ModuleNode, "self")
    known: dict[Value, Any] = {}
    values = iter(program.entry.block.args)
    form = [_argument(graph, node, name, values, known) for name, node in info.inputs[method]]
    graph.form = (tuple(form), {})
    fill_from_entry(Source(program, tensors, Traces(Before())), graph, module, known)
    graph.number()
    return module


def _hold(module: TracedModule, name: str, tensor: Any) -> None:
    """Hold a tensor in the tree of layers that its dotted name tells."""
    at = module
    *parts, last = name.split(".")
    for part in parts:
        if part not in at._sub_layers:
            at._sub_layers[part] = TracedModule(part, None, [])
        at = at._sub_layers[part]
    (at._parameters if isinstance(tensor, Parameter) else at._buffers)[last] = tensor


def _argument(graph: InternalGraph, node: dict, name: str, values: Iterator[Value], known: dict[Value, Any]) -> Any:
    """The form of one argument, by its node in the file: Nodes for the tensors in it."""
    again = lambda part: _argument(graph, part, name, values, known)  # noqa: E731
    if "tensor" in node:
        value = next(values)
        known[value] = add_input(graph, value, node["tensor"]["name"] or name)
        return known[value]
    if "list" in node:
        return [again(part) for part in node["list"]]
    if "tuple" in node:
        return tuple([again(part) for part in node["tuple"]])
    if "dict" in node:
        return {key: again(part) for key, part in node["dict"]}
    if "constant" in node:
        return node["constant"]
    kind = node.get("namedtuple", node.get("object"))
    raise TraceError(f"the argument {name} of this model is a {kind}, which a TracedModule can't be called with", None, None)
