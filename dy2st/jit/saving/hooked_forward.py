"""The forward of a layer that has hooks of its own, as a call of the layer runs it."""

from __future__ import annotations

from ...nn.layer import Layer
from ..static.concrete import ConcreteProgram
from ..static.static_function import StaticFunction


class HookedForward(StaticFunction):
    """Takes the arguments of `forward`; what is staged is the layer's call, with its hooks."""

    def __init__(self, forward: StaticFunction, layer: Layer):
        super().__init__(forward._function, forward._input_spec, forward._owner, layer)
        self._forward, self.passes = forward, forward.passes

    @property
    def concrete_program(self) -> ConcreteProgram:
        """The Program with the hooks, for the arguments of that without."""
        return super().concrete_program if self._input_spec is not None else self.program_like(self._forward.concrete_program)
