"""The user's line of each line of rewritten code.

Every node that the transformers write gets a position in the user's own file, from the code that it stands for or (`gast_trees`)
that is around it; the running code is compiled from that tree. The text for reviewers has lines of its own: `home_lines` maps
them to the user's.
"""

import ast
import re


def home_lines(parsed, rewritten) -> dict[int, int]:
    """The user's line of each logical line of the text that `parsed` is read from, told by its twins in the rewritten tree."""
    lines: dict[int, int] = {}
    pending = [(parsed, rewritten, rewritten.lineno)]
    while pending:
        node, twin, line = pending.pop()
        line = getattr(twin, "lineno", line)
        if isinstance(node, (ast.stmt, ast.excepthandler)):
            lines.setdefault(_header_end(node), line)
        same = type(node) is type(twin)
        for field in node._fields:
            value, other = getattr(node, field, None), getattr(twin, field, None) if same else None
            if isinstance(value, list):
                twins = other if isinstance(other, list) and len(other) == len(value) else [None] * len(value)
                pending.extend([(item, its, line) for item, its in zip(value, twins) if isinstance(item, ast.AST)])
            elif isinstance(value, ast.AST):
                pending.append((value, other, line))
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


def annotate(text: str, lines: dict[int, int], users_line) -> str:
    """The text with the user's line numbers as comments: `y = f(x)  # 12`.

    Where control flow became functions, the first of them also shows what the user wrote: `def true_fn_0(y):  # 14: if x > 0:`.
    What only hands values on (a further `def`, its `return`) repeats no number. `users_line(number)` is the text of a line.
    """
    result, shown = [], set()
    for number, line in enumerate(text.splitlines(), start=1):
        home = lines.get(number)
        if home is not None and not (home in shown and HANDS_ON.match(line)):
            header = users_line(home).strip() if home not in shown else ""
            line += f"  # {home}: {_shortened(header)}" if HEADER.match(header) else f"  # {home}"
            shown.add(home)
        result.append(line)
    return "\n".join(result) + "\n"


HEADER = re.compile(r"(if|elif|while|for|try|with|match|case)\b.*:")
HANDS_ON = re.compile(r" *(def .*|return( .*)?)$")
WIDTH = 60


def _shortened(header: str) -> str:
    return header if len(header) <= WIDTH else header[: WIDTH - 3] + "..."
