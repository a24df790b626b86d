"""TracedModule: a Layer that runs the graphs of its forward."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any

from ..ir.visible import visible
from ..nn import Layer
from ..ops import dispatch
from ..runtime.tensors.tensor import Tensor
from ..viewer import HasPage
from .arguments import ArgSpec, Signature, normal_arguments, signature_of
from .graph import InternalGraph
from .node import Node, NumberNode
from .printing import argument_text
from .same import same_constant
from .tree import map_tree, same_tree
from .watch import Watch, checked_nodes, watching

_chosen: ContextVar[InternalGraph | None] = ContextVar("dy2st_chosen_graph", default=None)


def signature_of_layer(layer: Layer, with_self: bool = False) -> Signature | None:
    """The signature of a Layer's forward."""
    if isinstance(layer, TracedModule):
        found: Signature | None = layer.argspec.signature()
    else:
        found = signature_of(getattr(layer.forward, "dygraph_function", layer.forward))  # of a static one, the function itself
    if with_self and found is not None:
        parts = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY), *found.parameters.values()]
        found = found.replace(parameters=parts)
    return found


class TracedModule(Layer, HasPage):
    """A Layer made by `trace_module`: its forward re-executes the Exprs of a graph.

    There is one graph for each way in which it was called: per set of constant arguments, and per path that the forward took. It
    takes and gives tensors of the shapes and dtypes that the traced Layer does. class_name: of that Layer; signature: of its
    forward; graphs: those. TypeError: a call with arguments of a form that wasn't traced.
    """

    def __init__(self, class_name: str, signature: Signature | None, graphs: list[InternalGraph]):
        super().__init__(class_name.lower())
        store = object.__setattr__
        store(self, "class_name", class_name)
        store(self, "argspec", ArgSpec.of(signature) if signature else ArgSpec(["self"], varargs="args", varkw="kwargs"))
        store(self, "_graphs", graphs)
        store(self, "_watch", None)
        for graph in graphs:
            graph.module = self

    @property
    def graph(self) -> InternalGraph:
        """The only graph; RuntimeError where there is none, or more than one."""
        if len(self._graphs) != 1:
            count = len(self._graphs)
            raise RuntimeError(
                f"{self.class_name} was traced with {count} kinds of calls and has as many graphs: ask the call, "
                "`expr.graph` of its CallMethod"
                if count
                else f"{self.class_name} was not called while it was traced, so it has no graph"
            )
        return self._graphs[0]

    # --- running ---------------------------------------------------------------------------------------------------------

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the graph that was traced with such arguments; TypeError where there is none."""
        tracer = dispatch.current_mode().tracer
        if tracer is not None:
            return tracer.called(self.forward, args, kwargs)
        graph, inputs = self._fitting(args, kwargs)
        return self._run_graph(graph, inputs)

    def graph_for(self, args: tuple, kwargs: dict[str, Any]) -> InternalGraph:
        """The graph that a call with these arguments, `args` and `kwargs`, runs. TypeError: there is none."""
        return self._fitting(args, kwargs)[0]

    def _fitting(self, args: tuple, kwargs: dict[str, Any]) -> tuple[InternalGraph, list[Any]]:
        chosen = _chosen.get()
        for graph in self._graphs if chosen is None or chosen.module is not self else [chosen]:
            inputs = self._inputs(graph, args, kwargs)
            if inputs is not None:
                return graph, inputs
        forms = "\n".join(f"    ({_form_text(graph.form)})" for graph in self._graphs)
        given = _form_text((args, kwargs))
        raise TypeError(f"{self.class_name} was not traced with such arguments: ({given}). It was traced with\n{forms}")

    def call_graph(self, graph: InternalGraph, args: tuple, kwargs: dict[str, Any]) -> Any:
        """The result of a call of this Layer that runs `graph`, one of its own, with the arguments `args` and `kwargs`."""
        if len(self._graphs) == 1:
            return self(*args, **kwargs)
        token = _chosen.set(graph)
        try:
            return self(*args, **kwargs)
        finally:
            _chosen.reset(token)

    def _inputs(self, graph: InternalGraph, args: tuple, kwargs: dict[str, Any]) -> list[Any] | None:
        """The values of the graph's inputs, or None where the arguments are of another form."""
        added, args, kwargs = self.argspec.take_added(len(graph.added), args, kwargs)
        given = normal_arguments(self.argspec.signature(), args, kwargs)
        found: dict[Node, Any] = {}

        def fits(leaf: Any, value: Any) -> bool:
            if not isinstance(leaf, Node):
                return same_constant(leaf, value)
            found[leaf] = value
            return isinstance(value, Tensor) != isinstance(leaf, NumberNode)

        if not same_tree(graph.form, given, fits):
            return None
        found.update(zip(graph.added, added))
        return [found[node] for node in graph.inputs[1:]]

    def _run_graph(self, graph: InternalGraph, inputs: list[Any]) -> Any:
        watch = self._watch
        if watch is None:
            return graph.compute(inputs)
        with watching(watch):
            if watch.ends and graph is watch.top:
                values = graph.run(inputs)
                return [values[node] for node in watch.ends]
            return graph.compute(inputs)

    # --- watching --------------------------------------------------------------------------------------------------------

    def set_watch_points(self, nodes: Node | Iterable[Node]) -> None:
        """Keep the values of these `nodes`, one or several, of this graph or any below it, when the module runs.

        TypeError: no Nodes.
        """
        self._watching().watched = set(checked_nodes(nodes))
        self._watching().seen = {}

    def clear_watch_points(self) -> None:
        """Watch nothing any more, and forget the values."""
        self._watching().watched, self._watching().seen = set(), {}

    @property
    def watch_node_value(self) -> dict[Node, Any]:
        """Watched Node -> its value (a tensor, or the Layer itself) in the last run, for those that were reached."""
        return self._watching().seen

    def set_end_points(self, nodes: Node | Iterable[Node]) -> None:
        """Stop as soon as these `nodes` of this module's own graph are known, and return the list of their values.

        ValueError: Nodes of another graph. RuntimeError: it has several graphs.
        """
        found = checked_nodes(nodes)
        for node in found:
            if node.top_graph is not self.graph:
                raise ValueError(f"end points are Nodes of {self.graph.name}, unlike {node!r} of {node.top_graph.name}")
        self._watching().ends, self._watching().top = found, self.graph

    def clear_end_points(self) -> None:
        """Run to the end again."""
        self._watching().ends = []

    def _watching(self) -> Watch:
        if self._watch is None:
            object.__setattr__(self, "_watch", Watch())
        return self._watch

    # --- parts and copies --------------------------------------------------------------------------------------------------

    def swap(self, name: str, layer: Layer) -> None:
        """Put `layer` in the place of the sublayer of this dotted name, also in the graphs; a custom one is traced.

        AttributeError: there is no such sublayer.
        """
        from .replacing import swap

        swap(self, name, layer)

    def flatten(self) -> TracedModule:
        """A new TracedModule without TracedModules inside: one graph of the library's layers and functions."""
        from .flatten import flatten_module

        return flatten_module(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> TracedModule:
        from .copying import copy_module

        return copy_module(self, memo)

    def __reduce__(self) -> tuple:
        from .files import module_bytes, module_from_bytes

        return module_from_bytes, (module_bytes(self),)

    def __repr__(self) -> str:
        from .picture import module_summary

        return f"<TracedModule {visible(module_summary(self))}>"

    def _page(self) -> str:
        from ..viewer.page import page_text
        from .picture import module_picture

        return page_text(module_picture(self))

    def _repr_html_(self) -> str | None:
        return super()._repr_html_() if self._graphs else None


def _form_text(form: tuple[tuple, dict[str, Any]]) -> str:
    """The arguments of a call: `Tensor, 2, mode=fast`."""
    kind = lambda leaf: _Word(leaf.kind if isinstance(leaf, Node) else "Tensor") if isinstance(leaf, Node | Tensor) else leaf  # noqa: E731
    args, kwargs = map_tree(kind, form)
    return ", ".join([*(argument_text(a, "") for a in args), *(f"{k}={argument_text(v, '')}" for k, v in kwargs.items())])


class _Word(str):
    __repr__ = str.__str__
