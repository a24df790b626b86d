"""The statements after an early exit move into the other branch, so that most functions need no flags.

    if c:                   if c:
        return a                return a
    y = f(x)        ->      else:
    return y                    y = f(x)
                                return y

Where all handlers of a `try` leave, its `else` takes the statements that follow.

Each exit in a row nests one level deeper; past `DEPTH` levels the flags of `jumps` keep the code flat instead.
"""

import gast

from .analysis.paths import escaping_jumps, falls_through
from .base import blocks

DEPTH = 4


def nest_early_exits(function):
    _restructure(function.body, 0)


def _restructure(statements, depth):
    for position, node in enumerate(statements):
        move = MOVES.get(type(node))
        if move and depth < DEPTH and move(node, statements[position + 1:]):
            del statements[position + 1:]
            for block in blocks(node):
                _restructure(block, depth + 1)
            return
        for block in blocks(node):
            _restructure(block, depth)


def _move_rest(node, rest) -> bool:
    """Moves the statements after an `if` into the branch that falls through, if any; False if both do, or no branch jumps."""
    if not rest or not any(True for block in (node.body, node.orelse) for _ in escaping_jumps(block)):
        return False
    body, orelse = falls_through(node.body), falls_through(node.orelse)
    if body and orelse:
        return False
    if body:
        node.body = node.body + rest
    elif orelse:
        node.orelse = node.orelse + rest
    return True


def _move_to_else(node, rest) -> bool:
    """The same for a `try` without `finally`: its handlers don't catch exceptions of its `else`."""
    blocks_of_handlers = [handler.body for handler in node.handlers]
    if not rest or node.finalbody or not blocks_of_handlers or any(map(falls_through, blocks_of_handlers)):
        return False
    if not any(True for block in blocks_of_handlers for _ in escaping_jumps(block)):
        return False
    if any(True for block in (node.body, node.orelse) for _ in escaping_jumps(block)):
        return False
    node.orelse = node.orelse + rest
    return True


MOVES = {gast.If: _move_rest, gast.Try: _move_to_else}
