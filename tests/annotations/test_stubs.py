"""The stubs that type checkers read are those of the runtime: the same names, parameters and defaults."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys

import pytest
from support import stubs

import dy2st.nn.functional  # noqa: F401 - it attaches methods, as dy2st.api does
from dy2st import Tensor

ARE_UP_TO_DATE = """
import stubs

print([str(path) for path, text in stubs.stubs().items() if (stubs.ROOT / path).read_text() != text])
"""


def test_the_stubs_are_up_to_date():
    """In a process of its own: what other tests import adds names to packages."""
    folder = stubs.ROOT / "tests" / "support"
    found = subprocess.run([sys.executable, "-c", ARE_UP_TO_DATE], cwd=folder, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]", "run `python tests/support/stubs.py`"


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
        elif isinstance(node, ast.Assign):
            found[node.targets[0].id] = None
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


def public_names(package):
    """The names that a package offers: those of its `__all__`, and others that aren't of Python's own modules."""
    module = importlib.import_module(package)
    values = {name: getattr(module, name) for name in dir(module) if name[0] != "_" and (package, name) != ("dy2st", "torch")}
    meant = getattr(module, "__all__", ())
    return {
        name: value
        for name, value in values.items()
        if not inspect.ismodule(value) and (name in meant or getattr(value, "__module__", "dy2st").startswith("dy2st"))
    }


def test_pyright_sees_every_public_name(tmp_path):
    pytest.importorskip("pyright", reason="pyright comes with the extra 'dev'")
    lines = [f"import {package}\n" for package in stubs.PACKAGES]
    lines += [f"print({package}.{name})\n" for package in stubs.PACKAGES for name in public_names(package)]
    (tmp_path / "names.py").write_text("".join(lines))
    command = [sys.executable, "-m", "pyright", str(tmp_path / "names.py")]
    assert "0 errors" in subprocess.run(command, cwd=stubs.ROOT, capture_output=True, text=True).stdout


@pytest.mark.parametrize("package", stubs.PACKAGES)
def test_a_stub_declares_every_name_of_a_package_with_its_parameters(package):
    module, found = importlib.import_module(package), declared(read(stubs.place_of(package)))
    assert set(public_names(package)) - set(found) == set()
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
