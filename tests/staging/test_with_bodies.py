"""The body of a `with`: variables that it reads, stores, stores for itself alone, or that a later line stores anew."""

import importlib.util
import itertools
from textwrap import indent

import pytest
from support.sampling import sampled

from .paths import assert_agrees_on_all_paths

HEAD = """
from contextlib import ExitStack, contextmanager, nullcontext, suppress

@contextmanager
def plain():
    yield 1

@contextmanager
def tried():
    try:
        yield 2
    finally:
        pass

@contextmanager
def catching():
    try:
        yield 3
    except ValueError:
        pass

class Own:
    def __enter__(self):
        return 4

    def __exit__(self, *error):
        return False
"""
MANAGERS = ["plain()", "tried()", "catching()", "Own()", "nullcontext(5)", "suppress(KeyError)"]
MANAGERS += ["plain(), tried()", "Own(), plain()"]
BODIES = {
    "stores what it reads": "y = y + n",
    "stores another": "z = y + n",
    "stores two": "z = y + n\ny = z * 2",
    "in an if": "if n > 1:\n    y = y + 1",
    "in a loop": "for i in range(3):\n    y = y + i",
    "in a staged loop": "while n < 4:\n    y, n = y + n, n + 1",
    "reads alone": "z = y.sum()",
    "deletes": "t = y + 1\nz = t * 2\ndel t",
}
AFTER = {
    "read": "return y, z, n",
    "stored anew": "y = x.sum()\nreturn y, z, n",
    "both stored anew": "y, z = x.sum(), 1\nreturn y, z",
    "not read": "return x, n",
    "on a path": "if n > 2:\n    y = z = x.sum()\nreturn y, z",
}
AROUND = {"straight": "{}", "in an if": "if n > 0:\n{}", "in a loop": "for j in range(2):\n{}"}
GRID = list(itertools.product(MANAGERS, BODIES, AFTER, AROUND))


@pytest.mark.long
@pytest.mark.parametrize("manager, body, after, around", sampled(GRID, 15))
def test_agrees_with_plain_python(manager, body, after, around, tmp_path):
    whole = f"with {manager}:\n{indent(BODIES[body], '    ')}"
    template = AROUND[around]
    whole = template.format(whole if template == "{}" else indent(whole, "    "))
    file = tmp_path / "cell.py"
    file.write_text(f"{HEAD}\ndef f(x, n):\n    y, z = x * 1, x * 0\n{indent(whole, '    ')}\n{indent(AFTER[after], '    ')}\n")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert_agrees_on_all_paths(module.f, "float32")
