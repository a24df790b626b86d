"""The cells of the grid: a container of a class, met in a place, in a way of running: a module of source and its calls."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import itertools
import re
import sys
import warnings
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

import dy2st as paddle
from dy2st import jit, nn
from dy2st.errors import Dy2stError
from dy2st.static import InputSpec

from .classes import IMPORTS, ROWS, Row

A, B, T = "paddle.to_tensor([1., 2., 3.])", "paddle.to_tensor([4., 5., 6.])", "paddle.to_tensor([7., 8., 9.])"
OTHER = ("paddle.to_tensor([-1., 0.5, 2.])", "paddle.to_tensor([3., -4., 1.])")

# Where a function meets the container. {make} makes it, {read} reads it, {change} may change it.
# `container` is what a test replaces items of between calls; `call(x)` makes one call.
PLACES: dict[str, str] = {
    "argument": """
container = {make}
def f(v, x):
{change}
    return {read} * 1 + x
def call(f, x): return f(container, x)
""",
    "keyword argument": """
container = {make}
def f(x, *, v):
{change}
    return {read} * 1 + x
def call(f, x): return f(x, v=container)
""",
    "result": """
container = {make}
def f(x):
    v = {fresh}
{change}
    return v
def call(f, x): return f(x)
""",
    "attribute of self": """
class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.held = {make}
    def forward(self, x):
        v = self.held
{change_deeper}
        return {read} * 1 + x
f = Net()
container = f.held
def call(f, x): return f(x)
""",
    "closure": """
container = {make}
def enclosing(v):
    def f(x):
{change_deeper}
        return {read} * 1 + x
    return f
f = enclosing(container)
def call(f, x): return f(x)
""",
    "global": """
container = {make}
def f(x):
    v = container
{change}
    return {read} * 1 + x
def call(f, x): return f(x)
""",
    "loop-carried": """
container = {make}
def f(x):
    v = {fresh}
    i = x.sum() * 0
    while i < 3:
        i = i + 1
{change_deeper}
        if i > 1:
            v = {fresh}
    return {read} * 1 + x
def call(f, x): return f(x)
""",
    "returned from one branch": """
container = {make}
def f(x):
    v = {fresh}
{change}
    if x.sum() > 0:
        return v
    return None
def call(f, x): return f(x)
""",
    "inside another container": """
container = {make}
def f(vs, x):
    v = vs['k'][0]
{change}
    return {read} * 1 + x
def call(f, x): return f({{'k': [container]}}, x)
""",
}
FRESH_PLACES = ("result", "loop-carried", "returned from one branch")
WAYS = ("first call", "other tensors", "an item replaced", "changed inside", "changed inside a tensor if",
        "saved and loaded", "scripted", "traced")  # fmt: skip


class Cell(NamedTuple):
    """One cell: a row of `classes.ROWS`, a place, and a way."""

    kind: str
    place: str
    way: str

    def __str__(self) -> str:
        return f"{self.kind} / {self.place} / {self.way}"


def cells() -> Iterator[Cell]:
    """All cells that mean something: an item can be replaced only in what the function doesn't make itself."""
    for kind, place, way in itertools.product(ROWS, PLACES, WAYS):
        row = ROWS[kind]
        if way == "an item replaced" and (not row.replace or place in FRESH_PLACES):
            continue
        if way.startswith("changed") and not row.change:
            continue
        if way == "traced" and place in ("keyword argument", "returned from one branch"):
            continue  # a trace takes example inputs by position, and warns that it keeps to the path of its example
        yield Cell(kind, place, way)


def source_of(cell: Cell) -> str:
    """The module of a cell."""
    row = ROWS[cell.kind]
    change = row.change.format(v="v", t="x") if cell.way.startswith("changed") else "pass"
    if cell.way == "changed inside a tensor if":
        change = f"if x.sum() > 5:\n    {change}"
    def indented(text: str, depth: int) -> str:
        return "\n".join("    " * depth + line for line in text.splitlines())
    make = row.make.format(a=A, b=B)
    fresh = row.make.format(a="x", b="(x + 1)")
    body = PLACES[cell.place].format(
        make=make, fresh=fresh, read=row.read.format(v="v"), change=indented(change, 1), change_deeper=indented(change, 2)
    )
    return f"{IMPORTS}\n{row.source}\n{body}"


_numbers = itertools.count()


def module_of(cell: Cell, folder: Path) -> ModuleType:
    """The module of a cell, made anew: source that staging can find, objects that nobody else changes."""
    path = folder / f"cell_{next(_numbers)}.py"
    path.write_text(source_of(cell))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    paddle.seed(1)
    spec.loader.exec_module(module)
    return module


def answers(cell: Cell, module: ModuleType, function: Any) -> list[Any]:
    """What three calls give, and what the container holds after each."""
    found = []
    row = ROWS[cell.kind]
    for turn, x in enumerate(([1.0, 2.0, 3.0], [-1.0, -2.0, -9.0], [5.0, 0.5, 1.0])):
        if turn and cell.way == "an item replaced":
            exec(row.replace.format(v="container", t=OTHER[0]), vars(module))
        if turn and cell.way == "other tensors" and cell.place not in FRESH_PLACES:
            _refresh(cell, row, module)
        result = shown(outcome(module.call, function, paddle.to_tensor(x)))
        found.append((as_loaded(result) if cell.way == "saved and loaded" else result, shown(module.container)))
    return found


def as_loaded(text: str) -> str:
    """A result without the user's classes, which no file knows: objects come back by their fields, subclasses as Python's own."""
    text = re.sub(r"\b(Sub|Pair)\((?=[\[{])", "(", re.sub(r"\b(list|tuple|dict|set|deque)\((?=[\[{])", "(", text))
    return re.sub(r", (None|\{'k': '5'\}|<class 'list'>)\)", ")", re.sub(r"\b(SimpleNamespace|[ODN])\(", "object(", text))


def _refresh(cell: Cell, row: Row, module: ModuleType) -> None:
    """Another container of the class in the place of the first, where it can be given anew: as an argument or an attribute."""
    made = row.make.format(a=OTHER[0], b=OTHER[1])
    if cell.place == "attribute of self":
        exec(f"f.held = container = {made}", vars(module))
    elif cell.place != "closure":
        exec(f"container = {made}", vars(module))


NOT_IN_FILE = "since the file doesn't hold the"  # what a loaded model says of an argument that it takes no other of


class Refused(Exception):
    """A refusal in words."""


def outcome(call: Callable, function: Any, x: Any) -> Any:
    """What a call gives, or the exception that plain Python would raise; Refused in words of dy2st."""
    try:
        return call(function, x)
    except Dy2stError as error:
        raise Refused(f"{type(error).__name__}: {error}") from error
    except Exception as error:
        if NOT_IN_FILE in str(error):
            raise Refused(f"ValueError: {error}") from error
        return type(error).__name__, str(error)


def shown(value: Any) -> Any:
    """A value as text that tells classes, items, attributes and numbers."""
    if isinstance(value, paddle.Tensor):
        if value.is_staged:
            return "a Variable that got out of its recording"
        return f"tensor{np.round(value.numpy().astype('float64'), 4).tolist()}"
    if isinstance(value, nn.Layer):
        inner = [shown(v) for v in value.parameters()]
        plain = {k: shown(v) for k, v in vars(value).items() if isinstance(v, paddle.Tensor)}
        return f"{type(value).__name__}{inner}{plain}"
    if isinstance(value, dict):
        factory = f", {value.default_factory}" if isinstance(value, defaultdict) else ""
        items = {k: shown(v) for k, v in value.items()}
        return f"{type(value).__name__}({items}{factory}{_attributes(value)})"
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__}({sorted(map(shown, value))}{_attributes(value)})"
    if isinstance(value, list | tuple | deque):
        kept = f", {value.maxlen}" if isinstance(value, deque) else ""
        return f"{type(value).__name__}({[shown(v) for v in value]}{kept}{_attributes(value)})"
    if is_dataclass(value):
        return f"{type(value).__name__}({[(f.name, shown(getattr(value, f.name, None))) for f in fields(value)]})"
    if hasattr(value, "__dict__") or hasattr(value, "__slots__"):
        slots = (n for cls in type(value).__mro__ for n in getattr(cls, "__slots__", ()) if n[0] != "_")
        names = [*getattr(value, "__dict__", {}), *slots]
        return f"{type(value).__name__}({sorted((n, shown(getattr(value, n, None))) for n in names)})"
    return repr(value)


def _attributes(value: Any) -> str:
    held = {k: shown(v) for k, v in getattr(value, "__dict__", {}).items()}
    return f", {held}" if held else ""


def result_of(cell: Cell, folder: Path) -> str:
    """`equal`, `refused: ...` or `WRONG: ...`."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        plain_module = module_of(cell, folder)
        expected = answers(cell, plain_module, plain_module.f)
        try:
            module = module_of(cell, folder)
            found = answers(cell, module, _compiled(cell, module, folder))
        except Refused as refusal:
            return f"refused: {refusal}"
        except Dy2stError as error:
            return f"refused: {type(error).__name__}: {error}"
        except BaseException as error:  # a signal of staging that gets out is none that Python raises
            return f"WRONG: {type(error).__name__}: {error}"
    return "equal" if found == expected else f"WRONG: {found} for {expected}"


def _compiled(cell: Cell, module: ModuleType, folder: Path) -> Any:
    """The compiled function; Refused where `script` and `trace` say no in TorchScript's classes of exceptions."""
    try:
        return compiled(cell, module, folder)
    except (TypeError, RuntimeError) as error:
        if cell.way in ("scripted", "traced"):
            raise Refused(f"{type(error).__name__}: {error}") from error
        raise


def compiled(cell: Cell, module: ModuleType, folder: Path) -> Any:
    """The function of a cell, made static, saved and loaded, scripted or traced."""
    x = paddle.to_tensor([1.0, 2.0, 3.0])
    if cell.way == "scripted":
        return jit.script(module.f)
    if cell.way == "traced":
        return _traced(cell, module, x)
    static = jit.to_static(module.f)
    if cell.way != "saved and loaded":
        return static
    module.call(static, x)  # which stages it for these arguments
    if cell.place == "attribute of self":
        jit.save(static, folder / "net", input_spec=[InputSpec([3])])
    else:
        jit.save(static, folder / "net")
    return jit.load(folder / "net")


def _traced(cell: Cell, module: ModuleType, x: Any) -> Any:
    if cell.place == "argument":
        return jit.trace(module.f, (module.container, x), check_trace=False)
    if cell.place == "inside another container":
        return jit.trace(module.f, ({"k": [module.container]}, x), check_trace=False)
    return jit.trace(module.f, x, check_trace=False)
