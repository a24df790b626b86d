"""The stubs that type checkers read are those of the runtime: the same names, parameters and defaults."""

from __future__ import annotations

import ast
import importlib
import inspect

import pytest
from support import stubs

import dy2st.nn.functional  # noqa: F401 - it attaches methods, as dy2st.api does
from dy2st import Tensor


def test_the_stubs_are_up_to_date():
    old = [str(path) for path, text in stubs.stubs().items() if (stubs.ROOT / path).read_text() != text]
    assert old == [], "run `python tests/support/stubs.py`"


def read(path):
    return ast.parse((stubs.ROOT / path).read_text()).body


def declared(body):
    """What a stub declares, by name: a function's node, or None."""
    found = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, node)
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = None
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname: None for alias in node.names if alias.asname}
    return found


def parameters_of(node):
    """Of the `def` of a stub: name, default (... for one that can't be written) and kind of each parameter."""
    made = node.args
    plain = [*made.posonlyargs, *made.args]
    defaults = [None] * (len(plain) - len(made.defaults)) + made.defaults
    rows = [(p.arg, d, "plain") for p, d in zip(plain, defaults)]
    rows += [(made.vararg.arg, None, "*")] if made.vararg else []
    rows += [(p.arg, d, "named") for p, d in zip(made.kwonlyargs, made.kw_defaults)]
    rows += [(made.kwarg.arg, None, "**")] if made.kwarg else []
    return [(name, inspect.Parameter.empty if d is None else ast.literal_eval(d), kind) for name, d, kind in rows]


def parameters_at_run_time(function):
    kinds = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**", inspect.Parameter.KEYWORD_ONLY: "named"}
    return [(p.name, p.default, kinds.get(p.kind, "plain")) for p in inspect.signature(function).parameters.values()]


def test_a_stub_declares_every_member_of_tensor_with_its_parameters():
    (body,) = [node.body for node in read("dy2st/runtime/tensors/late_methods.pyi") if isinstance(node, ast.ClassDef)]
    found = declared(body)
    own = {name for cls in (Tensor, object) for name in vars(cls)} - set(stubs.members())
    assert {name for name in dir(Tensor) if name not in own} - set(found) <= {"__getattr__"}
    for name, node in found.items():
        value = inspect.getattr_static(Tensor, name)
        if inspect.isfunction(value):
            assert parameters_of(node)[1:] == parameters_at_run_time(value)[1:], name
        else:
            assert isinstance(value, property) and ast.unparse(node.decorator_list[0]) == "property", name


@pytest.mark.parametrize("package", stubs.PACKAGES)
def test_a_stub_declares_every_name_of_a_package_with_its_parameters(package):
    module, found = importlib.import_module(package), declared(read(stubs.place_of(package)))
    names = {name for name in dir(module) if name[0] != "_"}
    missing = {name for name in names - set(found) if not inspect.ismodule(getattr(module, name))}
    assert missing == set()
    for name, node in found.items():
        if node is not None:
            assert parameters_of(node) == parameters_at_run_time(getattr(module, name)), name


def test_an_alias_is_imported_from_where_it_is_defined():
    for package in stubs.PACKAGES:
        for node in read(stubs.place_of(package)):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("dy2st.api"):
                home = importlib.import_module(node.module)
                for alias in node.names:
                    assert hasattr(home, alias.name), f"{package}: {ast.unparse(node)}"


def test_attaching_a_method_makes_the_stub_old(monkeypatch):
    monkeypatch.setattr(Tensor, "twice", lambda self, times=2: self * times, raising=False)
    assert "def twice(self, times=2)" in stubs.methods_stub()
