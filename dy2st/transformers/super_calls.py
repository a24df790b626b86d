"""`super()`  ->  `super(__class__, self)`: inside a generated function Python couldn't find the arguments itself."""

import gast

from . import builders as build
from .base import FUNCTIONS, own_nodes


def explicit_super(function):
    """Writes down the arguments of `super()` in the function and in its inner functions."""
    first = _first_parameter(function)
    for node in own_nodes(function):
        if isinstance(node, FUNCTIONS):
            explicit_super(node)
        elif first and _is_bare_super(node):
            node.args = [gast.copy_location(build.load("__class__"), node), gast.copy_location(build.load(first), node)]


def _first_parameter(function):
    args = function.args
    positional = [*args.posonlyargs, *args.args]
    return positional[0].id if positional else None


def _is_bare_super(node):
    return (isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "super"
            and not node.args and not node.keywords)
