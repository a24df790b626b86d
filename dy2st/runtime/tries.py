"""Where a `try` of the user's would have to catch what happens only when the Program runs: refused, at the line that may raise.

Handlers run while staging; an operation that raises at run time never meets them. Generated code has the user's line numbers, so
the `try` statements around a line can be read off the user's own source.
"""

from __future__ import annotations

import ast
import builtins
import functools
import linecache
import sys
from types import FrameType

from ..errors import ConversionError

Span = tuple[int, int, tuple[str, ...]]  # first and last line of a try's body, and the names of what its handlers catch
OUTERMOST = "_stage_once"  # the function that runs converted code: a `try` around it is no part of the model


def refuse_inside_try(package: str, exceptions: tuple[str, ...], what: str) -> None:
    """ConversionError if a `try` that is active now would catch one of `exceptions` (names, the raised class and its bases)."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != OUTERMOST:
        filename = frame.f_code.co_filename
        if not filename.startswith(package):
            for first, last, caught in spans(filename):
                if first <= frame.f_lineno <= last and catches(caught, exceptions) and frame.f_code.co_firstlineno <= first:
                    raise ConversionError(
                        f"{what} happens when the Program runs, where the 'try' around it can't catch it; "
                        "test for the case with an 'if' instead of catching the exception",
                        filename,
                        frame.f_lineno,
                    )
        frame = frame.f_back


@functools.lru_cache(maxsize=256)
def spans(filename: str) -> tuple[Span, ...]:
    """The bodies of the `try` statements of a file that have handlers or a `finally`."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except SyntaxError:
        return ()
    kinds = (ast.Try, getattr(ast, "TryStar", ast.Try))
    return tuple(_span(node) for node in ast.walk(tree) if isinstance(node, kinds))


def _span(node: ast.Try) -> Span:
    names: list[str] = []
    for handler in node.handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        names += [ast.unparse(kind).rpartition(".")[2] if kind is not None else "BaseException" for kind in kinds]
    if node.finalbody:
        names.append("BaseException")
    return node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno, tuple(names)


def catches(caught: tuple[str, ...], exceptions: tuple[str, ...]) -> bool:
    """Whether a handler of one of `caught` would catch an exception whose class and bases are `exceptions`."""
    return any(name in exceptions or any(_is_base(name, e) for e in exceptions) for name in caught)


def _is_base(base: str, name: str) -> bool:
    a, b = getattr(builtins, base, None), getattr(builtins, name, None)
    return isinstance(a, type) and isinstance(b, type) and issubclass(b, a)
