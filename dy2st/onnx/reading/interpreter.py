"""The nodes of a graph, one after the other: run while a Program is being recorded, they record it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np

from ...errors import ConversionError, Dy2stError, ModelFileError, ShapeError
from ...ops import dispatch
from ...runtime.tensors.tensor import Tensor
from ...saving.untrusted import within
from . import nodes  # noqa: F401 - which fill the table
from .bodies import body_of
from .budget import budget
from .folding import LARGEST, folded
from .graph import Graph, Node
from .registry import TABLE, Implementation
from .sparse import Sparse
from .values import MOST_AXES, as_int, as_ints, as_tensor, is_known, settled


class Scope:
    """The values of a graph by name, and those of the graphs around it."""

    def __init__(self, around: Scope | None = None):
        self._own: dict[str, Any] = {"": None}
        self._around = around

    def __getitem__(self, name: str) -> Any:
        scope: Scope | None = self
        while scope is not None:
            if name in scope._own:
                return scope._own[name]
            scope = scope._around
        raise ConversionError(f"the value {name!r} is used before any node gives it")

    def __setitem__(self, name: str, value: Any) -> None:
        if name:
            self._own[name] = value

    def run(self, graph: Graph, inputs: Sequence[Any]) -> list[Any]:
        """The outputs of a graph that stands in this scope; inputs that aren't given are None."""
        inner = Scope(self)
        for name, value in (*graph.constants.items(), *zip_longest(graph.inputs, inputs)):
            inner[name] = value.dense() if isinstance(value, Sparse) else value
        for node in graph.nodes:
            for name, value in zip(node.outputs, run_node(node, inner)):
                inner[name] = value
        return [inner[name] for name in graph.outputs]


def call(node: Node, body: Graph, inputs: Sequence[Any]) -> tuple:
    """The outputs of a function; of those that the node doesn't ask for, it need give none."""
    wanted = [name if given else "" for name, given in zip_longest(body.outputs, node.outputs)]
    return tuple(Scope().run(replace(body, outputs=wanted), inputs))


def run_node(node: Node, scope: Scope) -> Sequence[Any]:
    """The outputs of one node."""
    inputs = [scope[name] for name in node.inputs]
    with _told(node):
        budget().record()
        found = _computed(node, inputs, scope)
        results = found if isinstance(found, tuple) else (found,)
        for result in results:
            _check_size(result)
    return results


def _check_size(result: Any) -> None:
    """ModelFileError where the type of a result has more axes, or elements, than a tensor may have."""
    if isinstance(result, Tensor) and result.type.shape is not None:
        lengths = result.type.shape
        if len(lengths) > MOST_AXES:
            raise ModelFileError(f"the result has {len(lengths)} axes, and a tensor has {MOST_AXES} at most")
        within("elements", math.prod(n for n in lengths if isinstance(n, int)), "elements of the result")


def _computed(node: Node, inputs: list[Any], scope: Scope) -> Any:
    if node.body is not None:
        return call(node, node.body, inputs)
    implementation = TABLE.find(node.domain, node.op_type, node.version)
    if implementation is None:
        return call(node, body_of(node, inputs), inputs)
    if implementation.is_control:
        return implementation.function(node, inputs, scope)
    if inputs and all(isinstance(x, np.ndarray) or x is None for x in inputs):
        on_arrays = TABLE.arrays.get(node.op_type)
        is_taken = on_arrays is not None and node.attributes.keys() <= on_arrays.takes
        found = on_arrays.function(*inputs, **_attributes(node, on_arrays)) if on_arrays and is_taken else None
        if found is not None:
            return tuple(map(settled, found)) if isinstance(found, tuple) else settled(found)
        if implementation.folds and all(is_known(x) or x is None for x in inputs):
            return _folded(implementation, node, inputs)
    return _called(implementation, node, inputs)


def _folded(implementation: Implementation, node: Node, inputs: list[Any]) -> Any:
    """The results of a node whose inputs are constants: constants where they are small, else recorded."""
    record = partial(_called, implementation, node, inputs)
    if sum(x.size for x in inputs if x is not None) > LARGEST:
        return record()
    found = folded(record, record)
    if isinstance(found, tuple):
        return tuple(_array(x) for x in found)
    return _array(found)


def _array(value: Any) -> Any:
    return value._data if isinstance(value, Tensor) and not value.is_staged else value


def _called(implementation: Implementation, node: Node, inputs: list[Any]) -> Any:
    wants = [*implementation.wants, *[implementation.rest] * (len(inputs) - len(implementation.wants))]
    given = [_wanted(value, kind, at) for at, (value, kind) in enumerate(zip(inputs, wants))]
    attributes = _attributes(node, implementation)
    return implementation.function(*given, **attributes)


def _attributes(node: Node, implementation: Implementation) -> dict[str, Any]:
    """The attributes of a node, and what else its function asks for. ConversionError: it knows nothing of one of them."""
    if more := node.attributes.keys() - implementation.takes:
        raise ConversionError(f"the attributes {', '.join(sorted(more))} can't be loaded")
    known = {**node.attributes, "outputs": len(node.outputs), "mark": node}
    return {name: known[name] for name in implementation.takes if name in known}


def _wanted(value: Any, kind: str | None, at: int) -> Any:
    """A value in the form that a function asks for."""
    if kind == "Int" and value is not None:
        return as_int(value)
    if kind == "Ints" and value is not None:
        return as_ints(value, f"input {at}")
    if isinstance(value, str) and kind != "Value":
        raise ConversionError(f"input {at} is a text, and texts are only handed on")
    return value if kind == "Value" else as_tensor(value)


@contextmanager
def _told(node: Node) -> Iterator[None]:
    """What is recorded within bears the name of a node, and an exception its place in the model.

    What isn't said of shapes is a ConversionError: no model raises it when it runs.
    """
    rec = dispatch.current_mode().rec
    try:
        if rec is None:
            yield
        else:
            with rec.enter_layer(node):
                yield
    except (ShapeError, ConversionError, ModelFileError) as error:
        if not is_located(error):
            error.args = (f"{node.loc}: {node}: {error}",)
        raise
    except Exception as error:
        if rec is not None and rec.handling.raising is error:  # as the node says, when the model runs
            raise
        told = str(error) if isinstance(error, Dy2stError) else f"{type(error).__name__}: {error}"
        raise ConversionError(f"{node.loc}: {node}: {told}") from error


def is_located(error: Exception) -> bool:
    """Whether an exception tells its place."""
    return re.match(r"[^\n]+?:\d+: ", str(error)) is not None
