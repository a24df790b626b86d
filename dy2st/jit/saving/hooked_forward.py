"""The call of a layer that does more than its forward: it has hooks of its own, or its class a `__call__`."""

from __future__ import annotations

from ...nn.hooks import has_hooks
from ...nn.layer import Layer
from ..static.binding import Binder, takes_anything
from ..static.concrete import ConcreteProgram
from ..static.static_function import StaticFunction


def is_more_than_forward(layer: Layer) -> bool:
    """Whether a call of the layer does more than its forward."""
    return has_hooks(layer) or _has_own_call(layer)


def _has_own_call(layer: Layer) -> bool:
    return type(layer).__call__ is not Layer.__call__


class HookedForward(StaticFunction):
    """Takes the arguments of `forward`, or of its class's `__call__`; the layer's call is staged, with its hooks."""

    def __init__(self, forward: StaticFunction, layer: Layer):
        super().__init__(forward._function, forward._input_spec, forward._owner, layer)
        self._forward, self.passes = forward, forward.passes
        call = type(layer).__call__
        if _has_own_call(layer) and not takes_anything(call):
            self._binder = Binder(call, layer)

    @property
    def concrete_program(self) -> ConcreteProgram:
        """The Program with the hooks, for the arguments of that without."""
        return super().concrete_program if self._input_spec is not None else self.program_like(self._forward.concrete_program)
