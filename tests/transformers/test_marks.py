"""Transformers tell each other about nodes by declared marks only; each is set and read where its comment says."""

import ast
import copy
import functools
import re
from pathlib import Path

import gast
import pytest

from dy2st.transformers import marks

FOLDER = Path(marks.__file__).parent
MARKS = {name: value for name, value in vars(marks).items() if isinstance(value, marks.Mark)}
COMMENT = re.compile(r"^# .*; (.+) -> ([^:]+): .*\n([A-Z_]+): Mark\[", re.MULTILINE)


@functools.cache
def trees():
    """The transformers by file name, parsed."""
    return {path.stem: ast.parse(path.read_text()) for path in FOLDER.rglob("*.py")}


def test_each_mark_is_set_and_read_where_its_comment_says():
    comments = {name: (set(setters.split(", ")), set(readers.split(", ")))
                for setters, readers, name in COMMENT.findall((FOLDER / "marks.py").read_text())}
    uses = {name: (set(), set()) for name in MARKS}
    for file, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in MARKS:
                uses[node.value.id][["set", "of"].index(node.attr)].add(file)
    assert comments == uses


# --- attributes that are no marks ---------------------------------------------------------------------------------------------


def is_store(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)


def is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def of_classes():
    """The attributes of objects that are no nodes: what methods store on `self`, and the fields of dataclasses."""
    for tree in trees().values():
        for node in ast.walk(tree):
            if is_store(node) and is_own(node):
                yield node.attr
            elif isinstance(node, ast.ClassDef):
                yield from (each.target.id for each in node.body if isinstance(each, ast.AnnAssign))


def of_nodes():
    for kind in (*vars(ast).values(), *vars(gast).values()):
        if isinstance(kind, type) and issubclass(kind, ast.AST):
            yield from (*kind._fields, *kind._attributes)


FIELDS, OTHERS = set(of_nodes()), set(of_classes())
BY_NAME = ("getattr", "hasattr", "setattr")


def undeclared(tree: ast.AST):
    """The attributes that code stores on a node, or gives by name, and that are no fields of nodes."""
    for node in ast.walk(tree):
        if is_store(node) and not is_own(node) and node.attr not in OTHERS:
            name = node.attr
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in BY_NAME and isinstance(node.args[1], ast.Constant):
            name = node.args[1].value
        else:
            continue
        if name not in FIELDS and not name.startswith(("_", "co_")):      # those of code objects
            yield name


def test_nodes_have_only_fields_and_marks():
    others = [tree for file, tree in trees().items() if file != "logs"]      # it stores on a logger
    assert {name for tree in others for name in undeclared(tree)} <= {"Interpolation"}      # a class of `ast` in Python 3.14


@pytest.mark.parametrize("planted", ["node.begun = 1", "a.b.begun = 1", "getattr(node, 'begun')", "hasattr(node, 'begun')"])
def test_an_undeclared_attribute_is_noticed(planted):
    assert [*undeclared(ast.parse(planted))] == ["begun"]


def test_no_attribute_can_be_mistaken_for_a_mark():
    names = [mark.name for mark in MARKS.values()]
    assert len(set(names)) == len(names) and not (FIELDS | OTHERS).intersection(names)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_of_a_node_has_its_marks(copied):
    (loop,) = gast.parse("for x in xs: pass").body
    marks.STOP_FLAGS.set(loop, [gast.Name("break_0", gast.Load(), None, None)])
    twin = copied(loop)
    assert [flag.id for flag in marks.STOP_FLAGS.of(twin)] == ["break_0"]
    marks.STOP_FLAGS.set(twin, ())
    assert marks.STOP_FLAGS.of(loop) and not marks.STOP_FLAGS.of(twin)
    assert marks.STOP_FLAGS.of(loop.body[0]) == ()
