"""Arguments that are no tensors: a model that is saved takes their defaults."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...nn.layer import Layer
from .finding import Finding
from .reached import Reached

REASON = (
    "{name} {is_not} a tensor ({sign}) and has no default: a saved model is called with tensors, and takes defaults for all else"
)
OF_HINT = {"bool": False, "int": 0, "float": 0.0, "str": ""}


def arguments_without_defaults(reached: Reached) -> Iterator[Finding]:
    """A Finding for each parameter of a Layer's method that is used as a Python value and has no default."""
    if not isinstance(reached.owner, Layer):
        return
    arguments = reached.node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    needed = positional[1 : len(positional) - len(arguments.defaults)]
    needed += [arg for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if default is None]
    for arg in needed:
        found = _of_hint(arg) or next(filter(None, (_of_use(node, arg.arg) for node in reached.walk())), None)
        if found is not None:
            sign, default = found
            rewrite = f"{arg.arg}={default!r}    the value that inference takes; arguments with defaults come last"
            is_not = "may be None in place of" if default is None else "is not"
            reason = REASON.format(name=arg.arg, sign=sign, is_not=is_not)
            yield reached.finding(arg, "argument_without_default", reason, rewrite)


def _of_hint(arg: ast.arg) -> tuple[str, Any] | None:
    """What a hint says: (the sign, a default)."""
    hint = "" if arg.annotation is None else ast.unparse(arg.annotation).strip("'\"")
    return (f"it is hinted as {hint}", OF_HINT[hint]) if hint in OF_HINT else None


def _of_use(node: ast.AST, name: str) -> tuple[str, Any] | None:
    """What the use of an argument says: (the sign, a default)."""
    if isinstance(node, ast.If | ast.IfExp | ast.While) and _is_name(_positive(node.test), name):
        return "it decides an 'if' by itself", False
    if isinstance(node, ast.Compare) and _is_name(node.left, name):
        other = node.comparators[0]
        if isinstance(other, ast.Constant) and (isinstance(other.value, str) or isinstance(node.ops[0], ast.Is | ast.IsNot)):
            is_training = isinstance(other.value, str) and other.value.startswith("train")
            return f"it is compared with {other.value!r}", "eval" if is_training else other.value
    return None


def _positive(test: ast.AST) -> ast.AST:
    return test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
