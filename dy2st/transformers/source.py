"""Finds the syntax tree of a function in the file that it was compiled from."""

from __future__ import annotations

import ast
import collections
import dataclasses
import linecache

from dy2st.errors import SourceUnavailableError

CURE = ("define the function in a .py file or a notebook cell (not by exec or at a bare prompt), "
        "or keep it out of the conversion with not_to_static")


@dataclasses.dataclass
class FoundFunction:
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    class_name: str | None       # the class whose body it stands in, for private names


@dataclasses.dataclass
class _File:
    tree: ast.Module
    functions: dict[int, list[FoundFunction]]     # by first line, as code objects count it


_files: collections.OrderedDict[tuple[str, str], _File] = collections.OrderedDict()
KEPT_FILES = 32


def find_function(function) -> FoundFunction:
    """The tree of `function`, with the line and column numbers of its file."""
    code = function.__code__
    found = [candidate for candidate in _parsed_file(function).functions.get(code.co_firstlineno, ())
             if _fits(candidate.node, code)]
    if len(found) > 1:
        found = _same_code(found, code)
    if not found:
        raise SourceUnavailableError(
            f"the source of {function.__qualname__!r} isn't at line {code.co_firstlineno} of {code.co_filename!r}: the file "
            f"was changed after it was imported, or the code was generated; import it again, or {CURE}")
    return found[0]


def _parsed_file(function) -> _File:
    filename = function.__code__.co_filename
    linecache.checkcache(filename)
    text = "".join(linecache.getlines(filename, function.__globals__))
    if not text:
        raise SourceUnavailableError(
            f"the source of {function.__qualname__!r} can't be found (it says it is in {filename!r}); {CURE}")
    key = (filename, text)
    if key not in _files:
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            raise SourceUnavailableError(
                f"the source of {function.__qualname__!r} can't be read: {filename!r} has {error}; {CURE}") from error
        _files[key] = _File(tree, _functions_by_line(tree))
        if len(_files) > KEPT_FILES:
            _files.popitem(last=False)
    return _files[key]


def _functions_by_line(tree):
    found: dict[int, list[FoundFunction]] = collections.defaultdict(list)
    pending: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while pending:
        node, class_name = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            found[first].append(FoundFunction(node, class_name))
        for value in vars(node).values():
            if isinstance(value, list):
                inner = node.name if isinstance(node, ast.ClassDef) and value is node.body else class_name
                pending.extend([(child, inner) for child in value if isinstance(child, ast.AST)])
            elif isinstance(value, (ast.expr, ast.arguments, ast.arg)):
                pending.append((value, class_name))
    return found


def _fits(node, code) -> bool:
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    args = node.args
    return (name == code.co_name and len(args.posonlyargs) == code.co_posonlyargcount
            and len(args.posonlyargs) + len(args.args) == code.co_argcount and len(args.kwonlyargs) == code.co_kwonlyargcount)


def _same_code(candidates, code):
    """Several lambdas on one line: those whose compiled code is that of the function."""
    equal = [candidate for candidate in candidates if _key(code) == _key(_compiled(candidate, code))]
    exact = [candidate for candidate in equal if _spans(candidate.node, code)]
    return exact or equal


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
    compiled = compile(module, code.co_filename, "exec", flags=flags & ~0x2000, dont_inherit=True)
    return _code_in(_code_in(compiled, "outer"), code.co_name)


def _code_in(code, name):
    return next(const for const in code.co_consts if hasattr(const, "co_code") and const.co_name == name)


def _key(code):
    """What tells two functions apart but for their position."""
    constants = tuple(_key(const) if hasattr(const, "co_code") else (type(const), repr(const)) for const in code.co_consts
                      if not isinstance(const, str) or "<locals>" not in const)
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)


def _spans(node, code) -> bool:
    """Whether the code's positions lie in the lambda's body (Python 3.11 and later know columns)."""
    if not hasattr(code, "co_positions") or not isinstance(node, ast.Lambda):
        return True
    body = node.body
    first, last = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    places = [(line, column, end, end_column) for line, end, column, end_column in code.co_positions()
              if column is not None and end_column is not None and (line, column) != (code.co_firstlineno, 0)]
    return all(first <= (line, column) and (end, end_column) <= last for line, column, end, end_column in places)
