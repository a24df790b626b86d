"""InternalGraph: what one forward does, as Exprs in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import surgery
from .expr import Expr, Input
from .names import Names
from .node import Node
from .queries import Queries
from .tree import leaves, map_tree
from .watch import current_watch

if TYPE_CHECKING:
    from .module import TracedModule


@dataclass
class Ids:
    """The next free ids, shared by all graphs of a module."""

    expr: int = 0
    node: int = 0


class InternalGraph(Queries):
    """The Exprs of one forward. Its module runs them; queries walk them; surgery changes them.

    name: the Layer's class, and what tells it apart. ids: the next free ones. is_top: whether it is the graph of the outermost
    Layer. form: the arguments it was traced with, Nodes in place of tensors. results: what it returns, likewise. added: the
    inputs that came later. around: for a side of an `if` or a part of a `while`, the graph that this one reads Nodes of as it
    reads its own; its inputs are what a loop carries, and the names are unique in all of them together.
    """

    def __init__(self, name: str, ids: Ids, is_top: bool, around: InternalGraph | None = None):
        self.name, self.ids, self.is_top, self.around = name, ids, is_top, around
        self.names: Names = Names() if around is None else around.names
        self._module: TracedModule = None  # type: ignore[assignment]
        self.inputs: list[Any] = []
        self.body: list[Expr] = []
        self.results: Any = None
        self.form: tuple[tuple, dict[str, Any]] = ((), {})
        self.added: list[Any] = []

    @property
    def outermost(self) -> InternalGraph:
        """The graph of a Layer's call that this one is, or is a part of."""
        graph = self
        while graph.around is not None:
            graph = graph.around
        return graph

    @property
    def module(self) -> TracedModule:
        """The Layer whose graph this is, or is a part of."""
        return self.outermost._module

    @module.setter
    def module(self, module: TracedModule) -> None:
        self._module = module

    @property
    def self_node(self) -> Any:
        """The Node of that Layer."""
        return self.outermost.inputs[0]

    # --- building --------------------------------------------------------------------------------------------------------

    def add_input(self, kind: type[Node], name: str, **details: Any) -> Any:
        """A further input: a new Node of the class `kind`, with the name `name` or one like it.

        details: what the class takes else.
        """
        expr = Input(self)
        node = kind(self.names.unique(name), expr, **details)
        expr.outputs.append(node)
        self.inputs.append(node)
        return node

    def add_output(self, expr: Expr, kind: type[Node], name: str, **details: Any) -> Any:
        """A further output of `expr`: a new Node of the class `kind`, with the name `name` or one like it.

        details: what the class takes else.
        """
        node = kind(self.names.unique(name), expr, **details)
        expr.outputs.append(node)
        return node

    def number(self) -> None:
        """Give ids to what has none, in the order of execution: a sublayer's right after its call."""
        for expr in self._walk(True):
            if expr.id < 0:
                expr.id = self.ids.expr
                self.ids.expr += 1
            for node in expr.outputs:
                if node.id < 0:
                    node.id = self.ids.node
                    self.ids.node += 1
            for inner in expr.graphs:
                inner.ids = self.ids

    @property
    def outputs(self) -> list[Any]:
        """The Nodes that it returns, from left to right."""
        return [leaf for leaf in leaves(self.results) if isinstance(leaf, Node)]

    # --- running ---------------------------------------------------------------------------------------------------------

    def eval(self, *inputs: Any) -> list[Any]:
        """The list of outputs for the values of `inputs[1:]`.

        TypeError: another number of inputs, or this graph is a part of another.
        """
        if self.around is not None:
            raise TypeError(f"{self.name} is a part of {self.outermost.name}, whose Nodes it reads: eval that one")
        if len(inputs) != len(self.inputs) - 1:
            raise TypeError(f"{self.name} takes {len(self.inputs) - 1} inputs, not {len(inputs)}")
        values = self.run(inputs)
        return [values[node] for node in self.outputs]

    def compute(self, inputs: Iterable[Any]) -> Any:
        """What the forward returns for these values of the `inputs`, but the first, which is the Layer."""
        values = self.run(inputs)
        return map_tree(lambda leaf: values[leaf] if isinstance(leaf, Node) else leaf, self.results)

    def run(self, inputs: Iterable[Any]) -> dict[Node, Any]:
        """The values of all Nodes, up to the end points where there are some, for these values of the `inputs`, but the first."""
        values: dict[Any, Any] = dict(zip(self.inputs, (self._module, *inputs)))
        self.run_body(values)
        return values

    def run_body(self, values: dict[Node, Any]) -> None:
        """Run the Exprs up to the end points; `values` has those of the inputs, and gets those of the other Nodes."""
        watch = current_watch()
        if watch is None:
            for expr in self.body:
                expr.run(values)
            return
        watch.see(self.inputs, values)
        for expr in watch.until_end(self):
            expr.run(values)
            watch.see(expr.outputs, values)

    # --- surgery -----------------------------------------------------------------------------------------------------------

    def add_input_node(self, shape: Iterable[int], dtype: str = "float32", name: str = "args") -> Any:
        """A further input of the top graph, behind the others: a new tensor Node of this shape and dtype.

        `argspec.args.append(name)` lets it be given by name. ValueError: this isn't the top graph.
        """
        return surgery.add_input_node(self, shape, dtype, name)

    def add_output_node(self, node: Node) -> None:
        """Return `node`, too: the result of the top graph is a tuple that ends with it.

        ValueError: no tensor Node, or not the top graph.
        """
        surgery.add_output_node(self, node)

    def reset_outputs(self, outputs: Any) -> None:
        """Let the top graph return `outputs`: tensor Nodes in lists, tuples and dicts.

        ValueError: others, or not the top graph.
        """
        surgery.reset_outputs(self, outputs)

    def replace_node(self, repl_dict: dict[Node, Node]) -> None:
        """Let the users of each key of `repl_dict` that come after the Expr of its value read the value instead; the outputs,
        too.

        TypeError: no Nodes. ValueError: Nodes of another graph, or of different kinds.
        """
        surgery.replace_node(self, repl_dict)

    def replace_calls(self, what: Any, make: Callable[..., Any]) -> int:
        """Put what `make(*arguments)` gives in place of each call of a function, a class of layers or a layer, here and below.

        Returns how many there were. A layer's Node is the first argument: `replace_calls(nn.ReLU, lambda act, x: F.relu6(x))`.
        """
        from .replacing import replace_calls

        return replace_calls(self, what, make)

    def compile(self) -> None:
        """Remove the Exprs that no output needs."""
        surgery.compile_graph(self)

    def insert_exprs(self, expr: Expr | None = None) -> AbstractContextManager[None]:
        """In the body of this `with`, tensor Nodes act as tensors and module Nodes as Layers; the calls become Exprs.

        They go right after `expr`, or as early as their inputs allow. An exception leaves the graph as it was. Gives the context
        manager. ValueError: no Expr of this graph. TraceError: a call that can't be inserted.
        """
        from .insertion import insert_exprs

        return insert_exprs(self, expr)

    def __repr__(self) -> str:
        return format(self, "")

    def __format__(self, spec: str) -> str:
        from .printing import graph_text

        return graph_text(self, spec)

