"""A `return` inside control flow sets a value and a flag; the function returns that value at its end.

    for x in xs:                     return_0 = False
        if p(x):                     for x in xs:                     (goes on while not return_0)
            return x         ->          if p(x):
    return None                              return_value_0 = x
                                             return_0 = True
                                     if not return_0:
                                         return_value_0 = None
                                     return return_value_0

A `return` at the end of the function sets the value only. Functions that return from straight code stay as they are.
"""

import gast

from . import builders as build
from .analysis.paths import falls_through, returns
from .analysis.plan import is_control_flow
from .base import blocks, locate


def returns_from_control_flow(statements, inside=False) -> bool:
    for node in statements:
        if isinstance(node, gast.Return) and inside:
            return True
        nested = inside or is_control_flow(node)
        if any(returns_from_control_flow(block, nested) for block in blocks(node)):
            return True
    return False


def has_value(function) -> bool:
    return any(node.value is not None and not _is_none(node.value) for node in returns(function.body))


def _is_none(node):
    return isinstance(node, gast.Constant) and node.value is None


def return_none_at_the_end(function):
    """Writes down the `return None` that Python adds, where other paths return a value."""
    body = function.body
    if returns_from_control_flow(body) and has_value(function) and falls_through(body):
        body.append(locate(gast.Return(build.constant(None)), body[-1]))


class ReturnJumps:
    """The `return` statements of one function."""

    def __init__(self, function, naming):
        self.naming = naming
        self.active = returns_from_control_flow(function.body)
        self.value = naming.fresh("return_value") if self.active and has_value(function) else None
        self.flag: str | None = None

    def lower(self, node, at_the_end: bool):
        """The statements for one `return`, and the flags that it sets."""
        if not self.active:
            return [node], set()
        result = []
        if self.value:
            result.append(build.assign(self.value, node.value or build.constant(None)))
        elif node.value is not None and not _is_none(node.value):
            result.append(build.statement(node.value))
        if not at_the_end:
            result.append(build.assign(self.need_flag(), build.constant(True)))
        return [locate(new, node) for new in result], set() if at_the_end else {self.flag}

    def need_flag(self) -> str:
        self.flag = self.flag or self.naming.fresh("return")
        return self.flag

    def finish(self, body):
        """The body with its one `return` at the end; the flag's first value is placed with those of other names."""
        if self.value:
            body.append(locate(gast.Return(build.load(self.value)), body[-1]))
        return body or [gast.Pass()]

