"""What the tensors and sublayers of a layer are called, and where it holds its tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...ir.core import Program
from ...nn.layer import Layer
from ...pytree import attributes_of
from ...runtime.outside.roots import Roots
from .script_module import ScriptModule


def layer_of(model: Any) -> Any:
    """The Layer that a model of another library is saved as; any other model itself."""
    return getattr(type(model), "__dy2st_layer__", model)


def names_seen(function: Any, owner: Any) -> dict[int, str]:
    """`names_of(owner)`, and those in layers that a function reads from variables around it, or from its owner's attributes.

    The latter begin with the name of the variable: `net.0.weight`.
    """
    names = names_of(owner)
    taken = {name.partition(".")[0] for name in names.values()}
    for variable, layer in _layers_around(function, owner):
        if variable not in taken and id(layer) not in names:
            taken.add(variable)
            found = {id(layer): variable, **{key: f"{variable}.{name}" for key, name in names_of(layer).items()}}
            names = {**found, **names}
    return names


def _layers_around(function: Any, owner: Any) -> Iterator[tuple[str, Layer]]:
    """The layers in variables that a function reads, and in attributes of its owner, by their names there."""
    around = ((start.partition(".")[2], value) for start, value in Roots(function).starts.items())
    yield from ((name, value) for name, value in (*around, *attributes_of(owner).items()) if isinstance(value, Layer))


def names_of(owner: Any) -> dict[int, str]:
    """The names of the tensors and sublayers of a layer, by id; of any other object, none."""
    if not isinstance(owner, Layer):
        return {}
    names = {id(tensor): name for name, tensor in (*owner.named_parameters(), *owner.named_buffers())}
    for name, layer in owner.named_sublayers():
        names[id(layer)] = name
        if isinstance(layer, ScriptModule):
            names[id(layer._holder)] = name
    return names


def tensor_tables(layer: Layer) -> Iterator[tuple[Layer, dict[str, Any], str, str]]:
    """Where each parameter and buffer lies: a layer, a table of it, the key there, and its name in the state dict."""
    for path, part in layer.named_sublayers(include_self=True):
        for table in (part._parameters, part._buffers):
            yield from ((part, table, key, f"{path}.{key}" if path else key) for key in table if table[key] is not None)


def tied_names(layer: Layer, program: Program) -> dict[str, str]:
    """The names of tensors that a Program knows by another one: `b.weight = a.weight`, or a layer that two others hold."""
    state = layer.state_dict()
    known = {id(tensor): name for name, tensor in state.items() if name in program.parameters and name not in program.state}
    return {name: known[id(x)] for name, x in state.items() if id(x) in known and name not in program.parameters}
