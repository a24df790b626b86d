"""Each function that raises Restage has a row in `docs/architecture/restaging.md`, and each row names a function that does."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNTIME = ROOT / "dy2st/runtime"


def raisers(node: ast.AST, function: str = "") -> Iterator[str]:
    """The functions below a node that raise Restage, each by the name of the innermost one."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Raise) and child.exc is not None and "Restage" in ast.unparse(child.exc):
            yield function
        yield from raisers(child, child.name if isinstance(child, ast.FunctionDef) else function)


def in_the_source() -> set[tuple[Path, str]]:
    """(file, function) of each function of the package that raises Restage."""
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "dy2st").rglob("*.py")}
    return {(path, name) for path, text in texts.items() if "Restage" in text for name in raisers(ast.parse(text))}


def on_the_page() -> set[tuple[Path, str]]:
    """(file, function) of each row of the table."""
    page = (ROOT / "docs/architecture/restaging.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+\.py)` `(\w+)` \|", page, re.MULTILINE)
    return {((RUNTIME / file).resolve(), name) for file, name in rows}


def test_the_table_has_each_function_that_raises_restage():
    assert on_the_page() == in_the_source()


def test_a_function_is_named_by_its_innermost_one():
    tree = ast.parse("def a():\n    def b():\n        raise Restage(None)\n    raise markers.Restage.of_function() from None\n")
    assert [*raisers(tree)] == ["b", "a"]
