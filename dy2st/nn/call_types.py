"""For type checkers: a call of a layer takes and gives what its `forward` does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R", covariant=True)


class Computes(Protocol[P, R]):
    """A layer whose `forward` is a method."""

    @property
    def forward(self) -> Callable[P, R]:
        """What the layer computes."""


class ComputesStatic(Protocol[P, R]):
    """A layer whose class has a static function as `forward`, which some checkers don't bind to the layer."""

    @property
    def forward(self) -> Static[Concatenate[Any, P], R]:
        """What the layer computes."""


class Static(Protocol[P, R]):
    """A static function of a class."""

    @property
    def dygraph_function(self) -> Any:
        """The plain function."""

    def __call__(self, *inputs: P.args, **kwargs: P.kwargs) -> R:
        """What it computes of the layer and its inputs."""
