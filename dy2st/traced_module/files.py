"""A TracedModule as one archive: layers and graphs as JSON, tensors as safetensors. No pickle, no import by name.

Layers are a list, of which the first is the module itself and others go by number, so that what is shared stays shared. A layer
of the library, or of a registered class, is kept as its class name, its plain attributes and its tensors.
"""

from __future__ import annotations

import io
import json
import os
from typing import IO, Any

import numpy as np

from ..config import VERSION
from ..errors import ModelFileError
from ..nn import Layer, Parameter
from ..runtime.tensor import Tensor
from ..saving.archive import read_archive, write_archive
from ..saving.files import MODEL, PARAMS, seal
from ..saving.info import Info
from ..saving.params import read_params, write_params
from ..saving.untrusted import brief, expect, expect_keys, parse_json
from .builtin import class_name, class_named, is_builtin
from .constants import decode, encode
from .expr import GetAttr
from .graph import InternalGraph
from .graph_json import GraphReader, graph_tree
from .module import TracedModule
from .node import ModuleNode

FORMAT = 1
_TABLES = {"_parameters": "parameters", "_buffers": "buffers"}
_OWN = {"training", "_full_name", "_dtype", "_forward_pre_hooks", "_forward_post_hooks", "_non_persistable_buffer_names_set"}
_OWN |= {"_parameters", "_buffers", "_sub_layers"}


def save(module: TracedModule, path: str | os.PathLike | IO[bytes]) -> None:
    """Save a TracedModule as the graph it is, at exactly this path; what was there is replaced at once or not at all."""
    if not isinstance(module, TracedModule):
        raise TypeError(f"save takes a TracedModule, not {type(module).__name__}")
    writer = _Writer(module)
    contents = {MODEL: json.dumps(writer.tree()).encode(), PARAMS: write_params(writer.arrays)}
    info = Info(training=module.training, name=module.class_name, versions={"dy2st": VERSION}, extra={"kind": "traced_module"})
    write_archive(path, seal(contents, info))


def load(path: str | os.PathLike | IO[bytes]) -> TracedModule:
    """The TracedModule that was saved; ModelFileError says what is wrong with the file."""
    return from_archive(*read_archive(path))


def from_archive(info: Info, files: dict[str, Any]) -> TracedModule:
    """The TracedModule in the members of an archive."""
    if info.extra.get("kind") != "traced_module":
        raise ModelFileError("this archive holds no TracedModule; `dy2st.jit.load` reads Programs")
    tree = expect_keys(parse_json(bytes(files[MODEL]), MODEL), {"traced_module", "layers", "graphs"}, set(), MODEL)
    if tree["traced_module"] != FORMAT:
        raise ModelFileError(f"{MODEL} has the format {brief(tree['traced_module'])}; this version of dy2st reads {FORMAT}")
    return _Reader(tree, read_params(files[PARAMS])).module()


def module_bytes(module: TracedModule) -> bytes:
    """The archive as bytes."""
    buffer = io.BytesIO()
    save(module, buffer)
    return buffer.getvalue()


def module_from_bytes(data: bytes) -> TracedModule:
    """The TracedModule of an archive's bytes."""
    return load(io.BytesIO(data))


class _Writer:
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
        for table, key in _TABLES.items():
            made[key] = {name: None if t is None else self._entry(t, name) for name, t in getattr(layer, table).items()}
        made["unsaved"] = sorted(layer._non_persistable_buffer_names_set)
        made["sublayers"] = {name: child and self._index[id(child)] for name, child in layer._sub_layers.items()}
        if layer._forward_pre_hooks or layer._forward_post_hooks:
            raise TypeError(f"{type(layer).__name__} has forward hooks; Python functions can't be saved: remove them")
        if isinstance(layer, TracedModule):
            spec = vars(layer.argspec) | {"declared": layer.argspec.declared}
            first = next((k for k, graph in enumerate(self.graphs) if graph.module is layer), 0)
            graphs = [first, len(layer._graphs)]
            made["traced"] = {"class": layer.class_name, "argspec": self._plain(spec, layer), "graphs": graphs}
            return made
        if not is_builtin(layer) and class_named(class_name(layer)) is not type(layer):
            raise TypeError(f"{type(layer).__name__} was set on the module, but never traced: call it in insert_exprs")
        made["builtin"] = {"class": class_name(layer), "attributes": self._plain(_attributes(layer), layer)}
        return made

    def _entry(self, tensor: Tensor, name: str) -> list[Any]:
        return [self.tensor(tensor, name), tensor.stop_gradient, tensor.name]

    def _plain(self, values: dict[str, Any], layer: Layer) -> Any:
        try:
            return encode(values, lambda node: -1, self.array)
        except TypeError as error:
            raise TypeError(f"{type(layer).__name__} can't be saved: {error}") from None


def _attributes(layer: Layer) -> dict[str, Any]:
    return {name: value for name, value in vars(layer).items() if name not in _OWN}


class _Reader:
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
        vars(made).update({k: v for k, v in expect(self._plain(found["attributes"]), dict, name).items() if k not in _OWN})
        return made

    def _fill(self, layer: Layer, tree: dict[str, Any], layers: list[Layer]) -> None:
        layer.training = expect(tree.get("training"), bool, "training")
        object.__setattr__(layer, "_dtype", expect(tree.get("dtype"), str, "dtype"))
        for table, key in _TABLES.items():
            for name, entry in expect(tree.get(key), dict, key).items():
                getattr(layer, table)[name] = None if entry is None else self._entry(entry, table == "_parameters")
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

