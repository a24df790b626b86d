"""Recursive functions that test for a list, tuple, dict or set have a row in `docs/architecture/recursive-functions.md`.

What a value is made of is told by `dy2st.pytree`: a function that walks values by a ladder of its own may disagree with it.
"""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
CONTAINERS = {"list", "tuple", "dict", "set", "frozenset", "deque", "Mapping", "Sequence", "TYPES", "CONTAINERS", "FAMILY"}


def named_in(function):
    """What a function names that isn't a variable of its own: functions of its module, and methods of its `self`."""
    parts = list(ast.walk(function))
    own = {part.arg for part in parts if isinstance(part, ast.arg)}
    own |= {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    for part in parts:
        if isinstance(part, ast.Name) and part.id not in own:
            yield part.id
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self":
            yield part.attr


def asks_for_a_container(function):
    """Whether a function tests for a class of Python's containers."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "issubclass"):
            tested = node.args[1]
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.Eq | ast.In | ast.IsNot | ast.NotIn):
            tested = node.comparators[0]
        else:
            continue
        parts = ast.walk(tested) if isinstance(tested, ast.Name | ast.Tuple | ast.BinOp) else ()
        if any(isinstance(part, ast.Name) and part.id in CONTAINERS for part in parts):
            return True
    return False


def reached(name, mentions):
    """The functions that a function leads to, in its module."""
    found, pending = set(), [name]
    while pending:
        new = mentions[pending.pop()] - found
        found |= new
        pending += new
    return found


def walkers_of(tree):
    """The names of the functions of a module that lead to themselves and ask for a container."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    mentions = {function.name: set() for function in functions}
    for function in functions:
        mentions[function.name] |= mentions.keys() & set(named_in(function))
    return {f.name for f in functions if f.name in reached(f.name, mentions) and asks_for_a_container(f)}


def listed():
    """(file, function) of each walk that the page names."""
    page = (ROOT / "docs/architecture/recursive-functions.md").read_text(encoding="utf-8")
    path, found = "", set()
    for cell in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE):
        for word in re.findall(r"`([^`]+)`", cell):
            if word.endswith(".py"):
                path = word
            else:
                found.add((path, word))
    return found


def test_walks_of_values_are_those_that_the_page_lists():
    package = ROOT / "dy2st"
    found = {
        (path.relative_to(package).as_posix(), name)
        for path in package.rglob("*.py")
        if package / "transformers" not in path.parents  # they walk syntax trees
        for name in walkers_of(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == listed()
