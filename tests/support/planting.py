"""A fault in a function of the package: its own source, of its own file, whose first statement fails."""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

FAILING = '{}["planted"]'


@contextmanager
def planted(function: FunctionType) -> Iterator[None]:
    """In this block, `function` raises KeyError('planted') as soon as it is called, wherever it was imported."""
    code = function.__code__
    function.__code__ = _failing(code)
    try:
        yield
    finally:
        function.__code__ = code


def functions_in(package: ModuleType) -> Iterator[FunctionType]:
    """The functions, methods and properties of all modules of a package."""
    for info in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        module = importlib.import_module(info.name)
        for value in vars(module).values():
            yield from _functions_of(value, str(module.__file__))
            if isinstance(value, type) and value.__module__ == module.__name__:
                for held in vars(value).values():
                    yield from _functions_of(held, str(module.__file__))


def _functions_of(value: Any, file: str) -> Iterator[FunctionType]:
    """The functions written in a file that a name stands for, those under decorators included."""
    if isinstance(value, property):
        yield from (f for part in (value.fget, value.fset) for f in _functions_of(part, file))
        return
    value = getattr(value, "func", getattr(value, "__func__", value))
    while isinstance(value, FunctionType):
        if value.__code__.co_filename == file and "<locals>" not in value.__qualname__ and value.__name__ != "<lambda>":
            yield value
        value = getattr(value, "__wrapped__", None)  # type: ignore[assignment]


def _failing(code: CodeType) -> CodeType:
    """The code of a function with the failing expression before its first statement."""
    tree = ast.parse(_text(code.co_filename))
    function = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and _begins(node) == code.co_firstlineno)
    statement = ast.parse(FAILING).body[0]
    for node in ast.walk(statement):
        ast.copy_location(node, function.body[0])
    function.body.insert(int(ast.get_docstring(function) is not None), statement)
    made = _inner(compile(tree, code.co_filename, "exec", dont_inherit=True))
    return next(c for c in made if (c.co_name, c.co_firstlineno) == (code.co_name, code.co_firstlineno))


def _begins(function: ast.FunctionDef) -> int:
    return min(node.lineno for node in (function, *function.decorator_list))


def _inner(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _inner(constant)


@functools.cache
def _text(filename: str) -> str:
    return Path(filename).read_text(encoding="utf-8")
