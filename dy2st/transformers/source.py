"""Finds the syntax tree of a function in the file that it was compiled from."""

from __future__ import annotations

import ast
import collections
import dataclasses
import functools
import linecache
from collections.abc import Sequence

from dy2st.errors import SourceUnavailableError
from dy2st.silenced import READ, parsed, silenced

CURE = ("define the function in a .py file or a notebook cell (not by exec or at a bare prompt), "
        "or keep it out of the conversion with not_to_static")
TIMED = "<timed exec>"  # what IPython calls the code of a cell that begins with %%time, whose text it doesn't keep


@dataclasses.dataclass
class FoundFunction:
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    class_name: str | None       # the class whose body it stands in, for private names
    lines: Sequence[str] = ()      # of its source, once it was found; decorators are not among them


class _File:
    """The functions of one file, by their first line; lambdas, which stand anywhere, are looked for where one is asked for."""

    def __init__(self, text: str):
        self.text, self.tree = text, parsed(text)

    @functools.cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @functools.cached_property
    def functions(self) -> dict[int, list[FoundFunction]]:
        return _by_line(_defined_in(self.tree.body))

    @functools.cached_property
    def lambdas(self) -> dict[int, list[FoundFunction]]:
        return _by_line(_lambdas_in(self.tree))


def _by_line(functions) -> dict[int, list[FoundFunction]]:
    lines = collections.defaultdict(list)
    for function in functions:
        lines[_first_line(function.node)].append(function)
    return lines


_files: dict[tuple[str, str], _File] = {}
KEPT_FILES = 32
BLOCK_ITEMS = (ast.stmt, ast.ExceptHandler, ast.match_case)


def find_function(function) -> FoundFunction:
    """The tree of `function`, with the line and column numbers of its file."""
    code = function.__code__
    file = _parsed_file(function)
    functions = file.lambdas if code.co_name == "<lambda>" else file.functions
    candidates = [function for function in functions.get(code.co_firstlineno, ()) if _fits(function.node, code)]
    if len(candidates) > 1:
        candidates = _same_code(candidates, code)
    if not candidates:
        raise SourceUnavailableError(
            f"the source of {function.__qualname__!r} isn't at line {code.co_firstlineno} of {code.co_filename!r}: the file "
            f"was changed after it was imported, or the code was generated; import it again, or {CURE}")
    found = candidates[0]
    found.lines = file.lines[found.node.lineno - 1 : found.node.end_lineno]
    return found


def _parsed_file(function) -> _File:
    filename = function.__code__.co_filename
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, function.__globals__)
    text = ("" if lines and lines[0].endswith("\n") else "\n").join(lines)  # whoever has made a source may have split it
    if not text:
        raise SourceUnavailableError(
            f"the source of {function.__qualname__!r} can't be found (it says it is in {filename!r}); "
            f"{'define the function in a cell without %%time' if filename == TIMED else CURE}")
    key = (filename, text)
    file = _files.get(key)
    if file is None:
        try:
            file = _files[key] = _File(text)
        except SyntaxError as error:
            raise SourceUnavailableError(
                f"the source of {function.__qualname__!r} can't be read: {filename!r} has {error}; {CURE}") from error
        for old in list(_files)[:-KEPT_FILES]:  # `list` is one step for threads
            _files.pop(old, None)
    return file


def _first_line(node) -> int:
    """The first line of a function, as code objects count it."""
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])


def _defined_in(statements):
    """The functions that these statements, and those inside them, define."""
    pending: list[tuple[ast.AST, str | None]] = [(statement, None) for statement in statements]
    while pending:
        node, class_name = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield FoundFunction(node, class_name)
        inner = node.name if isinstance(node, ast.ClassDef) else class_name
        for value in vars(node).values():
            if type(value) is list and value and isinstance(value[0], BLOCK_ITEMS):
                pending.extend([(statement, inner) for statement in value])


def _lambdas_in(node):
    """The lambdas below a node."""
    pending = [(node, None)]
    while pending:
        node, class_name = pending.pop()
        if isinstance(node, ast.Lambda):
            yield FoundFunction(node, class_name)
        for value in vars(node).values():
            if isinstance(value, list):
                inner = node.name if isinstance(node, ast.ClassDef) and value is node.body else class_name
                pending.extend([(child, inner) for child in value if isinstance(child, ast.AST)])
            elif isinstance(value, (ast.expr, ast.arguments, ast.arg)):
                pending.append((value, class_name))


def _fits(node, code) -> bool:
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    args = node.args
    return (name == code.co_name and len(args.posonlyargs) == code.co_posonlyargcount
            and len(args.posonlyargs) + len(args.args) == code.co_argcount and len(args.kwonlyargs) == code.co_kwonlyargcount)


def _same_code(candidates, code):
    """Several lambdas on one line: the innermost in which the code lies; without positions, those whose compiled code is that of
    the function. (Compiled alone, a lambda calls what the module imports in another way, on some Pythons.)"""
    if all(isinstance(candidate.node, ast.Lambda) for candidate in candidates) and (positions := _positions(code)):
        inside = [candidate for candidate in candidates if _spans(candidate.node.body, positions)]
        return sorted(inside, key=lambda candidate: (candidate.node.lineno, candidate.node.col_offset))[-1:]
    return [candidate for candidate in candidates if _key(code) == _key(_compiled(candidate, code))]


def _compiled(candidate, code):
    """The candidate compiled alone, where the free variables of the real one are free too."""
    node = candidate.node
    if isinstance(node, ast.Lambda):
        node = ast.copy_location(ast.Return(node), node)
    names = [ast.arg(name, lineno=1, col_offset=0, end_lineno=1, end_col_offset=0) for name in code.co_freevars]
    outer = ast.FunctionDef("outer", ast.arguments([], names, None, [], [], None, []), [node], [], None, None)
    outer.type_params = []
    module = ast.Module([ast.copy_location(outer, node)], [])
    flags = code.co_flags & 0x1FFF000
    with silenced(Warning, READ):
        compiled = compile(module, READ, "exec", flags=flags & ~0x2000, dont_inherit=True)
    return _code_in(_code_in(compiled, "outer"), code.co_name)


def _code_in(code, name):
    return next(const for const in code.co_consts if hasattr(const, "co_code") and const.co_name == name)


def _key(code):
    """All of a function's code but its position."""
    constants = tuple(_key(const) if hasattr(const, "co_code") else (type(const), repr(const)) for const in code.co_consts
                      if not isinstance(const, str) or "<locals>" not in const)
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)


def _positions(code) -> list:
    """The positions of the code's instructions (Python 3.11 and later know columns): (line, column, end line, end column)."""
    positions = code.co_positions() if hasattr(code, "co_positions") else ()
    return [(line, column, end, end_column) for line, end, column, end_column in positions
            if column is not None and end_column is not None and (line, column) != (code.co_firstlineno, 0)]


def _spans(body, positions) -> bool:
    """Whether all of these positions lie in a lambda's body."""
    first, last = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    return all(first <= (line, column) and (end, end_column) <= last for line, column, end, end_column in positions)
