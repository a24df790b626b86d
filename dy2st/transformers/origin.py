"""The user's line of each line of rewritten code.

Every node that the transformers write gets a position in the user's own file, from the code that it stands for or (`gast_trees`)
that is around it; the running code is compiled from that tree. The text for reviewers has lines of its own: `homes_of` maps
them to the user's.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

from .comments import Home, Layout, logical_lines


def homes_of(parsed, rewritten) -> list[Home]:
    """The user's line of each logical line of the text that `parsed` is read from, told by its twins in the rewritten tree."""
    homes: dict[int, Home] = {}
    pending = [(parsed, rewritten, rewritten.lineno)]
    while pending:
        node, twin, line = pending.pop()
        line = getattr(twin, "lineno", line)
        if isinstance(node, (ast.stmt, ast.excepthandler)):
            end = _header_end(node)
            homes.setdefault(end, Home(_start(node), end, line))
        same = type(node) is type(twin)
        for field in node._fields:
            value, other = getattr(node, field, None), getattr(twin, field, None) if same else None
            if isinstance(value, list):
                twins = other if isinstance(other, list) and len(other) == len(value) else [None] * len(value)
                pending.extend([(item, its, line) for item, its in zip(value, twins) if isinstance(item, ast.AST)])
            elif isinstance(value, ast.AST):
                pending.append((value, other, line))
    return [homes[end] for end in sorted(homes)]


def _start(node) -> int:
    """The first text line of a statement, its decorators among it."""
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])


def _header_end(node) -> int:
    """The last text line of a simple statement, or of the head of a compound one."""
    first = getattr(node, "cases", None) or getattr(node, "body", None)
    if not first or not isinstance(first, list):
        return node.end_lineno
    first = first[0]
    return (first.pattern.lineno if isinstance(first, ast.match_case) else _start(first)) - 1


class Row(NamedTuple):
    """A line of the rewritten text as people read it.

    text: the line, without the user's comment. beside: that comment. number: of the line in the text; 0 for a comment or a blank
    line. home: the piece of text that it is in, where that came from a line of the user's.
    """

    text: str
    beside: str = ""
    number: int = 0
    home: Home | None = None

    def __str__(self) -> str:
        return f"{self.text}  {self.beside}" if self.beside else self.text


def rows_of(text: str, homes: Sequence[Home], source: Sequence[str], first: int) -> list[Row]:
    """The lines of the text, with the user's comments and blank lines beside and between them.

    source: the lines of the user's function, of which the first has the number `first`.
    """
    lines = text.splitlines()
    is_lambda = not lines[0].lstrip().startswith(("def ", "async "))      # which begins and ends within a line
    layout = Layout(lines, homes, [] if is_lambda else logical_lines(source, first))
    inside = {number: home for home in homes for number in range(home.start, home.end + 1)}
    result: list[Row] = []
    for number, line in enumerate(lines, start=1):
        result += map(Row, layout.before.get(number, ()))
        result.append(Row(line, layout.beside.get(number, ""), number, inside.get(number)))
        result += map(Row, layout.behind.get(number, ()))
    return result


def annotate(rows: Sequence[Row], source: Sequence[str], first: int) -> str:
    """The rows with the user's line numbers: `y = f(x)  # 12`, `y = g(x)  # 13  # a comment`.

    Where control flow became functions, the first of them also shows what the user wrote: `def true_fn_0(y):  # 14: if x > 0:`.
    What only hands values on (a further `def`, its `return`) repeats no number.
    """
    starts = {row.number: row.text for row in rows if row.number}
    result: list[str] = []
    shown: set[int] = set()
    for row in rows:
        home = row.home
        if home is not None and row.number == home.end and not (home.line in shown and HANDS_ON.match(starts[home.start])):
            header = source[home.line - first].removesuffix(row.beside).strip() if home.line not in shown else ""
            number = f"  # {home.line}: {_shortened(header)}" if HEADER.match(header) else f"  # {home.line}"
            row = row._replace(text=row.text + number)
            shown.add(home.line)
        result.append(str(row))
    return "\n".join(result) + "\n"


HEADER = re.compile(r"(if|elif|while|for|try|with|match|case)\b.*:")
HANDS_ON = re.compile(r" *(def |return\b(?! _jst\.(convert_|try_)))")
WIDTH = 60


def _shortened(header: str) -> str:
    return header if len(header) <= WIDTH else header[: WIDTH - 3] + "..."
