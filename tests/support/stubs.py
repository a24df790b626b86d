"""What type checkers and editors see of names that are made while the package runs: `.pyi` files beside the modules.

Written by `python tests/support/stubs.py`; `tests/annotations` holds them against the runtime. A name whose `def` or `class`
stands in a source is imported from there. A function that is made, or takes a parameter that its source doesn't say, is written
out.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
METHODS = "dy2st.runtime.tensors.late_methods"
HEAD = '"""{} Written by `python tests/support/stubs.py`."""\n'
PACKAGES = (
    "dy2st", *(f"dy2st.{name}" for name in (
        "base", "device", "fft", "framework", "func", "io", "jit", "jit.api", "linalg", "nn", "nn.functional", "nn.initializer",
        "nn.utils", "optimizer", "optimizer.lr", "static", "traced_module", "utils", "utils.dlpack",
    )),
)  # fmt: skip
HIDDEN = {"dy2st": ("tensor",)}  # a module in whose place a function is called


class Imports:
    """What the names in annotations mean, as lines of imports. taken: what names mean where they are written, by name."""

    def __init__(self, taken: dict[str, Any]):
        self._taken, self._lines = taken, set[str]()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._lines))

    def add(self, module: str, name: str, alias: str = "") -> None:
        self._lines.add(f"from {module} import {name}{f' as {alias}' if alias else ''}")

    def builtin(self, name: str) -> str:
        """How the stub spells a name of Python's own."""
        if name not in self._taken:
            return name
        self._lines.add("import builtins")
        return f"builtins.{name}"

    def text(self, annotation: Any, source: FunctionType) -> str:
        """An annotation of a function, with names as they are known in the stub."""
        if annotation is inspect.Parameter.empty:
            return ""
        text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
        return ast.unparse(_Renamed(self, source).visit(ast.parse(text, mode="eval")))

    def name(self, name: str, source: FunctionType) -> str:
        """How the stub spells a name of a module."""
        if hasattr(builtins, name) and name not in source.__globals__:
            return self.builtin(name)
        module, found = _imported(source.__module__, name)
        if found is None:
            self._lines.add(f"import {module} as {name}" if module != name else f"import {name}")
        elif name not in self._taken:
            self.add(module, found, name if name != found else "")
        elif self._taken[name] is not getattr(importlib.import_module(module), found):
            self.add(module, found, f"_{name}")
            return f"_{name}"
        return name


class _Renamed(ast.NodeTransformer):
    def __init__(self, imports: Imports, source: FunctionType):
        self._imports, self._source = imports, source

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.parse(self._imports.name(node.id, self._source), mode="eval").body


@functools.cache
def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(importlib.import_module(module)))


@functools.cache
def _imported(module: str, name: str) -> tuple[str, str | None]:
    """The module that a name in a module comes from, and its name there; None where it is that module."""
    package = importlib.import_module(module).__spec__.parent  # type: ignore[union-attr]
    for node in ast.walk(_tree(module)):
        for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
            if (alias.asname or alias.name) != name:
                continue
            if isinstance(node, ast.Import):
                return alias.name, None
            home = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            if isinstance(getattr(importlib.import_module(home), alias.name, None), ModuleType):
                return f"{home}.{alias.name}", None
            return home, alias.name
    return module, name


def _stands_in(module: str, name: str, kind: Any = (ast.FunctionDef, ast.ClassDef)) -> bool:
    """Whether a module's source defines the name."""
    return any(isinstance(node, kind) and node.name == name for node in _tree(module).body)


def signature_text(function: Callable, imports: Imports, method: bool = False) -> str:
    """`(x: Tensor, axis: int = 0) -> Tensor`; of a method, the first parameter is `self`."""
    signature, source = inspect.signature(function), inspect.unwrap(function)
    made = list(signature.parameters.values())
    if method:
        made[0] = made[0].replace(name="self", annotation=inspect.Parameter.empty, kind=inspect.Parameter.POSITIONAL_ONLY)
    parameters, previous = [], None
    for p in made:
        if p.kind is p.KEYWORD_ONLY and previous not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL):
            parameters.append("*")
        stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        annotation = imports.text(p.annotation, source)
        default = "" if p.default is p.empty else f" = {default_text(p.default)}" if annotation else f"={default_text(p.default)}"
        parameters.append(f"{stars}{p.name}{f': {annotation}' if annotation else ''}{default}")
        previous = p.kind
    returned = imports.text(signature.return_annotation, source)
    return f"({', '.join(parameters)}){f' -> {returned}' if returned else ''}"


def default_text(value: Any) -> str:
    """A default as an expression; `...` of what has none."""
    plain = (bool, int, float, str, tuple, list, type(None))
    return repr(value) if isinstance(value, plain) and value == value else "..."


def _definition(name: str, function: Callable, imports: Imports, method: bool = False, decorator: str = "") -> str:
    depth = "    " if method else ""
    head = f"{depth}{decorator}\n" if decorator else ""
    doc = (inspect.getdoc(function) or "").split("\n\n")[0].replace("\\", "\\\\").splitlines()
    ignored = "  # type: ignore[override]" if name in ("__eq__", "__ne__") else ""  # bool for Python's own objects
    line = f"{head}{depth}def {name}{signature_text(function, imports, method)}:{ignored}"
    text = '"""' + f"\n{depth}    ".join(doc) + '"""' if doc else "..."
    return f"{line}\n{depth}    {text}\n"


def members() -> dict[str, Any]:
    """What Tensor has that its class body doesn't say, by name."""
    importlib.import_module("dy2st.nn.functional")  # and dy2st.api, which it uses: they attach them
    tensor = importlib.import_module("dy2st.runtime.tensors.tensor")
    body = next(node for node in _tree(tensor.__name__).body if isinstance(node, ast.ClassDef) and node.name == "Tensor").body
    own = {node.name for node in body if isinstance(node, ast.FunctionDef)}
    made = (FunctionType, property)
    return {name: value for name, value in sorted(vars(tensor.Tensor).items()) if name not in own and isinstance(value, made)}


def methods_stub() -> str:
    """The stub of the base of Tensor, which declares what Tensor is given."""
    found = members()
    imports, body = Imports(found), []
    for name, value in found.items():
        if isinstance(value, property):
            body.append(_definition(name, value.fget, imports, True, "@property"))
            if value.fset is not None:
                body.append(_definition(name, value.fset, imports, True, f"@{name}.setter"))
        else:
            body.append(_definition(name, value, imports, True))
    doc = HEAD.format("The methods of Tensor that `dy2st.api` and `dy2st.nn.functional` attach.")
    return "\n".join([doc, *imports, "\n\nclass LateMethods:", *body])


def package_stub(package: str) -> str:
    """The stub of a package: its names, imported from where they are defined, or written out."""
    module = importlib.import_module(package)
    meant = getattr(module, "__all__", ())
    public = sorted(name for name in {*dir(module), *meant} if name[0] != "_")
    names = {name: _value(module, name) for name in public if name not in HIDDEN.get(package, ())}
    names = {name: value for name, value in names.items() if name in meant or not _is_of_python(value)}
    imports, body = Imports({name: value for name, value in names.items() if not isinstance(value, ModuleType)}), []
    for name, value in names.items():
        body.append(_exported(package, name, value, imports))
    if package == "dy2st":
        body += ["__version__: str\n", _definition("tensor", importlib.import_module("dy2st.api.making").tensor, imports)]
    return "\n".join([HEAD.format(f"The names of {package}."), *imports, "", *filter(None, body)])


def _value(module: ModuleType, name: str) -> Any:
    """What a name stands for; an empty module for one that needs a package which isn't installed."""
    try:
        return getattr(module, name)
    except ImportError:
        spec = importlib.util.find_spec(f"{module.__name__}.{name}")
        return importlib.util.module_from_spec(spec)  # type: ignore[arg-type]


def _is_of_python(value: Any) -> bool:
    """Whether a name is one that a module imports for itself, as `Any`."""
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return module is not None and module.partition(".")[0] != "dy2st"


def _exported(package: str, name: str, value: Any, imports: Imports) -> str:
    """The lines of a name; none where an import tells all."""
    if isinstance(value, ModuleType):
        if value.__name__ == f"{package}.{name}" and value.__spec__ is not None:  # it has a file
            imports.add(package, name, name)
        return ""
    source: Any = inspect.unwrap(value) if callable(value) else value
    home, own = getattr(source, "__module__", ""), getattr(source, "__name__", "")
    is_made = isinstance(source, FunctionType) and ("__signature__" in vars(source) or source.__code__.co_name != own)
    if not is_made and home.startswith("dy2st.") and home != package and _stands_in(home, own):
        if name == own:
            imports.add(home, own, name)
            return ""
        imports.add(home, own, f"_{own}")
        return f"{name} = _{own}\n"  # a name that a stub imports as another isn't one that it gives away
    if isinstance(source, FunctionType):
        return _definition(name, value, imports)
    if home == "typing":
        imports.add(home, value._name, name)
        return ""
    kind = type(value)
    if kind.__module__ == "builtins":
        return f"{name}: {'None' if value is None else imports.builtin(kind.__name__)}\n"
    kind = next(cls for cls in kind.__mro__ if cls.__name__[0] != "_")
    imports.add(kind.__module__, kind.__name__)
    return f"{name}: {kind.__name__}\n"


def stubs() -> dict[Path, str]:
    """The text of every stub, by its place under the root."""
    made = {Path(METHODS.replace(".", "/")).with_suffix(".pyi"): methods_stub()}
    return made | {place_of(package): package_stub(package) for package in PACKAGES}


def place_of(package: str) -> Path:
    """Where the stub of a package lies, under the root."""
    path = Path(package.replace(".", "/"))
    return path / "__init__.pyi" if hasattr(importlib.import_module(package), "__path__") else path.with_suffix(".pyi")


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    for path, text in stubs().items():
        (ROOT / path).write_text(text)
