"""The user's functions that a model gets to: its forward, the forwards of its sub-modules, the helpers that they call."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable, Iterator
from typing import Any

from ... import pytree
from ...errors import SourceUnavailableError
from ...jit.static.static_function import StaticFunction
from ...nn.layer import Layer
from ...runtime.convert.calls.skipped import is_skipped
from ...runtime.where.user_code import is_foreign
from ...transformers.source import find_function
from ..naming.objects import without_decorators
from ..naming.pytorch import is_module, is_of_torch, is_pytorch, unscripted
from .dead_parts import dead_parts
from .finding import Finding
from .names import Names
from .training_parts import training_parts

PACKAGE = __name__.partition(".")[0]
CONTAINERS = (list, tuple, dict)


class Reached:
    """One function with its tree.

    owner: the object whose method it is, or None.
    only_in_training: whether every way to it that was seen is under `self.training`.
    """

    def __init__(self, function: types.FunctionType, owner: Any, only_in_training: bool):
        self.function, self.owner, self.only_in_training = function, owner, only_in_training
        self.node = find_function(function).node
        self.names = Names(function, self.node, owner)
        self.training = training_parts(self.node)
        self._dead = dead_parts(self.node, self.names)

    @property
    def file(self) -> str:
        return self.function.__code__.co_filename

    @property
    def package(self) -> str:
        """The package whose functions of tensors it is written in."""
        return "torch" if is_pytorch(self.function) or is_module(self.owner) else PACKAGE

    @property
    def body(self) -> list[Any]:
        return [self.node.body] if isinstance(self.node, ast.Lambda) else self.node.body

    def walk(self) -> Iterator[ast.AST]:
        """The nodes of its body that may run."""
        for statement in self.body:
            yield from (node for node in ast.walk(statement) if id(node) not in self._dead)

    def is_for_training(self, node: ast.AST) -> bool:
        """Whether a node of it runs in training only."""
        return self.only_in_training or id(node) in self.training

    def finding(self, node: Any, rule: str, reason: str, rewrite: str = "") -> Finding:
        """A Finding at a node of it."""
        return Finding(self.file, node.lineno, rule, reason, rewrite)


def is_users(thing: Any) -> bool:
    """Whether a function or a class is the user's own, neither Python's nor of this package."""
    module = getattr(thing, "__module__", None) or ""
    return not is_foreign(module) and module.partition(".")[0] != PACKAGE


def reached_from(target: Any) -> list[Reached]:
    """All functions of the user's that `target`, a Layer, a method or a function, gets to, itself first."""
    found: dict[Any, Reached] = {}
    waiting = [(function, owner, False) for function, owner in _functions_of(target)]
    while waiting:
        function, owner, in_training = waiting.pop(0)
        key = (function, id(owner))
        if key in found and (in_training or not found[key].only_in_training):
            continue
        try:
            reached = found[key] = Reached(function, owner, in_training)
        except SourceUnavailableError:  # the conversion says what is to be done about it
            continue
        for node in reached.walk():
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                value = reached.names.value(node)
                waiting += [(f, o, reached.is_for_training(node)) for f, o in _functions_of(value)]
    return list(found.values())


def _functions_of(value: Any) -> Iterator[tuple[types.FunctionType, Any]]:
    """What a call of `value`, or of what it contains, runs: functions of the user's, each with the object whose method it is."""
    for part in pytree.nodes(value, _behind):
        part = unscripted(part)
        function, owner = (part.__func__, part.__self__) if isinstance(part, types.MethodType) else (part, None)
        function = function if isinstance(function, StaticFunction) else without_decorators(function)
        if isinstance(function, types.FunctionType):
            if is_users(function) and not is_skipped(function) and not is_of_torch(function):
                yield function, owner
        elif is_module(part):
            forward = _own(type(part), "forward")
            if forward is not None and not is_of_torch(forward):
                yield without_decorators(forward), part
        elif isinstance(part, Layer) or is_own_object(part):
            call = _own(type(part), "__call__")
            if call is not None and not is_of_torch(call):
                yield call, part


def _behind(value: Any) -> Iterable[Any]:
    """What a call of `value` hands on to, and what a container or a built-in Layer holds."""
    if isinstance(value, StaticFunction):
        return (value.dygraph_function,)
    if isinstance(value, Layer):
        return (value.forward,) if is_users(type(value)) else value.children()
    if is_module(value):
        return value.children() if is_of_torch(type(value)) else ()
    items = pytree.contents_of(value)[1] if isinstance(value, CONTAINERS) else ()
    return [item for item in items if isinstance(item, (Layer, types.FunctionType, *CONTAINERS)) or is_own_object(item)]


def _own(cls: type, name: str) -> types.FunctionType | None:
    """The method of this name that a class of the user's defines."""
    found = getattr(cls, name, None)
    return found if isinstance(found, types.FunctionType) and is_users(found) else None


def is_own_object(value: Any) -> bool:
    """Whether it is an instance of a class of the user's that is no Layer."""
    return not isinstance(value, Layer | type | types.FunctionType) and is_users(type(value)) and hasattr(value, "__dict__")
