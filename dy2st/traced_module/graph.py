"""InternalGraph: what one forward does, as Exprs in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import surgery
from .expr import Expr, Input
from .names import Names
from .node import Node
from .select import ExprFilter, NodeFilter
from .tree import leaves, map_tree
from .watch import current_watch

if TYPE_CHECKING:
    from .diff import GraphDiff
    from .module import TracedModule


@dataclass
class Ids:
    """The next free ids, shared by all graphs of a module."""

    expr: int = 0
    node: int = 0


class InternalGraph:
    """The Exprs of one forward. Its module runs them; queries walk them; surgery changes them.

    form: the arguments it was traced with, Nodes in place of tensors. results: what it returns, likewise. added: the inputs that
    came later. around: for a side of an `if` or a part of a `while`, the graph that this one reads Nodes of as it reads its own;
    its inputs are what a loop carries, and the names are unique in all of them together.
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
        """A further input."""
        expr = Input(self)
        node = kind(self.names.unique(name), expr, **details)
        expr.outputs.append(node)
        self.inputs.append(node)
        return node

    def add_output(self, expr: Expr, kind: type[Node], name: str, **details: Any) -> Any:
        """A further output of `expr`."""
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
        """The list of outputs for the values of `inputs[1:]`."""
        if self.around is not None:
            raise TypeError(f"{self.name} is a part of {self.outermost.name}, whose Nodes it reads: eval that one")
        if len(inputs) != len(self.inputs) - 1:
            raise TypeError(f"{self.name} takes {len(self.inputs) - 1} inputs, not {len(inputs)}")
        values = self.run(inputs)
        return [values[node] for node in self.outputs]

    def compute(self, inputs: Iterable[Any]) -> Any:
        """What the forward returns."""
        values = self.run(inputs)
        return map_tree(lambda leaf: values[leaf] if isinstance(leaf, Node) else leaf, self.results)

    def run(self, inputs: Iterable[Any]) -> dict[Node, Any]:
        """The values of all Nodes, up to the end points where there are some."""
        values: dict[Any, Any] = dict(zip(self.inputs, (self._module, *inputs)))
        self.run_body(values)
        return values

    def run_body(self, values: dict[Node, Any]) -> None:
        """Run the Exprs, where the values of the inputs are known, up to the end points."""
        watch = current_watch()
        if watch is None:
            for expr in self.body:
                expr.run(values)
            return
        watch.see(self.inputs, values)
        for expr in watch.until_end(self):
            expr.run(values)
            watch.see(expr.outputs, values)

    # --- looking ---------------------------------------------------------------------------------------------------------

    def exprs(self, recursive: bool = True) -> ExprFilter:
        """The Exprs, inputs first, in the order in which they run; a sublayer's, and those of the sides of an `if` and of the
        condition and body of a `while`, right after it, each once."""
        return ExprFilter(lambda: self._walk(recursive))

    def _walk(self, recursive: bool) -> Iterator[Expr]:
        seen = {id(self)}
        pending: list[Iterator[Expr]] = [iter([node.expr for node in self.inputs] + self.body)]
        while pending:
            expr = next(pending[-1], None)
            if expr is None:
                pending.pop()
                continue
            yield expr
            for inner in reversed(expr.graphs) if recursive else ():
                if id(inner) not in seen:
                    seen.add(id(inner))
                    pending.append(iter([node.expr for node in inner.inputs] + inner.body))

    def nodes(self, recursive: bool = True) -> NodeFilter:
        """The Nodes by rising id."""
        return NodeFilter(lambda: sorted((n for e in self._walk(recursive) for n in e.outputs), key=lambda n: n.id))

    def get_node_by_id(self, node_id: int | Iterable[int], recursive: bool = True) -> NodeFilter:
        """The Nodes with these ids."""
        return self.nodes(recursive).node_id(node_id)

    def get_node_by_name(self, name: str, ignorecase: bool = True, recursive: bool = True) -> NodeFilter:
        """The Nodes whose `<graph name>_<name>` fits a pattern with `*` and `?`."""
        return self.nodes(recursive).name(name, ignorecase)

    def get_expr_by_id(self, expr_id: int | Iterable[int], recursive: bool = True) -> ExprFilter:
        """The Exprs with these ids."""
        return self.exprs(recursive).expr_id(expr_id)

    def get_function_by_type(self, func: Callable, recursive: bool = True) -> ExprFilter:
        """The calls of this function."""
        return self.exprs(recursive).call_function(func)

    def get_method_by_type(self, method: str, recursive: bool = True) -> ExprFilter:
        """The calls of methods of this name."""
        return self.exprs(recursive).call_method(method)

    def get_expr_by_type(self, kind: type[Expr], recursive: bool = True) -> ExprFilter:
        """The Exprs of this kind: `If`, `While`, `Constant` ..."""
        return self.exprs(recursive).kind(kind)

    def get_module_by_type(self, module_cls: type, recursive: bool = True) -> NodeFilter:
        """The Nodes of Layers of this class."""
        return self.nodes(recursive).type(module_cls)

    def to_dot(self) -> str:
        """The graph in Graphviz's language, a cluster for each sublayer and each block of control flow."""
        from .view import dot_text

        return dot_text(self)

    def to_html(self, path: str | os.PathLike | None = None) -> str:
        """A page that shows the graph, what it calls and its control flow: one file, no network. Written to `path`."""
        from .view import page_text

        text = page_text(self)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def diff(self, other: InternalGraph) -> GraphDiff:
        """What `other` has added, removed and changed."""
        from .diff import diff_graphs

        return diff_graphs(self, other)

    # --- surgery -----------------------------------------------------------------------------------------------------------

    def add_input_node(self, shape: Iterable[int], dtype: str = "float32", name: str = "args") -> Any:
        """A further input of the top graph, behind the others; `argspec.args.append(name)` lets it be given by name."""
        return surgery.add_input_node(self, shape, dtype, name)

    def add_output_node(self, node: Node) -> None:
        """Return `node`, too: the result of the top graph is a tuple that ends with it."""
        surgery.add_output_node(self, node)

    def reset_outputs(self, outputs: Any) -> None:
        """What the top graph returns: tensor Nodes in lists, tuples and dicts."""
        surgery.reset_outputs(self, outputs)

    def replace_node(self, repl_dict: dict[Node, Node]) -> None:
        """Let the users of each key that come after the Expr of its value, and the outputs, read the value instead."""
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

        They go right after `expr`, or as early as their inputs allow. An exception leaves the graph as it was.
        """
        from .insertion import insert_exprs

        return insert_exprs(self, expr)

    def __repr__(self) -> str:
        return format(self, "")

    def __format__(self, spec: str) -> str:
        from .printing import graph_text

        return graph_text(self, spec)

