"""`to_tensor` in a forward: a constant that is made again at each call, and that no state dict has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...api.creation import to_tensor
from ...nn.layer import Layer
from .finding import Finding
from .numpy_calls import is_use, statements
from .reached import PACKAGE, Reached
from .stores import stores

REASON = "to_tensor makes a constant: every call assigns it anew, and neither state_dict() nor the optimizer knows of it"


def to_tensor_calls(reached: Reached) -> Iterator[Finding]:
    """A Finding for each call of `to_tensor`, but on what NumPy computes: that is told as NumPy's."""
    for statement in statements(reached):
        for node in ast.walk(statement):
            if not isinstance(node, ast.Call) or reached.names.value(node.func) is not to_tensor or not node.args:
                continue
            if not any(is_use(reached, part) for part in ast.walk(node.args[0])):
                yield reached.finding(node, "to_tensor", REASON, _rewrite(reached, statement, node))


def _rewrite(reached: Reached, statement: ast.AST, call: ast.Call) -> str:
    argument = ast.unparse(call.args[0])
    is_known_before = _is_known_before(reached, call.args[0])
    if not is_known_before and reached.names.is_constant(call.args[0]):
        is_layer = isinstance(reached.owner, Layer)
        where = "in __init__, and keep it as a buffer" if is_layer else f"outside of {reached.function.__name__}"
        return f"{argument} is a constant: make it, and the Tensor of it, once {where}"
    if not is_known_before:
        package = reached.names.module_name(PACKAGE, PACKAGE)
        return (
            f"the Tensor itself, where {argument} was computed from one; {package}.stack([...]) of Tensors; "
            f"{package}.full([], n) of a number"
        )
    name = _buffer_name(call.args[0], statement)
    if not isinstance(reached.owner, Layer):
        return f"once, outside of {reached.function.__name__}:  {name.upper()} = {ast.unparse(call)}\nhere:  {name.upper()}"
    return f"in __init__:  self.register_buffer({name!r}, {_made(reached.owner, call)})\nhere:  self.{name}"


def _made(owner: Layer, call: ast.Call) -> str:
    """The call, of what the attribute is that it has been given: the buffer takes the place of that attribute."""
    argument = call.args[0]
    found = next(stores(owner, argument.attr), None) if isinstance(argument, ast.Attribute) else None
    value = getattr(found[1], "value", None) if found is not None else None
    return ast.unparse(call if value is None else ast.Call(call.func, [value, *call.args[1:]], call.keywords))


def _is_known_before(reached: Reached, node: ast.AST) -> bool:
    """Whether nothing in an expression is a parameter or a local variable."""
    return all(n.id in reached.names for n in ast.walk(node) if isinstance(n, ast.Name))


def _buffer_name(argument: ast.AST, statement: ast.AST) -> str:
    """The attribute that the constant comes from, or the variable that it goes to."""
    if isinstance(argument, ast.Attribute):
        return argument.attr
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return "constant"
