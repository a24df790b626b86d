"""Looking at a graph: its Exprs and Nodes, what differs from another, pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..viewer import HasPage
from .expr import Expr
from .select import ExprFilter, NodeFilter

if TYPE_CHECKING:
    from .diff import GraphDiff
    from .graph import InternalGraph


class Queries(HasPage):
    """What can be asked of a graph; each query is asked anew when its answer is iterated."""

    inputs: list[Any]
    body: list[Expr]

    def exprs(self, recursive: bool = True) -> ExprFilter:
        """The Exprs, inputs first, in the order in which they run; a sublayer's, and those of the sides of an `if` and of the
        condition and body of a `while`, right after it, each once. recursive: whether these come at all."""
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
        """The Nodes by rising id; `recursive`: also those of the graphs below."""
        return NodeFilter(lambda: sorted((n for e in self._walk(recursive) for n in e.outputs), key=lambda n: n.id))

    def get_node_by_id(self, node_id: int | Iterable[int], recursive: bool = True) -> NodeFilter:
        """The Nodes with these ids, one or several (`node_id`); `recursive`: also those of the graphs below."""
        return self.nodes(recursive).node_id(node_id)

    def get_node_by_name(self, name: str, ignorecase: bool = True, recursive: bool = True) -> NodeFilter:
        """The Nodes whose `<graph name>_<name>` fits a pattern with `*` and `?`, whatever the case where `ignorecase`.

        recursive: also those of the graphs below.
        """
        return self.nodes(recursive).name(name, ignorecase)

    def get_expr_by_id(self, expr_id: int | Iterable[int], recursive: bool = True) -> ExprFilter:
        """The Exprs with these ids, one or several (`expr_id`); `recursive`: also those of the graphs below."""
        return self.exprs(recursive).expr_id(expr_id)

    def get_function_by_type(self, func: Callable, recursive: bool = True) -> ExprFilter:
        """The calls of the function `func`; `recursive`: also those in the graphs below."""
        return self.exprs(recursive).call_function(func)

    def get_method_by_type(self, method: str, recursive: bool = True) -> ExprFilter:
        """The calls of methods of the name `method`; `recursive`: also those in the graphs below."""
        return self.exprs(recursive).call_method(method)

    def get_expr_by_type(self, kind: type[Expr], recursive: bool = True) -> ExprFilter:
        """The Exprs of this kind: `If`, `While`, `Constant` ...; `recursive`: also those of the graphs below."""
        return self.exprs(recursive).kind(kind)

    def get_module_by_type(self, module_cls: type, recursive: bool = True) -> NodeFilter:
        """The Nodes of Layers of the class `module_cls`; `recursive`: also those of the graphs below."""
        return self.nodes(recursive).type(module_cls)

    def to_dot(self) -> str:
        """The graph in Graphviz's language, a cluster for each sublayer and each block of control flow."""
        from ..viewer.dot import dot_text
        from .picture import graph_picture

        return dot_text(graph_picture(self))  # type: ignore[arg-type]

    def _page(self) -> str:
        from ..viewer.page import page_text
        from .picture import graph_picture

        return page_text(graph_picture(self))  # type: ignore[arg-type]

    def diff(self, other: InternalGraph) -> GraphDiff:
        """What `other` has added, removed and changed."""
        from .diff import diff_graphs

        return diff_graphs(self, other)  # type: ignore[arg-type]
