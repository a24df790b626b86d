"""What an `if` or a `while` asks: the user's own words where the source is at hand, else a short expression."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..ir.core import Loc
from ..runtime.where.lines import SourceLoc
from ..silenced import parsed

DEEPEST, WIDEST = 5, 4  # calls within calls of a short expression, and operands of one: a file may hold any number
_SYMBOLS = {
    **dict.fromkeys(("greater_than", "py.gt", "gt"), ">"), **dict.fromkeys(("less_than", "py.lt", "lt"), "<"),
    **dict.fromkeys(("greater_equal", "py.ge", "ge"), ">="), **dict.fromkeys(("less_equal", "py.le", "le"), "<="),
    **dict.fromkeys(("equal", "py.eq", "eq"), "=="), **dict.fromkeys(("not_equal", "py.ne", "ne"), "!="),
    **dict.fromkeys(("add", "py.add"), "+"), **dict.fromkeys(("subtract", "py.sub", "sub"), "-"),
    **dict.fromkeys(("multiply", "py.mul", "mul"), "*"), **dict.fromkeys(("divide", "py.truediv", "truediv"), "/"),
    **dict.fromkeys(("floor_divide", "py.floordiv", "floordiv"), "//"), **dict.fromkeys(("remainder", "py.mod", "mod"), "%"),
}  # fmt: skip
_NOT = ("py.not", "logical_not", "not")
_SILENT = {"py.truth", "py.to_tensor", "cast", "truth", "to_tensor"}  # that say nothing of the question


class Made(NamedTuple):
    """How a value was made: by an operator of operands; or, without an operator, what it is called."""

    text: str
    operator: str = ""
    operands: tuple = ()


def expression(value: Any, made: Callable[[Any], Made]) -> str:
    """A value in Python's words: `mean(x) > 0`. made: tells of a value how it was made."""
    return _expression(value, made, DEEPEST)[0]


def _expression(value: Any, made: Callable[[Any], Made], depth: int) -> tuple[str, str]:
    """The text, and the word or symbol that holds its operands together."""
    found = made(value)
    if not found.operator:
        return found.text, ""
    if found.operator in _SILENT and found.operands:
        return _expression(found.operands[0], made, depth)
    if not depth:
        return "…", ""
    texts = [_expression(operand, made, depth - 1) for operand in found.operands[:WIDEST]]
    texts += [("…", "")] if len(found.operands) > WIDEST else []
    word = found.operator if found.operator in ("and", "or") else _SYMBOLS.get(found.operator, "")
    if word and len(texts) == 2:
        binds = ("and", "or") if word in ("and", "or") else ("and", "or", *_SYMBOLS.values())
        return f" {word} ".join(f"({text})" if inner in binds and inner != word else text for text, inner in texts), word
    if found.operator in _NOT and len(texts) == 1:
        text, inner = texts[0]
        return f"not {f'({text})' if inner in ('and', 'or') else text}", "not"
    return f"{found.operator.removeprefix('py.')}({', '.join(text for text, _ in texts)})", ""


class Conditions:
    """The conditions that stand in source files, which are read once."""

    def __init__(self) -> None:
        self._files: dict[str, list[_Asked]] = {}

    def text(self, word: str, loc: Loc | None, is_whole: bool) -> str:
        """How the `if`, `while` or `for` at a place reads; empty where the source isn't at hand or several may be meant.

        is_whole: whether it is the answer of `and` or `or` that is asked, not their first operand.
        """
        if not isinstance(loc, SourceLoc):
            return ""
        here = [asked for asked in self._of(loc.file) if asked.word == word and asked.line == loc.line]
        if loc.column:
            here = [asked for asked in here if asked.column == loc.column] or [asked for asked in here if asked.is_loop]
        if len(here) == 2 and here[0].is_part != here[1].is_part:
            here = [asked for asked in here if asked.is_part != is_whole]
        return here[0].text if len(here) == 1 else ""

    def _of(self, file: str) -> list[_Asked]:
        if file not in self._files:
            source = "".join(linecache.getlines(file))
            self._files[file] = list(_asked(source))
        return self._files[file]


class _Asked(NamedTuple):
    """A question in a source: of an `if` or a `while`, as it reads.

    is_part: it is an operand of `and`, `or` or a chain of comparisons. is_loop: it is a `for`.
    """

    word: str
    line: int
    column: int
    text: str
    is_part: bool = False
    is_loop: bool = False


def _asked(source: str) -> Iterator[_Asked]:
    try:
        tree = parsed(source)
    except (SyntaxError, ValueError):  # a cell with magics, a file that has changed
        return
    lines = source.splitlines()

    def asked(word: str, node: ast.expr, text: str | None = None, **details: bool) -> _Asked:
        column = len(lines[node.lineno - 1].encode()[: node.col_offset].decode(errors="replace"))
        return _Asked(word, node.lineno, column, text or f"{word} {ast.get_source_segment(source, node)}", **details)

    for node in ast.walk(tree):
        if isinstance(node, ast.While):
            yield asked("while", node.test)
        elif isinstance(node, ast.If | ast.IfExp | ast.Assert):
            yield asked("if", node.test)
        elif isinstance(node, ast.For):
            text = f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
            yield asked("while", node.iter, text, is_loop=True)
        elif isinstance(node, ast.BoolOp):
            for operand in node.values[:-1]:
                yield asked("if", operand, is_part=True)
        elif isinstance(node, ast.Compare) and len(node.ops) > 1:
            first = ast.Compare(node.left, node.ops[:1], node.comparators[:1])
            yield asked("if", node.left, f"if {ast.unparse(first)}", is_part=True)
