"""`ast` trees to `gast` trees and back: as gast's own converters do it, with a short way for nodes that are alike in both.

gast's converters find out anew for each node what it holds; here that is known per type. Operators and contexts (`gast.Add()`,
`gast.Load()`), which hold nothing, are one object each. Assignments that no transformer changes stay as they are (`straight`).
"""

from __future__ import annotations

import ast
from typing import Any

import gast
from gast.ast3 import Ast3ToGAst, GAstToAst3

from .straight import Straight, straight

WITHOUT_PARTS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def ast_to_gast(node: ast.AST) -> Any:
    return _ToGast().visit(node)


def opened(node: Straight) -> Any:
    """The assignment with its expression."""
    return assignment(_ToGast(), node.statement)


def gast_to_ast(node: Any) -> Any:
    return _ToAst().visit(node)


class _Quick:
    """Mixed into a converter of gast's, whose `visit_X` methods serve the types that differ."""

    target: Any
    ways: dict[type, Any]

    def visit(self, node: Any) -> Any:
        way = self.ways.get(type(node))
        if way is None:
            way = self.ways[type(node)] = self.way_of(type(node))
        return way(self, node)

    def way_of(self, kind: Any) -> Any:
        """How nodes of a type are converted."""
        differs = getattr(type(self), "visit_" + kind.__name__, None)
        if differs is not None and kind.__name__ != "Constant":      # `ast.NodeVisitor` has a visit_Constant that changes nothing
            return differs
        made = getattr(self.target, kind.__name__)
        if issubclass(kind, WITHOUT_PARTS):
            only = made()
            return lambda converter, node: only
        return copied(made, (*kind._fields, *kind._attributes))


def copied(made: Any, keys: tuple[str, ...]) -> Any:
    """A way that copies every field and the position, converting what is a node."""

    def way(converter: Any, node: Any) -> Any:
        new = made.__new__(made)
        parts, found = node.__dict__, new.__dict__
        for key in keys:
            if key in parts:
                value = parts[key]
                if isinstance(value, ast.AST):
                    value = converter.visit(value)
                elif isinstance(value, list):
                    value = [converter.visit(item) if isinstance(item, ast.AST) else item for item in value]
                found[key] = value
        return new

    return way


class _ToGast(_Quick, Ast3ToGAst):
    target, ways = gast, {}

    def visit_Name(self, node: ast.Name) -> Any:
        return _placed(gast.Name(node.id, self.visit(node.ctx), None, None), node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        return straight(node) or assignment(self, node)


assignment = copied(gast.Assign, (*ast.Assign._fields, *ast.Assign._attributes))


class _ToAst(_Quick, GAstToAst3):
    target, ways = ast, {}

    def visit_Name(self, node: Any) -> ast.Name:
        return _placed(ast.Name(node.id, self.visit(node.ctx)), node)

    def visit_Assign(self, node: Any) -> ast.Assign:
        return _placed(ast.Assign([self.visit(target) for target in node.targets], self.visit(node.value)), node)

    def visit_Straight(self, node: Straight) -> ast.Assign:
        return node.statement


def _placed(new: Any, node: Any) -> Any:
    """`new` at the position of `node`, which may have none yet."""
    parts = node.__dict__
    if "lineno" in parts:
        new.lineno, new.col_offset, new.end_lineno, new.end_col_offset = [parts[key] for key in POSITION]
    return new
