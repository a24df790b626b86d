"""The layers of a TracedModule from the JSON of a file, which nobody vouches for."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ModelFileError
from ..nn import Layer, Parameter
from ..nn.layer import unique_name
from ..runtime.tensor import Tensor
from ..saving.untrusted import brief, expect, expect_keys
from .builtin import class_named
from .constants import decode
from .expr import GetAttr
from .graph import InternalGraph
from .graph_read import GraphReader
from .layers_written import OWN, TABLES
from .module import TracedModule
from .node import ModuleNode


class ModuleReader:
    """The module of a JSON tree and of the arrays that it names."""

    def __init__(self, tree: dict[str, Any], arrays: dict[str, np.ndarray]):
        self._trees = [expect(part, dict, "a layer") for part in expect(tree["layers"], list, "layers")]
        self._graphs = [expect(part, dict, "a graph") for part in expect(tree["graphs"], list, "graphs")]
        self._arrays = arrays
        self._tensors: dict[str, Tensor] = {}
        if not self._trees:
            raise ModelFileError("the file holds no layers")

    def module(self) -> TracedModule:
        layers = [self._made(tree) for tree in self._trees]
        for layer, tree in zip(layers, self._trees):
            self._fill(layer, tree, layers)
        reader = GraphReader(self._graphs, self.tensor, self.array)
        for layer, tree in zip(layers, self._trees):
            if isinstance(layer, TracedModule):
                first, count = [expect(k, int, "graphs") for k in expect(tree["traced"]["graphs"], list, "graphs")]
                layer._graphs[:] = reader.graphs[first : first + count]
                for graph in layer._graphs:
                    graph.module = layer
        for graph in reader.graphs:
            _check_parts(graph)
        if not isinstance(layers[0], TracedModule):
            raise ModelFileError("the first layer of the file is no TracedModule")
        return layers[0]

    def array(self, name: str) -> np.ndarray:
        """The array of this name."""
        if name not in self._arrays:
            raise ModelFileError(f"the parameter file lacks {brief(name)}")
        return self._arrays[name]

    def tensor(self, name: str, is_parameter: bool = False) -> Tensor:
        """The tensor of this name, with memory of its own."""
        if name not in self._tensors:
            data = self.array(name).copy()
            self._tensors[name] = Parameter(data) if is_parameter else Tensor(data)
        return self._tensors[name]

    def _made(self, tree: dict[str, Any]) -> Layer:
        if "traced" in tree:
            found = expect_keys(tree["traced"], {"class", "argspec", "graphs"}, set(), "a traced layer")
            made: Any = TracedModule(expect(found["class"], str, "a class name"), None, [])
            spec = expect(self._plain(found["argspec"]), dict, "argspec")
            declared = expect(spec.pop("declared", None), int, "argspec")
            try:
                made.argspec.__init__(**spec)
            except TypeError:
                raise ModelFileError(f"argspec: has the keys {brief(sorted(spec))}") from None
            made.argspec.declared = declared
            return made
        found = expect_keys(tree.get("builtin"), {"class", "attributes"}, set(), "a layer")
        name = expect(found["class"], str, "a class name")
        cls = class_named(name)
        if cls is None:
            raise ModelFileError(f"the layer class {brief(name)} isn't known: import and register it before the module is loaded")
        made = cls.__new__(cls)
        Layer.__init__(made)
        vars(made).update({k: v for k, v in expect(self._plain(found["attributes"]), dict, name).items() if k not in OWN})
        return made

    def _fill(self, layer: Layer, tree: dict[str, Any], layers: list[Layer]) -> None:
        layer.training = expect(tree.get("training"), bool, "training")
        object.__setattr__(layer, "_dtype", expect(tree.get("dtype"), str, "dtype"))
        for table, key in TABLES.items():
            for name, entry in expect(tree.get(key), dict, key).items():
                made = None if entry is None else self._entry(entry, table == "_parameters")
                if made is not None and made.name is None:
                    made.name = unique_name(f"{layer._full_name}.{name}")
                getattr(layer, table)[name] = made
        layer._non_persistable_buffer_names_set.update(expect(tree.get("unsaved"), list, "unsaved"))
        for name, k in expect(tree.get("sublayers"), dict, "sublayers").items():
            if k is not None and not 0 <= expect(k, int, "sublayers") < len(layers):
                raise ModelFileError(f"sublayers: there is no layer {brief(k)}")
            layer._sub_layers[name] = None if k is None else layers[k]  # type: ignore[assignment]

    def _entry(self, entry: Any, is_parameter: bool) -> Tensor:
        if len(expect(entry, list, "a tensor")) != 3:
            raise ModelFileError("a tensor is its name, stop_gradient and label")
        tensor = self.tensor(expect(entry[0], str, "a tensor"), is_parameter)
        tensor.stop_gradient = expect(entry[1], bool, "stop_gradient")
        tensor.name = entry[2] if isinstance(entry[2], str) else None
        return tensor

    def _plain(self, tree: Any) -> Any:
        return decode(tree, _no_node, self.array, "an attribute")


def _check_parts(graph: InternalGraph) -> None:
    """What a graph fetches is there, and is what its Node says."""
    for expr in graph.body:
        if isinstance(expr, GetAttr):
            try:
                found = expr.call((expr.args[0].owner,), {})
            except (AttributeError, TypeError):
                raise ModelFileError(f"the graph {graph.name} fetches {brief(expr.name)}, which isn't there") from None
            if isinstance(found, Layer) != isinstance(expr.outputs[0], ModuleNode):
                raise ModelFileError(f"the graph {graph.name} takes {brief(expr.name)} for something else")


def _no_node(index: int) -> Any:
    raise ModelFileError("an attribute can't be a Node")
