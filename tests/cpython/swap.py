"""Copies of modules of Python's library stand in their place, and each function of a copy passes a hook when it is made.

A copy has another `__name__` (`swapped_heapq`) and lies in another folder: dy2st leaves alone what belongs to Python's library.
The hook is the innermost decorator, so that decorators, tables and closures hold what it gives. No line changes.
"""

from __future__ import annotations

import ast
import importlib
import importlib.abc
import importlib.util
import os
import shutil
import sys
import sysconfig
import types
from pathlib import Path

from .table import SHARED

HOOK = "__swapped_function__"  # a built-in name
PREFIX = "swapped_"
SHARED_TESTS = (
    "datetimetester", "pickletester", "mapping_tests", "list_tests", "string_tests", "seq_tests", "test_genericpath",
)  # fmt: skip


class Hooked(ast.NodeTransformer):
    """Every `def` and `lambda` goes through the hook."""

    def _function(self, node):
        self.generic_visit(node)
        node.decorator_list.append(ast.copy_location(ast.Name(HOOK, ast.Load()), node))
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_Lambda(self, node):
        self.generic_visit(node)
        return ast.copy_location(ast.Call(ast.copy_location(ast.Name(HOOK, ast.Load()), node), [node], []), node)


class Loader(importlib.abc.Loader):
    def __init__(self, path: str, shared: dict[str, object]):
        self.path, self.shared = path, shared

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = PREFIX + module.__name__
        sys.modules[name] = module
        tree = Hooked().visit(ast.parse(Path(self.path).read_bytes()))
        module.__name__ = name  # its functions and classes are then a user's
        tree.body = [line for line in tree.body if not self._makes_shared(line)]
        vars(module).update(self.shared)
        exec(compile(tree, self.path, "exec", dont_inherit=True), vars(module))

    def _makes_shared(self, line: ast.stmt) -> bool:
        return isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name) and line.targets[0].id in self.shared


class Finder(importlib.abc.MetaPathFinder):
    """Finds the copies in place of the library's modules, and no hidden module."""

    def __init__(self, copies: dict[str, str], hidden: set[str], shared: dict[str, dict[str, object]]):
        self.copies, self.hidden, self.shared = copies, hidden, shared

    def find_spec(self, name, path=None, target=None):
        if name in self.hidden:
            raise ModuleNotFoundError(f"{name} is hidden", name=name)
        if name not in self.copies:
            return None
        where = self.copies[name]
        folders = [os.path.dirname(where), str(_in_library(name))] if where.endswith("__init__.py") else None
        loader = Loader(where, self.shared.get(name, {}))
        return importlib.util.spec_from_file_location(name, where, loader=loader, submodule_search_locations=folders)


def swap(modules: list[str], hidden: list[str], partly: dict[str, list[str]], folder: Path) -> None:
    """Whoever imports one of the modules from now on gets its copy."""
    copies = {name: _copy_of(name, folder) for name in modules}
    shared = {name: {each: getattr(sys.modules[name], each) for each in SHARED[name]} for name in SHARED.keys() & copies.keys()}
    for name in [*modules, *hidden]:
        sys.modules.pop(name, None)
    for name, seen in partly.items():
        real, part = importlib.import_module(name), types.ModuleType(name)
        vars(part).update({each: getattr(real, each) for each in seen})
        sys.modules[name] = part
    sys.meta_path.insert(0, Finder(copies, set(hidden), shared))


def copy_tests(names: list[str], folder: Path) -> None:
    """Copies of CPython's tests, which are then found first."""
    import test

    home, target = Path(test.__path__[0]), folder / "test"
    target.mkdir()
    for name in [*names, *SHARED_TESTS]:
        if (home / name).is_dir():
            shutil.copytree(home / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (home / f"{name}.py").exists():
            shutil.copyfile(home / f"{name}.py", target / f"{name}.py")
    test.__path__.insert(0, str(target))


def _in_library(name: str) -> Path:
    return Path(sysconfig.get_path("stdlib"), *name.split("."))


def _copy_of(name: str, folder: Path) -> str:
    """The path of a copy of a module of the library. Its spec wouldn't tell: some modules are frozen."""
    origin = _in_library(name)
    target = folder / "modules" / Path(*name.split("."))
    is_package = origin.is_dir()
    origin, target = (path / "__init__.py" if is_package else path.with_name(f"{path.name}.py") for path in (origin, target))
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(origin, target)
    return str(target)
