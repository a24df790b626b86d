"""`train()` and `eval()` of a function: those of the layers whose mode it follows."""

from __future__ import annotations

from typing import Any

from ...nn.layer import Layer
from ...runtime.outside.roots import Roots


def layers_of(function: Any, owner: Any, kind: Any = Layer) -> list[Any]:
    """The layer that a function is a method of, or those that it and its object name. kind: the class of layers."""
    if isinstance(owner, kind):
        return [owner]
    found = [*Roots(function).starts.values(), *getattr(owner, "__dict__", {}).values()]
    return [value for value in found if isinstance(value, kind)]


def switch_mode(function: Any, owner: Any, training: bool, kind: Any = Layer) -> None:
    """Switch all of `layers_of`. RuntimeError for a method of a layer in the other mode: it is the layer that is switched."""
    mode = "train" if training else "eval"
    if isinstance(owner, kind) and owner.training is not training:
        raise RuntimeError(f"{function.__qualname__} is a method of a layer: call {mode}() of the {type(owner).__name__}")
    for layer in layers_of(function, owner, kind):
        layer.train(training)
