"""The layers of a TracedModule as JSON, for a file."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..nn import Layer
from ..nn.hooks import TABLES as HOOK_TABLES
from ..nn.hooks import has_hooks
from ..runtime.tensors.tensor import Tensor
from ..saving.format import FORMAT
from .builtin import attribute_problem, class_name, class_named, is_builtin
from .constants import encode
from .graph_written import graph_tree
from .module import TracedModule

TABLES = {"_parameters": "parameters", "_buffers": "buffers"}
OWN = {"training", "_full_name", "_dtype", "_non_persistable_buffer_names_set", *HOOK_TABLES}
OWN |= {"_parameters", "_buffers", "_sub_layers"}


class ModuleWriter:
    """The layers of a module, with their graphs, as a JSON tree and arrays by name."""

    def __init__(self, module: TracedModule):
        self.arrays: dict[str, np.ndarray] = {}
        self._tensors: dict[int, tuple[Any, str]] = {}
        self.layers: list[Layer] = []
        self._index: dict[int, int] = {}
        self._collect(module)
        self.graphs = [graph for layer in self.layers if isinstance(layer, TracedModule) for graph in layer._graphs]

    def _collect(self, layer: Layer) -> None:
        if id(layer) in self._index:
            return
        self._index[id(layer)] = len(self.layers)
        self.layers.append(layer)
        for child in layer.children():
            self._collect(child)

    def tree(self) -> dict[str, Any]:
        layers = [self._layer(layer) for layer in self.layers]
        number = {id(graph): k for k, graph in enumerate(self.graphs)}
        graphs = [graph_tree(graph, number, self.tensor, self.array) for graph in self.graphs]
        return {"traced_module": FORMAT, "layers": layers, "graphs": graphs}

    def tensor(self, tensor: Tensor, name: str = "constant") -> str:
        """Keep a tensor, once; its name."""
        if id(tensor) not in self._tensors:
            self._tensors[id(tensor)] = (tensor, self.array(tensor._array("save"), name))
        return self._tensors[id(tensor)][1]

    def array(self, array: np.ndarray, name: str = "constant") -> str:
        """Keep an array; its name."""
        name = f"{len(self.arrays)}.{name}"
        self.arrays[name] = array
        return name

    def _layer(self, layer: Layer) -> dict[str, Any]:
        made: dict[str, Any] = {"training": layer.training, "dtype": layer._dtype}
        for table, key in TABLES.items():
            made[key] = {name: None if t is None else self._entry(t, name) for name, t in getattr(layer, table).items()}
        made["unsaved"] = sorted(layer._non_persistable_buffer_names_set)
        made["sublayers"] = {
            name: None if child is None else self._index[id(child)] for name, child in layer._sub_layers.items()
        }
        if has_hooks(layer):
            raise TypeError(f"{type(layer).__name__} has forward hooks; Python functions can't be saved: remove them")
        if isinstance(layer, TracedModule):
            spec = vars(layer.argspec) | {"declared": layer.argspec.declared}
            first = next((k for k, graph in enumerate(self.graphs) if graph.module is layer), 0)
            graphs = [first, len(layer._graphs)]
            made["traced"] = {"class": layer.class_name, "argspec": self._plain(spec, layer), "graphs": graphs}
            return made
        if not is_builtin(layer) and class_named(class_name(layer)) is not type(layer):
            raise TypeError(f"{type(layer).__name__} was set on the module, but never traced: call it in insert_exprs")
        for name in _attributes(layer):
            if problem := attribute_problem(type(layer), name):
                raise TypeError(f"{type(layer).__name__}.{name} can't be saved: {problem}")
        made["builtin"] = {"class": class_name(layer), "attributes": self._plain(_attributes(layer), layer)}
        return made

    def _entry(self, tensor: Tensor, name: str) -> list[Any]:
        return [self.tensor(tensor, name), tensor.stop_gradient, tensor.given_name]

    def _plain(self, values: dict[str, Any], layer: Layer) -> Any:
        try:
            return encode(values, lambda node: -1, self.array)
        except TypeError as error:
            raise TypeError(f"{type(layer).__name__} can't be saved: {error}") from None


def _attributes(layer: Layer) -> dict[str, Any]:
    return {name: value for name, value in vars(layer).items() if name not in OWN}
