"""What a Layer consists of: parts that are no Layers, and Layers that are called past their hooks."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

from ... import pytree
from ...nn.layer import Layer
from ...nn.parameter import Parameter
from ...runtime.tensors.tensor import Tensor
from .finding import Finding
from .reached import CONTAINERS, PACKAGE, Reached, is_own_object
from .stores import stores

UNSEEN = "parameters(), state_dict(), train() and eval() don't get to what it holds"


def parts_that_are_no_layers(reached: Reached) -> Iterator[Finding]:
    """A Finding for each object that holds tensors or Layers without being a Layer, and for plain containers of Layers."""
    owner = reached.owner
    if is_own_object(owner) and holds_tensors(owner):
        cls = type(owner)
        package = reached.names.module_name(PACKAGE, PACKAGE)
        rewrite = f"class {cls.__name__}({package}.nn.Layer):    and super().__init__() first in its __init__"
        if "__call__" in vars(cls):
            rewrite += "; its __call__ becomes forward"
        yield _at_class(cls, "not_a_layer", f"{cls.__name__} is no Layer: {UNSEEN}", rewrite)
    if isinstance(owner, Layer):
        for name, value in vars(owner).items():
            instead = _container_for(value, owner) if not name.startswith("__") and name not in vars(Layer()) else None
            if instead is not None:
                text = f"self.{name} is a plain {type(value).__name__}: {UNSEEN}"
                package = reached.names.module_name(PACKAGE, PACKAGE)
                yield _at_store(owner, name, "not_a_layer", text, f"self.{name} = {package}.nn.{instead}(...)")


def overridden_calls(reached: Reached) -> Iterator[Finding]:
    """A Finding for a Layer whose class has a `__call__` of its own."""
    if not isinstance(reached.owner, Layer) or reached.function.__name__ != "__call__":
        return
    arguments = ast.unparse(reached.node.args)
    text = "__call__ runs the hooks of a Layer around its forward; this one runs none of them"
    yield reached.finding(reached.node, "overridden_call", text, f"def forward({arguments}):")


def holds_tensors(value: Any) -> bool:
    """Whether an object, or a container, leads to a Tensor or a Layer."""
    return any(isinstance(part, Tensor | Layer) for part in pytree.nodes(value, _parts))


def _parts(value: Any) -> list[Any]:
    if pytree.is_container(value):
        return pytree.items_of(value)
    return [*vars(value).values()] if is_own_object(value) else []


def _container_for(value: Any, owner: Layer) -> str | None:
    """The Layer that holds what a list, tuple or dict holds; None where the owner knows all of it, or it is of another kind."""
    if not isinstance(value, CONTAINERS):
        return None
    known = set(map(id, (*owner.sublayers(), *owner.parameters())))  # by `add_sublayer`, or by another attribute
    items = [item for item in (value.values() if isinstance(value, dict) else value) if id(item) not in known]
    for kind, name in ((Layer, "Layer"), (Parameter, "Parameter")):
        if any(isinstance(item, kind) for item in items):
            return f"{name}Dict" if isinstance(value, dict) else f"{name}List"
    return None


def _at_class(cls: type, *what: str) -> Finding:
    return Finding(inspect.getsourcefile(cls) or "", inspect.getsourcelines(cls)[1], *what)


def _at_store(owner: Layer, name: str, *what: str) -> Finding:
    """A Finding where a class of the owner's stores the attribute; where none does, at the class."""
    found = next(stores(owner, name), None)
    return _at_class(type(owner), *what) if found is None else Finding(found[0], found[1].lineno, *what)
