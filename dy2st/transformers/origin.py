"""Where each line of rewritten code comes from.

The code that runs is parsed from the text that people review; `move_home` then gives every node the position that its
twin in the rewritten tree carries, the user's own file and line. Where text and tree differ (a constant that was folded),
a node takes the position of what encloses it.
"""

import ast

from .base import children

POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def complete(tree, position):
    """Gives nodes of a rewritten tree that have no position that of the code around them."""
    pending = [(tree, position)]
    while pending:
        node, position = pending.pop()
        if getattr(node, "lineno", None) is not None:
            position = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        else:
            node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = position
        pending.extend([(child, position) for child in children(node)])


def move_home(parsed, rewritten) -> dict[int, int]:
    """Moves the positions of `rewritten` onto `parsed`; returns the user's line of each logical line of the text."""
    lines: dict[int, int] = {}
    pending = [(parsed, rewritten, rewritten)]
    while pending:
        node, twin, place = pending.pop()
        if hasattr(twin, "lineno"):
            place = twin
        if isinstance(node, (ast.stmt, ast.excepthandler)):
            lines.setdefault(_header_end(node), place.lineno)
        if "lineno" in node._attributes:
            node.lineno, node.col_offset = place.lineno, place.col_offset
            node.end_lineno, node.end_col_offset = place.end_lineno, place.end_col_offset
        same = type(node) is type(twin)
        for field in node._fields:
            value, other = getattr(node, field, None), getattr(twin, field, None) if same else None
            if isinstance(value, list):
                twins = other if isinstance(other, list) and len(other) == len(value) else [None] * len(value)
                pending.extend([(item, its, place) for item, its in zip(value, twins) if isinstance(item, ast.AST)])
            elif isinstance(value, ast.AST):
                pending.append((value, other, place))
    return lines


def _header_end(node) -> int:
    """The last text line of a simple statement, or of the head of a compound one."""
    first = getattr(node, "cases", None) or getattr(node, "body", None)
    if not first or not isinstance(first, list):
        return node.end_lineno
    first = first[0]
    if isinstance(first, ast.match_case):
        return first.pattern.lineno - 1
    return min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))]) - 1


def annotate(text: str, lines: dict[int, int]) -> str:
    """The text with the user's line number at the end of each line: `y = f(x)  # 12`."""
    result = []
    for number, line in enumerate(text.splitlines(), start=1):
        result.append(f"{line}  # {lines[number]}" if number in lines else line)
    return "\n".join(result) + "\n"
