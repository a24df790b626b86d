"""Which paths leave a block: can control reach its end, does it contain a jump."""

import gast

from ..base import LOOPS, TRIES, WITHOUT_BLOCKS, blocks

JUMPS = (gast.Return, gast.Break, gast.Continue)

# Context managers known to let exceptions through; every other one might swallow them.
TRANSPARENT_MANAGERS = {"no_grad", "enable_grad", "set_grad_enabled", "inference_mode", "auto_cast", "autocast",
                        "name_scope", "nullcontext", "record_function"}


def may_swallow(statement: gast.With) -> bool:
    """Whether an exception in the body may continue after the `with`."""
    return any(_manager_name(item.context_expr) not in TRANSPARENT_MANAGERS for item in statement.items)


def _manager_name(expression):
    if isinstance(expression, gast.Call):
        expression = expression.func
    return expression.attr if isinstance(expression, gast.Attribute) else getattr(expression, "id", None)


def is_true(test) -> bool:
    return isinstance(test, gast.Constant) and bool(test.value)


def falls_through(statements) -> bool:
    """Whether control can reach the end of the block without an exception or a jump."""
    return all(_continues(statement) for statement in statements)


def _continues(node) -> bool:
    if isinstance(node, (*JUMPS, gast.Raise)):
        return False
    if type(node) in WITHOUT_BLOCKS:
        return True
    if isinstance(node, gast.If):
        return falls_through(node.body) or falls_through(node.orelse)
    if isinstance(node, gast.While) and is_true(node.test):
        return breaks(node)
    if isinstance(node, LOOPS):
        return falls_through(node.orelse) or breaks(node)
    if isinstance(node, TRIES):
        body = falls_through(node.body) and falls_through(node.orelse)
        handled = any(falls_through(handler.body) for handler in node.handlers)
        return (body or handled) and falls_through(node.finalbody)
    if isinstance(node, gast.With):
        return falls_through(node.body) or may_swallow(node)
    return True


def breaks(loop) -> bool:
    """Whether a `break` of this very loop is in its body."""
    return any(isinstance(jump, gast.Break) for jump in loop_jumps(loop.body))


def loop_jumps(statements):
    """The `break` and `continue` that belong to the loop whose body this is."""
    for node in statements:
        if isinstance(node, (gast.Break, gast.Continue)):
            yield node
        elif isinstance(node, LOOPS):
            yield from loop_jumps(node.orelse)
        else:
            for block in blocks(node):
                yield from loop_jumps(block)


def returns(statements):
    """The `return` statements of a function's own body."""
    for node in statements:
        if isinstance(node, gast.Return):
            yield node
        else:
            for block in blocks(node):
                yield from returns(block)


def escaping_jumps(statements):
    """The jumps whose target lies outside the block."""
    yield from loop_jumps(statements)
    yield from returns(statements)
