"""Graphs as text: one `%id: statement` a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir.core import attribute_text
from ..ir.visible import visible
from .calls import CallFunction, CallMethod
from .control import Control, Raise
from .expr import Constant, Expr, GetAttr, Input
from .functions import printed_name
from .node import ModuleNode, Node
from .tree import leaves

if TYPE_CHECKING:
    from .graph import InternalGraph


def graph_text(graph: InternalGraph, spec: str = "") -> str:
    """The whole graph; with `spec` "i", nodes with their ids."""
    shown = lambda nodes: ", ".join(format(node, spec) for node in nodes)  # noqa: E731
    lines = _body_lines(graph, spec, 1)
    if graph.outputs:
        lines.append(f"\treturn {shown(graph.outputs)}")
    return "\n".join([f"{visible(graph.name)}.Graph ({shown(graph.inputs)}) {{", *lines, "}"])


def _body_lines(graph: InternalGraph, spec: str, depth: int) -> list[str]:
    """A line for each step; the parts of control flow follow it, further in."""
    lines = []
    for expr in graph.body:
        lines.append("\t" * depth + expr_text(expr, spec))
        for label, block in zip(getattr(expr, "labels", ()), expr.blocks):
            lines.append("\t" * (depth + 1) + f"{label} ({', '.join(format(node, spec) for node in block.inputs)}) {{")
            lines += _body_lines(block, spec, depth + 2)
            if block.results:
                lines.append("\t" * (depth + 2) + f"yield {', '.join(argument_text(leaf, spec) for leaf in block.results)}")
            lines.append("\t" * (depth + 1) + "}")
    return lines


def expr_text(expr: Expr, spec: str = "") -> str:
    """`%3: conv1_out = conv1(x, )`, on one line whatever the names are."""
    outputs = ", ".join(format(node, spec) for node in expr.outputs)
    made = f"{outputs} = " if outputs else ""
    return visible(f"%{expr.id}: {made}{_right(expr, spec)}")


def _right(expr: Expr, spec: str) -> str:
    if isinstance(expr, Input):
        return "Input()"
    if isinstance(expr, Constant):
        return "Constant() -> (Tensor)"
    if isinstance(expr, GetAttr):
        return f'getattr({expr.args[0]:{spec}}, "{expr.name}") -> ({expr.outputs[0].kind})'
    if isinstance(expr, CallMethod):
        owner = argument_text(expr.args[0], spec)
        is_call = isinstance(expr.args[0], ModuleNode) and expr.method == "__call__"
        return f"{owner if is_call else f'{owner}.{expr.method}'}({_arguments(expr.args[1:], expr.kwargs, spec)})"
    if isinstance(expr, Control):
        return f"{expr.word}({_arguments(expr.args, expr.kwargs, spec)})"
    if isinstance(expr, Raise):
        return f"raise {expr.exception[0]}({_arguments(expr.args, {}, spec)})"
    assert isinstance(expr, CallFunction)
    return f"{printed_name(expr.func)}({_arguments(expr.args, expr.kwargs, spec)})"


def _arguments(args: tuple, kwargs: dict[str, Any], spec: str) -> str:
    by_place = [argument_text(value, spec) for value in args]
    by_name = [f"{name}={argument_text(value, spec)}" for name, value in kwargs.items()]
    return ", ".join(by_place + by_name) + ("" if by_name else ", " if by_place else "")


def argument_text(value: Any, spec: str) -> str:
    """A Node by name, a constant as Python shows it."""

    def text(leaf: Any) -> str:
        if isinstance(leaf, slice) and any(isinstance(part, Node) for part in leaves(leaf)):
            return f"slice({', '.join(map(text, (leaf.start, leaf.stop, leaf.step)))})"
        return format(leaf, spec) if isinstance(leaf, Node) else str(leaf)

    return attribute_text(value, text)
