"""Forms of a model: on NumPy, and in onnxruntime. Each gives the outputs of a call, and values on the way by name.

The outputs of the form in onnxruntime are those of the session that a user gets. Its optimisations make one node of several, but
not across a value that is an output: to look at all values at once would show others than that session computes. So a form shows
the values of a prefix of the model that is optimised as a whole: those that the rest of the model reads.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..graphs.model import model_of
from ..graphs.ports import Port
from ..graphs.preparing import Prepared, prepared
from .arguments import natives_of
from .lowering.program import Lowered, lower
from .lowering.pruning import needed, read_by
from .metadata import KEY, Metadata
from .opening import opened
from .packages import onnx, onnxruntime
from .reading.files import decoded
from .runs import Runner
from .shown_values import Shown, feeds_of, on_numpy, shown_node
from .watch import Watch

PLAIN = "ORT_DISABLE_ALL"
LEVELS = ("ORT_ENABLE_BASIC", "ORT_ENABLE_EXTENDED", "ORT_ENABLE_LAYOUT", "ORT_ENABLE_ALL")


class Form(Protocol):
    """A model with the arguments of one call.

    name: for people. values: the names of what it computes outside of control flow, in order.
    """

    name: str

    @property
    def values(self) -> Sequence[str]:
        """The names of what it computes outside of control flow, in order."""

    def outputs(self) -> Mapping[str, Shown]:
        """The outputs by name; where a call raises, `error` alone."""

    def shown(self, names: Sequence[str]) -> Mapping[str, Shown]:
        """The values of these names."""


class NumpyForm:
    """A Program run by the engine on NumPy. lowered: its ONNX form, for the names. natives: the arguments in native form."""

    def __init__(self, name: str, ready: Prepared, lowered: Lowered, natives: Sequence[Any]):
        self.name = name
        self._found, self._outputs = on_numpy(ready, lowered, natives)

    @property
    def values(self) -> Sequence[str]:
        """As a Form's."""
        return [*self._found]

    def outputs(self) -> Mapping[str, Shown]:
        """As a Form's."""
        return self._outputs

    def shown(self, names: Sequence[str]) -> Mapping[str, Shown]:
        """As a Form's."""
        return {name: self._found[name] for name in names}


class OnnxForm:
    """A model in onnxruntime.

    source: its path, or its bytes. ports: what its outputs stand for. feeds: the arrays of its inputs.
    """

    def __init__(self, name: str, source: Any, model: Any, ports: Sequence[Port], feeds: Mapping[str, Any]):
        self.name, self._source, self._model, self._ports, self._feeds = name, source, model, ports, feeds
        self._folder = "" if isinstance(source, bytes) else os.path.dirname(os.path.abspath(source))

    @cached_property
    def _nodes(self) -> dict[str, Any]:
        return {name: node for node in self._model.graph.node for name in node.output if name}

    @property
    def values(self) -> Sequence[str]:
        """As a Form's."""
        return [*self._nodes]

    def outputs(self) -> Mapping[str, Shown]:
        """As a Form's: of a session as `Session(path)` makes it."""
        names = [name for port in self._ports if port.role != "detail" for name in port.leaves]
        arrays = dict(zip(names, Runner(opened(self._source))(names, self._feeds) if names else []))
        told = [name for port in self._ports if port.role == "error" for name in port.leaves]
        is_ended = any(arrays[name].any() for name in told)
        return {name: Shown(arrays[name], f"the output {name}") for name in (told if is_ended else names)}

    def shown(self, names: Sequence[str], level: str | None = None) -> Mapping[str, Shown]:
        """As a Form's, of a session of a model that ends at these values. level: as for Watch."""
        arrays = Watch(self._model, names, self._folder, level)(self._feeds)
        return {name: shown_node(self._nodes[name], array) for name, array in zip(names, arrays)}

    def ends_of(self, names: Sequence[str]) -> list[str]:
        """Those of the values that a model which ends at all of them doesn't read itself: the rest of the model does."""
        inside = needed(self._model.graph.node, names)
        there = {id(node) for node in inside}
        read = {name for node in self._model.graph.node if id(node) not in there for name in read_by(node)}
        within = {name for node in inside for name in read_by(node)}
        outputs = {output.name for output in self._model.graph.output}
        return [name for name in names if name in read or name in outputs or name not in within]


def forms_of(ready: Prepared, lowered: Lowered, natives: Sequence[Any]) -> tuple[NumpyForm, OnnxForm]:
    """A Program and its ONNX model, for the arguments `natives` in native form."""
    ours = NumpyForm("NumPy", ready, lowered, natives)  # first: what a call raises is said by the engine on NumPy
    feeds = feeds_of(lowered.inputs, natives, ready.initial)
    source = lowered.model.SerializeToString()
    return ours, OnnxForm("onnxruntime", source, lowered.model, lowered.outputs, feeds)


def form_of(path: str, arrays: Sequence[np.ndarray]) -> Form:
    """What `jit.save` or `dy2st.onnx.export` wrote, for a call with these arrays. ValueError: another program wrote the file."""
    if path.endswith(".onnx"):
        model = decoded(onnx(), Path(path).read_bytes(), path)
        text = {prop.key: prop.value for prop in model.metadata_props}.get(KEY)
        if text is None:
            raise ValueError(f"{path} wasn't written by dy2st.onnx.export: nothing tells which array is which input")
        told = Metadata.of_json(text)
        feeds = feeds_of(told.inputs, natives_of(told.name, told.arguments, tuple(arrays), {}), {})
        return OnnxForm(path, path, model, told.outputs, feeds)
    program, info, method = model_of(path, None, {})
    ready = prepared(program)
    natives = natives_of(info.name, info.inputs[method], tuple(arrays), {})
    return NumpyForm(path, ready, lower(ready.program, interface=ready.interface), natives)


def levels() -> list[str]:
    """The levels of optimisation that the installed onnxruntime has, from the lowest on."""
    return [level for level in LEVELS if hasattr(onnxruntime().GraphOptimizationLevel, level)]
