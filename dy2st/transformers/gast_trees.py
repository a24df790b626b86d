"""`ast` trees to `gast` trees and back: as gast's own converters do it, but faster for nodes that are alike in both.

gast's converters list the fields of each node anew; here they are known per type. Operators and contexts (`gast.Add()`,
`gast.Load()`), which have no fields, are one object each. Assignments that no transformer changes stay as they are (`straight`).
In the `ast` tree, nodes that the transformers wrote get a position in the user's file: that of the code around them.
"""

from __future__ import annotations

import ast
from operator import itemgetter
from typing import Any

import gast
from gast.ast3 import Ast3ToGAst

from .base import POSITION
from .marks import PLAIN_BODY
from .straight import Straight, straight

position_of = itemgetter(*POSITION)
WITHOUT_PARTS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)


def ast_to_gast(node: ast.AST, every_operator: bool = False) -> Any:
    """The `gast` tree. every_operator: of arithmetic, too, which otherwise stays as it is."""
    return (_AllToGast if every_operator else _ToGast)().visit(node)


def opened(node: Straight) -> Any:
    """The assignment as nodes."""
    return assignment(_ToGast(), node.statement)


def gast_to_ast(node: Any, position: tuple[int, ...] = (1, 0, 1, 0), plain: list | None = None) -> Any:
    """The `ast` tree of rewritten code; `position` is for nodes without one that have nothing around them.

    plain: gets a pair for each function that has a plain body, the `ast` nodes of the two.
    """
    return _ToAst(position, plain).visit(node)


class _Converter:
    """Converts by a function per type of node: a `visit_X` method where the types differ, else a copy field by field."""

    target: Any      # the module whose nodes it makes
    conversions: dict[type, Any]

    def __init_subclass__(cls) -> None:
        cls.conversions = _Conversions(cls)

    def visit(self, node: Any) -> Any:
        return self.conversions[type(node)](self, node)

    @classmethod
    def conversion_of(cls, kind: Any) -> Any:
        """The function that converts nodes of a type."""
        differs = getattr(cls, "visit_" + kind.__name__, None)
        if differs is not None and kind.__name__ != "Constant":      # `ast.NodeVisitor` has a visit_Constant that changes nothing
            return differs
        twin = getattr(cls.target, kind.__name__)
        if issubclass(kind, WITHOUT_PARTS):
            shared = twin()
            return lambda converter, node: shared
        return field_by_field(twin, cls.keys(kind, twin))

    @classmethod
    def keys(cls, kind: Any, twin: Any) -> tuple[str, ...]:
        """The fields and attributes that a node's twin in the other tree has, too."""
        return (*kind._fields, *kind._attributes)


class _Conversions(dict):
    """The conversion of each type of node, made where one is first met."""

    def __init__(self, converter: Any):
        self.converter = converter

    def __missing__(self, kind: type) -> Any:
        conversion = self[kind] = self.converter.conversion_of(kind)
        return conversion


def field_by_field(twin: Any, keys: tuple[str, ...]) -> Any:
    """A conversion to the type `twin` that takes over these fields, the nodes in them converted."""

    def convert(converter: Any, node: Any) -> Any:
        new, conversions = twin.__new__(twin), converter.conversions
        parts, new_parts = node.__dict__, new.__dict__
        for key in keys:
            if key in parts:
                value = parts[key]
                if isinstance(value, ast.AST):
                    value = conversions[type(value)](converter, value)
                elif isinstance(value, list):
                    value = [conversions[type(item)](converter, item) if isinstance(item, ast.AST) else item for item in value]
                new_parts[key] = value
        return new

    return convert


class _ToGast(_Converter, Ast3ToGAst):
    target = gast

    def visit_Name(self, node: ast.Name) -> Any:
        new = gast.Name.__new__(gast.Name)
        new.__dict__.update(node.__dict__, ctx=self.visit(node.ctx), annotation=None, type_comment=None)
        return new

    def visit_Assign(self, node: ast.Assign) -> Any:
        return straight(node) or assignment(self, node)


assignment = field_by_field(gast.Assign, (*ast.Assign._fields, *ast.Assign._attributes))


class _AllToGast(_ToGast):
    visit_Assign = assignment


def with_plain_body(twin: Any) -> Any:
    """The conversion of a function, and of the plain body that it may have."""
    conversion = field_by_field(twin, twin._fields)

    def convert(converter: _ToAst, node: Any) -> Any:
        new, body = conversion(converter, node), PLAIN_BODY.of(node)
        if body is not None and converter.plain is not None:
            visit = converter.visit
            converter.plain.append((new, [visit(item) for item in body] if isinstance(body, list) else visit(body)))
        return new

    return convert


class _ToAst(_Converter):
    target = ast

    def __init__(self, position: Any, plain: list | None):
        self.position = position      # of the code around the next node
        self.plain = plain

    @classmethod
    def keys(cls, kind: Any, twin: Any) -> tuple[str, ...]:
        return twin._fields

    @classmethod
    def conversion_of(cls, kind: Any) -> Any:
        conversion = super().conversion_of(kind)
        if not getattr(getattr(ast, kind.__name__, None), "_attributes", ()):
            return conversion
        return positioned(conversion, start_of if kind is gast.Attribute else whole)

    def visit_Straight(self, node: Straight) -> ast.Assign:
        return node.statement

    def visit_Name(self, node: Any) -> ast.Name | ast.arg:
        if type(node.ctx) is gast.Param:
            return ast.arg(node.id, node.annotation and self.visit(node.annotation))
        return ast.Name(node.id, self.visit(node.ctx))

    def visit_ExceptHandler(self, node: Any) -> Any:
        """The name of a handler or type variable is a Name in gast, a text in ast."""
        new = field_by_field(getattr(ast, type(node).__name__), type(node)._fields)(self, node)
        new.name = getattr(node.name, "id", node.name)
        return new

    visit_FunctionDef = with_plain_body(ast.FunctionDef)
    visit_Lambda = with_plain_body(ast.Lambda)

    visit_TypeVar = visit_TypeVarTuple = visit_ParamSpec = visit_ExceptHandler


def whole(position: tuple[int, ...]) -> tuple[int, ...]:
    return position


def start_of(position: tuple[int, ...]) -> tuple[int, ...]:
    """The position of `_jst.name` in a call of several lines: Python reports the line where the name ends."""
    line, column, _, _ = position
    return line, column, line, column


def positioned(conversion: Any, part: Any) -> Any:
    """This conversion at a position: that of the node, or a part of that of the code around it."""

    def convert(converter: _ToAst, node: Any) -> Any:
        around, own = converter.position, node.__dict__
        here = part(around) if own.get("lineno") is None else position_of(own)
        converter.position = here
        new = conversion(converter, node)
        converter.position = around
        parts = new.__dict__
        parts["lineno"], parts["col_offset"], parts["end_lineno"], parts["end_col_offset"] = here
        return new

    return convert
