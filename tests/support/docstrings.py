"""What the docstring of a public name must tell, and what one lacks.

It names each parameter. Where tensors go in or come out, it speaks of their shapes and dtypes. It says what the result is. It
names the exceptions that the function's own source raises, together with the private helpers of its module or class. A layer's
class tells all that of its constructor and its forward. Facts may stand in another docstring that it points at: with "as
`conv2d`" or "`sin` in place", what is said of `conv2d` and `sin` counts, too.

What holds for all functions, docs/api.md says once: `name` and `place` have no effect, `out` takes the result.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
import textwrap
import types
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import dy2st
from dy2st.runtime.tensors.tensor import Tensor
from support import api_table

SPACES = [
    "", "linalg", "nn", "nn.functional", "nn.initializer", "nn.utils", "optimizer", "optimizer.lr", "io", "metric", "amp",
    "regularizer", "fft", "signal", "jit", "traced_module", "func", "config", "passes", "errors", "cli", "static", "static.nn",
    "autograd", "callbacks", "device", "device.cuda", "utils", "base.dygraph", "distributed.fleet.utils",
]  # fmt: skip
ABSENT = set() if find_spec("torch") else {"torch"}  # modules that can't be imported without their extra
EVERYWHERE = {"self", "cls", "name", "place", "out", "args", "kwargs"}  # parameters that docs/api.md or Python explains
SHAPES = re.compile(r"\bshapes?\b|\[[^\]]*\]|\b\d-d\b|\bmatri(x|ces)\b|\bvectors?\b|\bbroadcast|\bone element\b", re.I)
DTYPES = re.compile(r"\bdtypes?\b|\bfloat|\bint(eger|32|64)|\bbool|\bcomplex|\bnumbers?\b", re.I)
RESULT = re.compile(r"->|\b(results?|gives?|given back|returns?|returned|yields?|itself|nothing)\b", re.I)
A_TENSOR = re.compile(  # the first words of a docstring often are the result
    r"\b(an?|one|as) (new |bool |int32 |int64 |float32 |complex |\d-d )*(tensor|vector|matrix|view|copy|loss)\b|"
    r"^(Zeros|Ones|Views)\b|\ba list of (views|tensors)\b|\btwo tensors\b|\bx itself\b|"
    r"\bin the (shape|dtype|default dtype)\b|\bof (its|their|the) (shape|dtype)\b",
    re.I,
)
A_VALUE = re.compile(r"^(The|An?|What|Whether|How|Which|Where|All|Each|One|True|False|None|-?\d|[a-z`(])")
POINTER = re.compile(r"\b[Aa]s (?:in |of |for |by )?`([\w.]+)`|`([\w.]+)` in place")


class Public:
    """A public name: where it was found, its object, and the class it was found in, where it is a member of one."""

    def __init__(self, path: str, value: Any, owner: type | None = None):
        self.path, self.owner = path, owner
        self.value = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value

    @property
    def plain(self) -> Any:
        """The object without what shows its calls."""
        return inspect.unwrap(self.value) if inspect.isfunction(self.value) else self.value

    @functools.cached_property
    def function(self) -> types.FunctionType | None:
        """The function whose source and annotations count: a class's constructor, a property's getter."""
        found = self.value.fget if isinstance(self.value, property) else self.plain
        found = inspect.unwrap(found.__init__ if isinstance(found, type) else found)
        return found if isinstance(found, types.FunctionType) else None

    @property
    def module(self) -> str:
        return (self.value.fget if isinstance(self.value, property) else self.value).__module__

    @property
    def is_layer(self) -> bool:
        return isinstance(self.value, type) and issubclass(self.value, dy2st.nn.Layer) and self.value is not dy2st.nn.Layer

    def lacks(self) -> list[str]:
        """What the docstring doesn't tell."""
        if not inspect.getdoc(self.value):
            return ["a docstring"]
        if isinstance(self.value, type) and issubclass(self.value, BaseException):
            return []
        text = whole_text(self.value, self.owner)
        names = raised(self) if isinstance(self.value, property) else [*raised(self), *self._parameters()]
        found = [name for name in names if not re.search(rf"\b{name}\b", text)]
        return found if isinstance(self.value, property) else found + self._about_tensors(text) + self._about_result(text)

    def _parameters(self) -> list[str]:
        try:
            parameters = inspect.signature(self.value).parameters
        except (TypeError, ValueError):
            return []
        return [name for name in parameters if name not in EVERYWHERE and name[0] != "_"]

    def _annotations(self) -> dict[str, str]:
        return {k: str(v) for k, v in getattr(self.function, "__annotations__", {}).items() if k != "self"}

    def _about_tensors(self, text: str) -> list[str]:
        if not self.is_layer and not any("Tensor" in annotation for annotation in self._annotations().values()):
            return []
        return [f"its {word}" for word, pattern in (("shapes", SHAPES), ("dtypes", DTYPES)) if not pattern.search(text)]

    def _about_result(self, text: str) -> list[str]:
        gives = "Tensor" if self.is_layer else self._annotations().get("return", "None")
        if gives in ("None", "NoReturn") or isinstance(self.value, type) and not self.is_layer:
            return []
        told = RESULT.search(text) or (A_TENSOR if "Tensor" in gives else A_VALUE).search(text)
        return [] if told else ["its result"]


def whole_text(value: Any, owner: type | None = None, seen: frozenset = frozenset()) -> str:
    """A docstring, a class's with that of its constructor, together with those that it points at."""
    own = [value, vars(value)["__init__"]] if isinstance(value, type) and "__init__" in vars(value) else [value]
    text = " ".join(" ".join((part.__doc__ or inspect.getdoc(part) or "").split()) for part in own)
    paths = {path for pair in POINTER.findall(text) for path in pair if path} - seen
    others = [target(path, value, owner) for path in sorted(paths)]
    return " ".join([text, *(whole_text(other, None, seen | paths) for other in others if other is not None)])


def target(path: str, value: Any, owner: type | None) -> Any:
    """What a docstring means by a name: in its class, its module, the package, or among functions and layers; or None."""
    home = importlib.import_module(getattr(value, "__module__", "dy2st"))
    for space in filter(None, (owner, home, dy2st, dy2st.nn.functional, dy2st.nn, Tensor)):
        try:
            return api_table.found_at(space, path)
        except AttributeError:
            continue
    return None  # a parameter


def raised(public: Public) -> list[str]:
    """The exceptions that a function raises in its own source, and in the private helpers of its module or class."""
    functions: list[Any] = [public.function]
    if public.is_layer:
        functions.append(inspect.unwrap(public.value.forward))
    owner = public.value if isinstance(public.value, type) else public.owner
    found: dict[str, None] = {}
    seen: set[Any] = set()
    while functions:
        function = functions.pop()
        if function in seen or not isinstance(function, types.FunctionType):
            continue
        seen.add(function)
        for node in ast.walk(_tree(function)):
            if isinstance(node, ast.Raise):
                found.update(dict.fromkeys(_exception(node.exc)))
            elif isinstance(node, ast.Call):
                functions.append(_helper(node.func, function, owner))
    return list(found)


def _tree(function: types.FunctionType) -> ast.AST:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):  # made by a dataclass; a lambda in the middle of a statement
        return ast.Module([], [])


def _exception(raised: ast.expr | None) -> list[str]:
    """The name of the class, where it is raised by its name."""
    raised = raised.func if isinstance(raised, ast.Call) else raised
    name = raised.id if isinstance(raised, ast.Name) else raised.attr if isinstance(raised, ast.Attribute) else ""
    return [name] if name[:1].isupper() else []


def _helper(called: ast.expr, function: types.FunctionType, owner: type | None) -> Any:
    """The private function of the same module, or the private method, that is called."""
    if isinstance(called, ast.Name) and called.id.startswith("_"):
        found = function.__globals__.get(called.id)
        return found if getattr(found, "__module__", None) == function.__module__ else None
    if isinstance(called, ast.Attribute) and called.attr.startswith("_") and isinstance(called.value, ast.Name):
        return inspect.unwrap(getattr(owner, called.attr, None)) if called.value.id in ("self", "cls") else None
    return None


def public_names() -> list[Public]:
    """Every public name of the package, each object once, whatever its other names are."""
    return list({id(public.plain): public for public in reversed(list(_all_names()))}.values())[::-1]


def _all_names() -> Iterator[Public]:
    for space in SPACES:
        for name, value in offered(importlib.import_module(f"dy2st.{space}" if space else "dy2st")):
            path = f"{space}.{name}" if space else name
            yield Public(path, value)
            if isinstance(value, type) and not issubclass(value, BaseException):
                yield from members(path, value)


def offered(home: types.ModuleType) -> list[tuple[str, Any]]:
    """The public functions and classes of a package, or of a module: what it defines, or if that is nothing what it imports."""
    names = sorted(name for name in vars(home).get("__all__") or dir(home) if name[0] != "_" and name not in ABSENT)
    found = [(name, getattr(home, name)) for name in names]
    found = [(name, value) for name, value in found if isinstance(value, (type, types.FunctionType)) and _is_ours(value)]
    own = [(name, value) for name, value in found if value.__module__ == home.__name__]
    return found if hasattr(home, "__path__") or not own else own


def members(path: str, owner: type) -> Iterator[Public]:
    """The public methods and properties of a class and its bases, without those that override what a base of theirs tells."""
    for at, base in enumerate(owner.__mro__):
        for name, value in sorted(vars(base).items()) if _is_ours(base) else ():
            method = isinstance(value, (property, classmethod, staticmethod)) or inspect.isfunction(value)
            if method and name[0] != "_" and not any(name in vars(b) for b in owner.__mro__[at + 1 :] if _is_ours(b)):
                yield Public(f"{path.rpartition('.')[0]}.{base.__name__}.{name}".lstrip("."), value, owner)


def _is_ours(value: Any) -> bool:
    return (getattr(value, "__module__", None) or "").startswith("dy2st")
