"""Public docstrings tell what `support.docstrings` asks for, and their `>>>` examples run."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import json
from pathlib import Path

import numpy as np
import pytest
from support import api_table
from support.docstrings import ABSENT, Public, public_names

import dy2st
from dy2st import nn

PACKAGE = Path(dy2st.__file__).parent
NAMES = {"dy2st": dy2st, "np": np} | ({} if "torch" in ABSENT else {"torch": importlib.import_module("torch")})


def test_every_docstring_tells_names_shapes_result_and_errors():
    assert {f"{public.module}: {public.path}": lacks for public in public_names() if (lacks := public.lacks())} == {}


def test_the_names_of_the_page_are_among_the_public_ones():
    known = {id(public.plain) for public in public_names()}
    for space, names in json.loads(api_table.SNAPSHOT.read_text()).items():
        home = api_table.own_space(space)
        for name in names:
            if hasattr(home, name) and not inspect.ismodule(getattr(home, name)):
                value = inspect.getattr_static(home, name) if isinstance(home, type) else getattr(home, name)
                assert id(Public(name, value).plain) in known, f"{space}.{name}"


def _checked(axis: int) -> int:
    if axis < 0:
        raise IndexError(axis)
    return axis


def told(doc: str) -> Public:
    """A function with this docstring."""

    def function(x: dy2st.Tensor, axis: int = 0) -> dy2st.Tensor:
        return x if _checked(axis) else x

    function.__doc__ = doc
    return Public("function", function)


WHOLE = "The sum along `axis` of x, of any shape and dtype: the result lacks it. IndexError: a negative axis."


@pytest.mark.parametrize(
    "doc, lacks",
    [
        ("", ["a docstring"]),
        (WHOLE, []),
        (WHOLE.replace("axis", "place"), ["axis"]),
        (WHOLE.replace("IndexError", "error"), ["IndexError"]),
        (WHOLE.replace("shape", "size"), ["its shapes"]),
        (WHOLE.replace("dtype", "kind"), ["its dtypes"]),
        (WHOLE.replace("the result lacks", "without"), ["its result"]),
        ("As `sum`, but slower.", ["IndexError"]),
        ("As `nothing_of_this_name`, but slower.", ["IndexError", "x", "axis", "its shapes", "its dtypes", "its result"]),
    ],
)
def test_what_a_docstring_lacks(doc, lacks):
    assert told(doc).lacks() == lacks


class Bare(nn.Layer):
    """A layer."""

    def __init__(self, width: int):
        super().__init__()
        self.width = width

    def forward(self, x: dy2st.Tensor) -> dy2st.Tensor:
        if x.ndim != self.width:
            raise dy2st.errors.ShapeError("another rank")
        return x


class Told(Bare):
    """width: how many axes x has. x, of any dtype -> x. ShapeError: another number of axes than `width`."""


def test_a_layer_tells_of_its_constructor_and_its_forward():
    assert Public("Bare", Bare).lacks() == ["ShapeError", "width", "its shapes", "its dtypes", "its result"]
    assert Public("Told", Told).lacks() == ["its shapes"]


def examples() -> list[doctest.DocTest]:
    """The `>>>` examples of all docstrings of the package, one test for each docstring."""
    parse, found = doctest.DocTestParser().get_doctest, []
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] in ABSENT:
            continue
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if ">>>" in source else ():
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ">>>" in (text := ast.get_docstring(node) or ""):
                name = f"{path.relative_to(PACKAGE)}:{getattr(node, 'name', '')}"
                found.append(parse(text, NAMES, name, str(path), node.body[0].lineno))
    return found


def test_the_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where the examples save
    failed: list[str] = []
    for example in examples():
        doctest.DocTestRunner(verbose=False).run(example, out=failed.append)
    assert not failed, "".join(failed)
