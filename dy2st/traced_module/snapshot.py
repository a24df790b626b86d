"""How a graph and its module were before a change that didn't succeed."""

from __future__ import annotations

import copy
from typing import Any

from .graph import InternalGraph


class Snapshot:
    """What inserting Exprs may change: the graph, ids, and which Layers the module holds."""

    def __init__(self, graph: InternalGraph):
        self._graph = graph
        self._state = {**vars(graph), "body": list(graph.body)}
        self._names = graph.names.copy()
        self._ids = copy.copy(graph.ids)
        self._exprs = [(expr, expr.args, expr.kwargs) for expr in graph.body]
        layers = graph.module.sublayers(include_self=True)
        self._tables: list[tuple[dict, dict]] = [(layer._sub_layers, dict(layer._sub_layers)) for layer in layers]
        self._buffers: list[tuple[Any, Any]] = [(buffer, buffer._data.copy()) for buffer in graph.module.buffers()]

    def restore(self) -> None:
        """Put everything back."""
        vars(self._graph).update(self._state)
        self._graph.names.restore(self._names)
        vars(self._graph.ids).update(vars(self._ids))
        for expr, args, kwargs in self._exprs:
            expr.args, expr.kwargs = args, kwargs
        for table, before in self._tables:
            table.clear()
            table.update(before)

    def restore_buffers(self) -> None:
        """Running layers on stand-ins leaves no trace in their statistics."""
        for buffer, data in self._buffers:
            buffer._data[...] = data
