"""The statements after some `if`s move into both branches: each path has the values of its own kinds to the end.

    if (mask == 1).all():        if (mask == 1).all():
        mask = None                  mask = None
    return decode(mask)    ->        return decode(mask)     mask is None here
                                 else:
                                     return decode(mask)     and a tensor here

An `if` inside other `if`s moves the statements after these, too. One inside a loop, a `with` or a `try` stays.
"""

import copy

import gast

from .analysis.paths import falls_through


def split_paths(function, lines) -> bool:
    """Splits the path of a function at the `if`s on these lines; whether they can be split."""
    can_have_statements = not isinstance(function, gast.Lambda)
    return can_have_statements and all(_split(function.body, line) for line in sorted(lines))


def _split(statements, line) -> bool:
    for position, node in enumerate(statements):
        if isinstance(node, gast.If) and _is_at(node, line):
            rest = statements[position + 1:]
            del statements[position + 1:]
            node.body, node.orelse = _followed(node.body, copy.deepcopy(rest)), _followed(node.orelse, rest)
            return _is_met(node, line) or _split(node.body, line) or _split(node.orelse, line)
    return False


def _is_met(node, line) -> bool:
    return node.lineno <= line < node.body[0].lineno


def _is_at(node, line) -> bool:
    """Whether an `if` stands on a line, or one does that is reached through `if`s alone."""
    inside = (inner for inner in (*node.body, *node.orelse) if isinstance(inner, gast.If))
    return _is_met(node, line) or any(_is_at(inner, line) for inner in inside)


def _followed(block, rest):
    return block + rest if falls_through(block) else block
