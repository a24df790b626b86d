"""Each promise about TorchScript, TS-1 to TS-165, has a test that goes by its number."""

import ast
from pathlib import Path

PROMISES = 165


def test_every_promise_has_a_test():
    names = [
        node.name
        for file in Path(__file__).parent.glob("test_*.py")
        for node in ast.parse(file.read_text()).body
        if isinstance(node, ast.FunctionDef)
    ]
    known = {int(part) for name in names for before, part in zip(name.split("_"), name.split("_")[1:]) if before == "ts"}
    assert known == set(range(1, PROMISES + 1))
