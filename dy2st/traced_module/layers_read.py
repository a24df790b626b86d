"""The layers of a TracedModule from the JSON of a file, which nobody vouches for."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import DTYPES
from ..errors import ModelFileError
from ..nn import Layer, Parameter
from ..runtime.tensors.tensor import Tensor
from ..runtime.tensors.unique_names import generate
from ..saving.copies import Copies
from ..saving.sharing import check_steps
from ..saving.untrusted import brief, expect, expect_keys
from .argspec_read import spec_of
from .builtin import assigned_names, attribute_problem, class_named, is_of_library
from .constants import decode
from .expr_read import shown, text_of
from .graph import InternalGraph
from .graph_checks import check_graphs
from .graph_read import GraphReader, count
from .layers_written import TABLES
from .module import TracedModule


class ModuleReader:
    """The module of a JSON tree and of the arrays that it names."""

    def __init__(self, tree: dict[str, Any], arrays: dict[str, np.ndarray]):
        self._trees = [_layer_tree(part) for part in expect(tree["layers"], list, "layers")]
        self._graphs = [expect(part, dict, "a graph") for part in expect(tree["graphs"], list, "graphs")]
        self._arrays, self._copies = arrays, Copies()
        self._parameters = {entry[0] for part in self._trees for entry in part["parameters"].values() if entry is not None}
        self._tensors: dict[str, Tensor] = {}
        self._entries: dict[str, list[Any]] = {}

    def module(self) -> TracedModule:
        layers = [self._made(tree) for tree in self._trees]
        for layer, tree in zip(layers, self._trees):
            self._fill(layer, tree, layers)
        if not layers or not isinstance(layers[0], TracedModule):
            raise ModelFileError("the first layer of the file is no TracedModule")
        _check_layers(layers)
        graphs = GraphReader(self._graphs, self.tensor, self.array).graphs
        self._give_graphs(layers, graphs)
        check_graphs(graphs)
        return layers[0]

    def _give_graphs(self, layers: list[Layer], graphs: list[InternalGraph]) -> None:
        """Each TracedModule has those graphs that it says; each graph is of one."""
        for layer, tree in zip(layers, self._trees):
            if isinstance(layer, TracedModule):
                numbers = [count(k, "graphs") for k in expect(tree["traced"]["graphs"], list, "graphs")]
                if len(numbers) != 2 or sum(numbers) > len(graphs):
                    raise ModelFileError("graphs: a traced layer says which its first graph is, and how many it has")
                layer._graphs[:] = graphs[numbers[0] : sum(numbers)]
                for graph in layer._graphs:
                    if graph.module is not None:
                        raise ModelFileError(f"the graph {graph.name} is of two layers")
                    graph.module = layer
        if any(graph.module is None for graph in graphs):
            raise ModelFileError("a graph of the file is of no layer")

    def array(self, name: str) -> np.ndarray:
        """The array of this name."""
        if name not in self._arrays:
            raise ModelFileError(f"the parameter file lacks {brief(name)}")
        return self._arrays[name]

    def tensor(self, name: str) -> Tensor:
        """The tensor of this name, with memory of its own."""
        if name not in self._tensors:
            data = self._copies.of(self.array(name))
            self._tensors[name] = Parameter(data) if name in self._parameters else Tensor(data)
        return self._tensors[name]

    def _made(self, tree: dict[str, Any]) -> Layer:
        if "traced" in tree:
            found = expect_keys(tree["traced"], {"class", "argspec", "graphs"}, set(), "a traced layer")
            made: Any = TracedModule(text_of(found, "class", "a traced layer"), None, [])
            object.__setattr__(made, "argspec", spec_of(self._plain(found["argspec"])))
            return made
        found = expect_keys(tree["builtin"], {"class", "attributes"}, set(), "a layer")
        name = text_of(found, "class", "a layer")
        cls = class_named(name)
        if cls is None:
            raise ModelFileError(f"the layer class {brief(name)} isn't known: import and register it before the module is loaded")
        made = cls.__new__(cls)
        Layer.__init__(made)
        for attribute, value in expect(self._plain(found["attributes"]), dict, name).items():
            problem = attribute_problem(cls, str(attribute)) or attribute in vars(made) and "every Layer has it"
            if problem:
                raise ModelFileError(f"the layer class {name} has no attribute {brief(attribute)} in a file: {problem}")
            vars(made)[attribute] = value
        return made

    def _fill(self, layer: Layer, tree: dict[str, Any], layers: list[Layer]) -> None:
        layer.training = expect(tree["training"], bool, "training")
        if expect(tree["dtype"], str, "dtype") not in DTYPES:
            raise ModelFileError(f"dtype: {brief(tree['dtype'])} is none")
        object.__setattr__(layer, "_dtype", tree["dtype"])
        for table, key in TABLES.items():
            for name, entry in tree[key].items():
                made = None if entry is None else self._entry(entry)
                if made is not None and made.name is None:
                    made.name = generate(f"{layer._full_name}.{name}")
                getattr(layer, table)[_part_name(layer, name, key)] = made
        unsaved = [expect(name, str, "unsaved") for name in expect(tree["unsaved"], list, "unsaved")]
        layer._non_persistable_buffer_names_set.update(unsaved)
        for name, k in tree["sublayers"].items():
            if k is not None and not 0 <= expect(k, int, "sublayers") < len(layers):
                raise ModelFileError(f"sublayers: there is no layer {brief(k)}")
            layer._sub_layers[_part_name(layer, name, "sublayers")] = None if k is None else layers[k]  # type: ignore[assignment]

    def _entry(self, entry: list[Any]) -> Tensor:
        name, stop_gradient, label = entry
        if self._entries.setdefault(name, entry) != entry:
            raise ModelFileError(f"the tensor {brief(name)} is said to be two")
        tensor = self.tensor(name)
        tensor.stop_gradient = expect(stop_gradient, bool, "stop_gradient")
        tensor.name = None if label is None else shown(label, "the label of a tensor")
        return tensor

    def _plain(self, tree: Any) -> Any:
        return decode(tree, _no_node, self.array, "an attribute")


def _layer_tree(tree: Any) -> dict[str, Any]:
    """The JSON of a layer, with the tables that each has."""
    kinds = {"traced", "builtin"}
    found = expect_keys(tree, {"training", "dtype", "parameters", "buffers", "unsaved", "sublayers"}, kinds, "a layer")
    if len(kinds & found.keys()) != 1:
        raise ModelFileError("a layer is traced, or builtin")
    for key in ("parameters", "buffers", "sublayers"):
        expect(found[key], dict, key)
    for entry in (*found["parameters"].values(), *found["buffers"].values()):
        if entry is not None and (len(expect(entry, list, "a tensor")) != 3 or not isinstance(entry[0], str)):
            raise ModelFileError("a tensor is its name, stop_gradient and label")
    return found


def _part_name(layer: Layer, name: str, key: str) -> str:
    """The name of a part that the layer hasn't yet."""
    if any(name in table for table in (layer._parameters, layer._buffers, layer._sub_layers)):
        raise ModelFileError(f"{key}: {type(layer).__name__} has {brief(name)} twice")
    return shown(name, key)


def _check_layers(layers: list[Layer]) -> None:
    """None is within itself, and those of the library have all attributes and parts that those have which are made."""
    check_steps(layers, lambda layer: layer.children(), lambda layer: 1, "the layers", "layers")
    for layer in layers:
        cls: Any = type(layer)
        if isinstance(layer, TracedModule) or not is_of_library(cls):
            continue
        lacks = assigned_names(cls, "__init__") - {*vars(layer), *layer._parameters, *layer._buffers, *layer._sub_layers}
        if lacks:
            raise ModelFileError(f"a layer of the class {cls.__name__} lacks {', '.join(sorted(lacks))}")


def _no_node(index: int) -> Any:
    raise ModelFileError("an attribute can't be a Node")
