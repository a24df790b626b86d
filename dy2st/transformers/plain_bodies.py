"""The body of a function as the user wrote it, with its calls converted: what runs where nothing is staged.

    def f(x):                    def f(x):
        if x > 0:                    if _jst.RECORDERS:
            x = g(x)        ->           (the rewritten body, which `.code` shows)
        return x                     else:
                                         if x > 0:
                                             x = _jst.call(g)(x)
                                         return x

Both are compiled into one code object, which picks one where the function is entered: nothing begins to be staged while its own
frame runs, and what is staged inside a call has ended when that returns. Plain control flow costs what it costs in Python; as
functions of branches and bodies it costs several times as much.

A function whose body holds no more than calls and arithmetic has one body, and so has a function deep inside others: each level
doubles the code.
"""

from __future__ import annotations

import ast
import contextlib
import copy
from collections.abc import Iterator
from typing import Any

import gast

from . import builders as build
from .attributes import ask_runtime
from .base import FUNCTIONS, child_fields, locate, walk
from .calls import rewrite_call
from .displays import rewrite_class, rewrite_function
from .marks import FUNCTION_DEPTH, MAY_BE_UNBOUND, PLAIN_BODY
from .straight import Straight
from .unbound import rewrite_read, rewrite_straight

DEEPEST = 2
CHEAP = {
    gast.Name, gast.Constant, gast.Attribute, gast.Call, gast.keyword, gast.Starred, gast.Subscript, gast.BinOp, gast.Tuple,
    gast.Expr, gast.Assign, gast.Return, gast.Pass, gast.FunctionDef, gast.Lambda, gast.arguments, Straight,
}
DECLARATIONS = (gast.Global, gast.Nonlocal)
WITH_BODY = {gast.FunctionDef, gast.Lambda, gast.AsyncFunctionDef, gast.ClassDef}


class PlainBodies:
    """The plain bodies of one function and of those inside it."""

    def __init__(self) -> None:
        self.functions: list[tuple[Any, Any]] = []      # copies of inner functions, and what they are copies of

    def keep(self, function: Any) -> None:
        """Keeps the body of a function whose statements are still the user's."""
        copying = _Copying(FUNCTION_DEPTH.of(function), self.functions)
        body = copying.part(function.body)
        if copying.kinds - CHEAP and copying.depth <= DEEPEST and not copying.is_refused:
            PLAIN_BODY.set(function, [*copying.declared, *body] if isinstance(body, list) else body)

    def finish(self) -> None:
        """Gives the copies of inner functions what has become of these."""
        for copied, function in self.functions:
            copied.body = function.body
            PLAIN_BODY.set(copied, PLAIN_BODY.of(function))


class _Copying:
    """A copy of the code of one function with its calls converted, which shares the bodies of functions and classes inside it."""

    def __init__(self, depth: int, functions: list[tuple[Any, Any]]):
        self.depth, self.functions = depth, functions
        self.declared: list[gast.stmt] = []
        self.kinds: set[type] = set()
        self.is_refused = False

    def part(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.part(item) for item in value]
        return self.node(value) if isinstance(value, gast.AST) else value

    def node(self, node: Any) -> Any:
        kind: Any = type(node)
        self.kinds.add(kind)
        if kind is gast.match_case:
            return self.case(node)
        if kind in DECLARATIONS:
            self.declared.append(node)
            return locate(gast.Pass(), node)
        new = kind.__new__(kind)      # `copy.copy` takes many times as long
        new.__dict__.update(node.__dict__)
        for field in child_fields(node):
            if field != "body" or kind not in WITH_BODY:
                new.__dict__[field] = self.part(getattr(node, field, None))
        if kind in FUNCTIONS:
            FUNCTION_DEPTH.set(node, self.depth + 1)
            self.functions.append((new, node))
        convert = CONVERSIONS.get(kind)
        if convert is None:
            return new
        converted = convert(new)
        return converted if getattr(converted, "lineno", None) is not None else locate(converted, node)

    def case(self, node: Any) -> Any:
        """A `case`: its pattern stays, which has no room for calls."""
        self.is_refused |= any(_is_converted(part) for part in walk(node.pattern))
        return gast.match_case(node.pattern, self.part(node.guard), self.part(node.body))


def _is_converted(node: Any) -> bool:
    copied = copy.copy(node)
    return type(node) in CONVERSIONS and CONVERSIONS[type(node)](copied) is not copied


def _free_read(node: Any) -> Any:
    """A variable of a rewritten function around this one may hold what stands for no value."""
    return rewrite_read(node) if MAY_BE_UNBOUND.of(node) == "free" else node


def _straight(node: Straight) -> Any:
    return rewrite_straight(node) if "free" in map(MAY_BE_UNBOUND.of, node.reads) else node


CONVERSIONS = {
    gast.Call: rewrite_call,
    gast.Name: _free_read,
    gast.Attribute: ask_runtime,
    gast.FunctionDef: rewrite_function,
    gast.ClassDef: rewrite_class,
    Straight: _straight,
}


@contextlib.contextmanager
def both_bodies(functions: list[tuple[Any, Any]]) -> Iterator[None]:
    """Each of these functions (its `ast` node, the statements or the expression of its plain body) has both while this lasts."""
    rewritten = [function.body for function, _ in functions]
    for function, plain in functions:
        function.body = _either(function, plain) if isinstance(function, ast.Lambda) else _either_block(function, plain)
    try:
        yield
    finally:
        for (function, _), body in zip(functions, rewritten):
            function.body = body


def _either(function: ast.Lambda, plain: ast.expr) -> ast.expr:
    return ast.copy_location(ast.IfExp(_is_recording(plain), function.body, plain), plain)


def _either_block(function: ast.FunctionDef, plain: list[ast.stmt]) -> list[ast.stmt]:
    """The docstring and the declarations stay first: Python wants them there."""
    text = function.body[: ast.get_docstring(function, clean=False) is not None]
    declared = [node for node in plain if isinstance(node, ast.Global | ast.Nonlocal)]
    body = plain[len(declared) :]
    choice = ast.If(_is_recording(body[0]), function.body[len(text) :] or [ast.copy_location(ast.Pass(), body[0])], body)
    return [*text, *declared, ast.copy_location(choice, body[0])]


def _is_recording(origin: Any) -> ast.expr:
    """`_jst.RECORDERS`"""
    name = ast.copy_location(ast.Name(build.JST, ast.Load()), origin)
    return ast.copy_location(ast.Attribute(name, "RECORDERS", ast.Load()), origin)
