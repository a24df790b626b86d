"""Makes a failing random function small: statements and parts of expressions go, as long as the failure stays."""

from __future__ import annotations

import ast
import copy
import itertools
import time
import warnings
from collections.abc import Callable, Iterator

from property.compare import Report

BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def shrink(text: str, fails: Callable[[str], bool], name: str = "f", seconds: float = 60) -> str:
    """The smallest text found in the time that still fails; only the function `name` is changed."""
    end = time.monotonic() + seconds

    def fails_in_time(candidate: str) -> bool:
        return time.monotonic() < end and fails(candidate)

    before = ""
    while text != before:
        before = text
        for way in (_fewer_statements, _flatter, _simpler_expressions):
            text = _exhaust(text, fails_in_time, name, way)
    return text


def explain(text: str, compare: Callable[[str], Report]) -> str:
    """What is said of a random function that differs: how it does when it is made small."""
    small = shrink(text, lambda candidate: bool(compare(candidate).difference), seconds=60)
    function, original = (module[module.index("def f(") :] for module in (small, text))
    return f"made small:\n\n{function}\n{compare(small).difference}\n\n(original)\n{original}"


def _exhaust(text: str, fails: Callable[[str], bool], name: str, way: Callable) -> str:
    """Try every change of one kind, keeping those under which it still fails."""
    position = 0
    while True:
        tree = ast.parse(text)
        function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
        changes = list(way(function))
        if position >= len(changes):
            return text
        changes[position]()
        candidate = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        if candidate != text and _runs(candidate) and fails(candidate):
            text = candidate
        else:
            position += 1


def _runs(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<shrunk>", "exec")
    except SyntaxError:
        return False
    return True


def _blocks(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(function):
        for field in BLOCKS:
            if isinstance(getattr(node, field, None), list) and getattr(node, field):
                yield node, field


def _fewer_statements(function: ast.FunctionDef) -> Iterator[Callable[[], None]]:
    for node, field in _blocks(function):
        for k in range(len(getattr(node, field)) - 1, -1, -1):
            yield lambda node=node, field=field, k=k: _remove(node, field, k)


def _remove(node: ast.AST, field: str, k: int) -> None:
    block = getattr(node, field)
    del block[k]
    if not block and field == "body":
        block.append(ast.Pass())


def _flatter(function: ast.FunctionDef) -> Iterator[Callable[[], None]]:
    """A compound statement gives way to one of its blocks."""
    for node, field in _blocks(function):
        for k, inner in enumerate(getattr(node, field)):
            parts = [inner, *getattr(inner, "handlers", ()), *getattr(inner, "cases", ())]
            for part, name in itertools.product(parts, ("body", "orelse", "finalbody")):
                block = getattr(part, name, None)
                if isinstance(block, list) and block and not isinstance(inner, ast.FunctionDef):
                    yield lambda node=node, field=field, k=k, block=block: _splice(node, field, k, block)


def _splice(node: ast.AST, field: str, k: int, block: list) -> None:
    getattr(node, field)[k : k + 1] = block


def _simpler_expressions(function: ast.FunctionDef) -> Iterator[Callable[[], None]]:
    """An expression gives way to a part of itself, or to 0."""
    for node in ast.walk(function):
        for field, value in ast.iter_fields(node):
            values = value if isinstance(value, list) else [value]
            for k, old in enumerate(values):
                if not isinstance(old, ast.expr) or field in ("func", "target"):
                    continue
                if isinstance(value, list) and (isinstance(node, ast.Tuple | ast.List) or field == "targets") and len(value) > 1:
                    yield lambda value=value, k=k: value.pop(k)
                if isinstance(getattr(old, "ctx", None), ast.Store):
                    continue
                parts = [n for n in ast.iter_child_nodes(old) if isinstance(n, ast.expr) and n is not getattr(old, "func", None)]
                for new in [*parts, *([] if isinstance(old, ast.Constant | ast.Name) else [ast.Constant(0)])]:
                    yield lambda node=node, field=field, k=k, new=new: _replace(node, field, k, copy.deepcopy(new))


def _replace(node: ast.AST, field: str, k: int, new: ast.expr) -> None:
    value = getattr(node, field)
    if isinstance(value, list):
        value[k] = new
    else:
        setattr(node, field, new)
