"""`ast` trees to `gast` trees and back: as gast's own converters do it, with a short way for nodes that are alike in both.

gast's converters find out anew for each node what it holds; here that is known per type. Operators and contexts (`gast.Add()`,
`gast.Load()`), which hold nothing, are one object each. Assignments that no transformer changes stay as they are (`straight`).
On the way back, nodes that the transformers wrote get a position in the user's file: that of the code around them.
"""

from __future__ import annotations

import ast
from operator import itemgetter
from typing import Any

import gast
from gast.ast3 import Ast3ToGAst

from .base import POSITION
from .straight import Straight, straight

position_of = itemgetter(*POSITION)
WITHOUT_PARTS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)


def ast_to_gast(node: ast.AST, every_operator: bool = False) -> Any:
    """The `gast` tree. every_operator: of arithmetic, too, which otherwise stays as it is."""
    return (_AllToGast if every_operator else _ToGast)().visit(node)


def opened(node: Straight) -> Any:
    """The assignment with its expression."""
    return assignment(_ToGast(), node.statement)


def gast_to_ast(node: Any, position: tuple[int, ...] = (1, 0, 1, 0)) -> Any:
    """The `ast` tree of rewritten code; `position` is that of what has none itself, with nothing around it."""
    return _ToAst(position).visit(node)


class _Quick:
    """A converter, whose `visit_X` methods serve the types that differ."""

    target: Any
    ways: dict[type, Any]

    def __init_subclass__(cls) -> None:
        cls.ways = _Ways(cls)

    def visit(self, node: Any) -> Any:
        return self.ways[type(node)](self, node)

    @classmethod
    def way_of(cls, kind: Any) -> Any:
        """How nodes of a type are converted."""
        differs = getattr(cls, "visit_" + kind.__name__, None)
        if differs is not None and kind.__name__ != "Constant":      # `ast.NodeVisitor` has a visit_Constant that changes nothing
            return differs
        made = getattr(cls.target, kind.__name__)
        if issubclass(kind, WITHOUT_PARTS):
            only = made()
            return lambda converter, node: only
        return copied(made, cls.keys(kind, made))

    @classmethod
    def keys(cls, kind: Any, made: Any) -> tuple[str, ...]:
        """What a node that is alike in both is made of."""
        return (*kind._fields, *kind._attributes)


class _Ways(dict):
    """How nodes of each type are converted, found out where one is first met."""

    def __init__(self, converter: Any):
        self.converter = converter

    def __missing__(self, kind: type) -> Any:
        way = self[kind] = self.converter.way_of(kind)
        return way


def copied(made: Any, keys: tuple[str, ...]) -> Any:
    """A way that copies these parts of a node, converting what is a node."""

    def way(converter: Any, node: Any) -> Any:
        new, ways = made.__new__(made), converter.ways
        parts, found = node.__dict__, new.__dict__
        for key in keys:
            if key in parts:
                value = parts[key]
                if isinstance(value, ast.AST):
                    value = ways[type(value)](converter, value)
                elif isinstance(value, list):
                    value = [ways[type(item)](converter, item) if isinstance(item, ast.AST) else item for item in value]
                found[key] = value
        return new

    return way


class _ToGast(_Quick, Ast3ToGAst):
    target = gast

    def visit_Name(self, node: ast.Name) -> Any:
        new = gast.Name.__new__(gast.Name)
        new.__dict__.update(node.__dict__, ctx=self.visit(node.ctx), annotation=None, type_comment=None)
        return new

    def visit_Assign(self, node: ast.Assign) -> Any:
        return straight(node) or assignment(self, node)


assignment = copied(gast.Assign, (*ast.Assign._fields, *ast.Assign._attributes))


class _AllToGast(_ToGast):
    visit_Assign = assignment


class _ToAst(_Quick):
    target = ast

    def __init__(self, position: Any):
        self.position = position      # of the code around the next node

    @classmethod
    def keys(cls, kind: Any, made: Any) -> tuple[str, ...]:
        return made._fields

    @classmethod
    def way_of(cls, kind: Any) -> Any:
        way = super().way_of(kind)
        return placed(way) if getattr(getattr(ast, kind.__name__, None), "_attributes", ()) else way

    def visit_Straight(self, node: Straight) -> ast.Assign:
        return node.statement

    def visit_Name(self, node: Any) -> ast.Name | ast.arg:
        if type(node.ctx) is gast.Param:
            return ast.arg(node.id, node.annotation and self.visit(node.annotation))
        return ast.Name(node.id, self.visit(node.ctx))

    def visit_ExceptHandler(self, node: Any) -> Any:
        """What gast names by a Name, as it does with type variables, has a text for a name."""
        new = copied(getattr(ast, type(node).__name__), type(node)._fields)(self, node)
        new.name = getattr(node.name, "id", node.name)
        return new

    visit_TypeVar = visit_TypeVarTuple = visit_ParamSpec = visit_ExceptHandler


def placed(way: Any) -> Any:
    """A way to a node that has a position: its own, or that of the code around it."""

    def way_there(converter: _ToAst, node: Any) -> Any:
        around, own = converter.position, node.__dict__
        here = around if own.get("lineno") is None else position_of(own)
        converter.position = here
        new = way(converter, node)
        converter.position = around
        found = new.__dict__
        found["lineno"], found["col_offset"], found["end_lineno"], found["end_col_offset"] = here
        return new

    return way_there
