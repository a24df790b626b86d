"""The modules that a function imports itself, by a statement inside it: it reads their variables as it reads globals."""

from __future__ import annotations

import sys
from importlib.util import resolve_name
from itertools import accumulate
from types import CodeType, FunctionType, ModuleType

from ...converted_code import codes_in
from ..where.per_code import import_statements, mentioned, per_code
from ..where.user_code import is_foreign


def imported_by(function: FunctionType) -> list[ModuleType]:
    """The modules that a function, or one inside it, imports, and those that hold them, as far as there are any by now.

    Those of Python's own library are left out.
    """
    package = function.__globals__.get("__package__") or ""
    names = {full for level, name in _imports(function.__code__) for full in _dotted("." * level + name, package)}
    parts = {f"{name}.{part}" for name in names for part in mentioned(function.__code__)}  # `from package import module`
    modules = [sys.modules.get(name) for name in sorted(names | parts) if not is_foreign(name)]
    return [module for module in modules if isinstance(module, ModuleType)]


@per_code
def _imports(code: CodeType) -> frozenset[tuple[int, str]]:
    """The modules that are imported in a function and the functions inside it: how many dots, and the name."""
    return frozenset(found for inner in codes_in(code) for found in import_statements(inner))


def _dotted(name: str, package: str) -> list[str]:
    """A module and the packages that it is in: "a" and "a.b" for "a.b"."""
    try:
        return list(accumulate(resolve_name(name, package).split("."), "{}.{}".format))
    except ImportError:  # a relative import outside of a package, or beyond it: the statement itself will say so
        return []
