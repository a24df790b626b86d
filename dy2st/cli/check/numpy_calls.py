"""NumPy in a forward: it computes with values, and a Program has none before it runs."""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Iterator
from typing import Any

from ...api.creation import to_tensor
from .finding import Finding
from .names import draws, is_numpy
from .reached import Reached

DRAWN = {"rand": "rand", "randn": "randn", "random_sample": "rand"}  # those that take the lengths one by one


def numpy_calls(reached: Reached) -> Iterator[Finding]:
    """A Finding for each statement that calls NumPy on what may be a tensor, or draws random numbers from it."""
    for statement in statements(reached):
        uses = [use for use in ast.walk(statement) if isinstance(use, ast.Call) and is_use(reached, use)]
        if uses:
            yield reached.finding(uses[0], "numpy", " ".join(dict.fromkeys(_reason(reached, use) for use in uses)),
                                  _rewritten(reached, statement))  # fmt: skip


def statements(reached: Reached) -> Iterator[ast.AST]:
    """Each statement that holds no other one, and what stands at the head of the others."""
    for node in reached.walk():
        if isinstance(node, ast.stmt) and not hasattr(node, "body"):
            yield node
        elif isinstance(node, ast.stmt | ast.match_case) and not isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))
    if isinstance(reached.node, ast.Lambda):
        yield reached.node.body


def is_use(reached: Reached, node: ast.AST) -> bool:
    """Whether a node calls NumPy with anything but constants, or `t.numpy()`."""
    if not isinstance(node, ast.Call):
        return False
    if is_to_numpy(reached, node):
        return True
    if not is_numpy(reached.names.value(node.func)):
        return False
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    return draws(node) or not all(map(reached.names.is_constant, arguments))


def is_to_numpy(reached: Reached, node: ast.AST) -> bool:
    """Whether a node is `t.numpy()`."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "numpy" and not node.args
        and not callable(reached.names.value(node.func))
    )  # fmt: skip


def _reason(reached: Reached, call: ast.Call) -> str:
    text = ast.unparse(call.func)
    if is_to_numpy(reached, call):
        return f"{text}() asks for values, which are known only when the Program runs."
    if draws(call):
        return f"{text} would draw once, while the model is converted, and every run would get the same numbers."
    return f"{text} computes on arrays; the Program holds operators on tensors only."


def _rewritten(reached: Reached, statement: ast.AST) -> str:
    """The statement with functions of this package; what has no counterpart stays, and is told."""
    rewriter = _Rewriter(reached)
    text = ast.unparse(rewriter.visit(copy.deepcopy(statement)))
    if not rewriter.left:
        return text
    left = ", ".join(dict.fromkeys(rewriter.left))
    return f"{text}\n{left}: compose it of tensor functions, or compute it outside of the model"


class _Rewriter(ast.NodeTransformer):
    """Tensor functions in place of NumPy's."""

    def __init__(self, reached: Reached):
        self.reached = reached
        self.package = reached.names.module_name(reached.package, reached.package)
        self.left: list[str] = []

    def visit_Call(self, node: ast.Call) -> Any:
        value, to_numpy = self.reached.names.value(node.func), is_to_numpy(self.reached, node)
        used, is_from_numpy = is_use(self.reached, node), any(is_use(self.reached, n) for a in node.args for n in ast.walk(a))
        self.generic_visit(node)
        if to_numpy:
            return node.func.value  # type: ignore[attr-defined]
        if value is to_tensor and is_from_numpy and not node.keywords and len(node.args) == 1:
            return node.args[0]
        return self._counterpart(node) if used else node

    def _counterpart(self, node: ast.Call) -> Any:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        if draws(node):
            if name not in DRAWN or node.keywords:
                self.left.append(ast.unparse(node.func))
                return node
            return ast.Call(self._named(DRAWN[name]), [ast.List(node.args, ast.Load())], [])
        if not callable(getattr(sys.modules[self.reached.package], name, None)):
            self.left.append(ast.unparse(node.func))
            return node
        node.func = self._named(name)
        return node

    def _named(self, name: str) -> ast.expr:
        return ast.Attribute(ast.Name(self.package, ast.Load()), name, ast.Load())
