"""Which Expr a step of a file is: what it fetches, holds or calls, by names of closed tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..config import file_limits
from ..errors import ModelFileError
from ..ops.registry import OPERATORS, OpDef
from ..saving.filed import check_raised
from ..saving.untrusted import brief, expect
from .allowed import methods
from .calls import CallFunction, CallMethod
from .control import CONTROL, Raise
from .expr import Constant, Expr, GetAttr, Input
from .functions import function_named
from .graph import InternalGraph
from .node import ModuleNode
from .operators import Operator

_NO_STEPS = ("gradient_check", "gradient_hook")  # these compute nothing
_LONGEST = 10_000  # the name of a graph tells the whole way to its layer


class ExprReader:
    """Makes Exprs of the JSON of steps. graphs: all those of the file; tensor(name): one of its tensors."""

    def __init__(self, graphs: list[InternalGraph], tensor: Callable[[str], Any]):
        self._graphs, self._tensor = graphs, tensor

    def read(self, graph: InternalGraph, part: dict[str, Any], args: tuple, where: str) -> Expr:
        """The Expr of a step with these arguments; without outputs."""
        kind = expect(part.get("kind"), str, where)
        if kind == "input":
            return Input(graph, args)
        if kind == "getattr":
            name = text_of(part, "name", where)
            if len(args) != 1 or not isinstance(args[0], ModuleNode):
                raise ModelFileError(f"{where}: {brief(name)} is no part of a Layer")
            return GetAttr(graph, args[0], name)
        if kind == "constant":
            made: Expr = Constant(graph, self._tensor(text_of(part, "value", where)))
            made.args = args
            return made
        if kind == "function":
            return CallFunction(graph, _function(text_of(part, "func", where), where), args)
        if kind == "operator":
            return Operator(graph, _operator(text_of(part, "func", where), where), args)
        if kind in CONTROL:
            return CONTROL[kind](graph, args)
        if kind == "raise":
            return Raise(graph, _exception(part, where), args)
        if kind == "method":
            return self._method(graph, part, args, where)
        raise ModelFileError(f"{where}: {brief(kind)} is no kind of Expr")

    def _method(self, graph: InternalGraph, part: dict[str, Any], args: tuple, where: str) -> Expr:
        made = CallMethod(graph, text_of(part, "method", where), args)
        calls_layer = bool(args) and isinstance(args[0], ModuleNode)
        if not args or made.method not in (("__call__",) if calls_layer else methods()):
            raise ModelFileError(f"{where}: a graph can't call the method {brief(made.method)}")
        if part.get("graph") is not None:
            k = expect(part["graph"], int, where)
            if not calls_layer or not 0 <= k < len(self._graphs):
                raise ModelFileError(f"{where}: there is no graph {brief(k)} to call")
            made.graph = self._graphs[k]
        return made


def _function(name: str, where: str) -> Callable:
    try:
        return function_named(name)
    except ValueError as error:
        raise ModelFileError(f"{where}: {error}") from None


def _operator(name: str, where: str) -> OpDef:
    if name not in OPERATORS or name in _NO_STEPS or OPERATORS[name].calls_python:
        raise ModelFileError(f"{where}: {brief(name)} is no operator that a graph can call")
    return OPERATORS[name]


def _exception(part: dict[str, Any], where: str) -> tuple[str, ...]:
    names = tuple([expect(name, str, where) for name in expect(part.get("exception"), list, where)])
    if not 0 < len(names) <= file_limits.depth:
        raise ModelFileError(f"{where}: a raise names its exception and the bases of that, not {len(names)} classes")
    try:
        check_raised(names)
    except ValueError as error:
        raise ModelFileError(f"{where}: {error}") from None
    return names


def text_of(part: dict[str, Any], key: str, where: str) -> str:
    """The name that stands under a key."""
    return shown(part.get(key), f"{where}, {key}")


def shown(value: Any, where: str) -> str:
    """A name from a file; ModelFileError where it isn't one line that can be shown."""
    text = expect(value, str, where)
    if len(text) > _LONGEST or not text.isprintable():
        raise ModelFileError(f"{where}: {brief(text)} is no name: it has over {_LONGEST} characters, or some that can't be shown")
    return text
