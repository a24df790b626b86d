"""The mode of tracing: every operator runs, on the example values, and is recorded, on their twins.

Each Tensor that the traced function computes has a twin, a Variable of the recording. What the function asks of a Tensor as a
Python value is as it is for the example: a TracerWarning says so.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ... import pytree
from ...errors import Dy2stWarning
from ...ir.core import Loc
from ...ops import dispatch
from ...ops.registry import OpDef, lookup
from ...runtime.recorder.recorder import Recorder
from ...runtime.tensors.eager import EagerMode
from ...runtime.tensors.tensor import Tensor
from ...runtime.where.user_code import user_loc


class TracerWarning(Dy2stWarning):
    """A trace depends on what its example inputs hold."""


def warn_traced(text: str) -> None:
    """A TracerWarning at the user's line."""
    loc = user_loc()
    if loc is None:
        warnings.warn(text, TracerWarning, stacklevel=3)
    else:
        warnings.warn_explicit(text, TracerWarning, loc.file, loc.line)


class TracedInt(int):
    """A length of an axis while tracing: an int, whose twin follows the input."""

    twin: Any

    @classmethod
    def of(cls, value: int, twin: Any) -> TracedInt:
        """An int with its twin."""
        made = cls(value)
        made.twin = twin
        return made


def _arithmetic(name: str) -> Callable:
    plain = getattr(int, name)

    def method(self: TracedInt, other: Any) -> Any:
        found = plain(self, other)
        tracer = current_tracer()
        if found is NotImplemented or tracer is None or type(found) is not int:
            return found
        return TracedInt.of(found, tracer.apply(lambda a, b: getattr(a, name)(b), self, other))

    return method


for _name in "add sub mul floordiv mod".split():
    setattr(TracedInt, f"__{_name}__", _arithmetic(f"__{_name}__"))
    setattr(TracedInt, f"__r{_name}__", _arithmetic(f"__r{_name}__"))


class TracedTensor(Tensor):
    """A Tensor of a traced function while that runs."""

    @property
    def shape(self) -> list:  # type: ignore[override]
        found = Tensor.shape.fget(self)  # type: ignore[attr-defined]
        tracer = current_tracer()
        if tracer is None or self.is_staged:
            return found
        return [TracedInt.of(n, tracer.length(self, axis)) for axis, n in enumerate(found)]


def _asked(name: str, use: str) -> Callable:
    plain = getattr(Tensor, name)

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if current_tracer() is not None and not self.is_staged and _is_asked_by_user():
            warn_traced(
                f"{use} of a tensor: the trace takes the value that it has now for a constant, and may be wrong for other inputs"
            )
        return plain(self, *args, **kwargs)

    return method


def _is_asked_by_user() -> bool:
    """Whether the innermost frame outside this file is the user's: the package may look at constants."""
    return user_loc() is not None


for _name, _use in (
    ("__bool__", "bool(x), or a condition,"), ("__int__", "int(x)"), ("__float__", "float(x)"), ("__index__", "an index made"),
    ("item", "item()"), ("tolist", "tolist()"), ("numpy", "numpy()"), ("__len__", "len(x)"), ("__iter__", "iteration"),
):  # fmt: skip
    if hasattr(Tensor, _name):
        setattr(TracedTensor, _name, _asked(_name, _use))


class Tracer(EagerMode):
    """Runs and records."""

    def __init__(self, rec: Recorder):
        self.tracer = self
        self._recording = rec
        self._twins: dict[int, tuple[Tensor, Any]] = {}

    def here(self) -> Loc | None:
        """The line of the user's that runs."""
        return user_loc()

    def bind(self, definition: OpDef, operands: tuple, attrs: dict[str, Any]) -> Any:
        """Run one operator, and record it."""
        given = [self.twin(x) for x in operands]
        staged_attrs = self.tree(attrs)
        made = super().bind(definition, tuple(map(_plain_tree, operands)), _plain_tree(attrs))
        with dispatch.entered(self._recording):
            staged = definition(*given, **staged_attrs)
        return self.pair(made, staged)

    def called(self, function: Any, args: tuple, kwargs: dict) -> Any:
        """A compiled function is called: it runs, and its control flow is recorded as it is."""
        with dispatch.entered(EagerMode()):
            made = function(*args, **kwargs)
        with dispatch.entered(self._recording):
            staged = function(*self.tree(args), **self.tree(kwargs))
            return self.pair(made, staged)

    def apply(self, function: Callable, *values: Any) -> Any:
        """What a function gives of the twins."""
        with dispatch.entered(self._recording):
            return function(*map(self.twin, values))

    def length(self, tensor: Tensor, axis: int) -> Any:
        """The twin of a length."""
        return self.apply(lambda x: lookup("py.dim")(x, axis=axis), tensor)

    def twin(self, value: Any) -> Any:
        """What stands for a value in the recording: a Tensor from outside stands for itself."""
        if isinstance(value, TracedInt):
            return value.twin
        if isinstance(value, Tensor) and id(value) in self._twins:
            return self._twins[id(value)][1]
        return value

    def tree(self, value: Any) -> Any:
        """The twins in a structure."""
        return pytree.mapped(value, self._has_twin, self.twin)

    def _has_twin(self, value: Any) -> bool:
        return isinstance(value, TracedInt) or (isinstance(value, Tensor) and id(value) in self._twins)

    def pair(self, made: Any, staged: Any) -> Any:
        """Remember that `staged` stands for `made`."""
        if isinstance(made, Tensor):
            if not made.is_staged and isinstance(staged, Tensor) and staged.is_staged:
                if type(made) is Tensor:
                    made.__class__ = TracedTensor
                self._twins[id(made)] = (made, staged)
        elif not isinstance(made, set | frozenset):
            for key, x in pytree.parts_of(made):  # the twin may be a list that only the Program knows
                self.pair(x, key.of(staged))
        return made

    def release(self) -> None:
        """The trace is over: its Tensors are ordinary ones."""
        for tensor, _ in self._twins.values():
            if type(tensor) is TracedTensor:
                tensor.__class__ = Tensor  # type: ignore[assignment]


def _plain_tree(value: Any) -> Any:
    return pytree.mapped(value, lambda x: isinstance(x, TracedInt), int)


def current_tracer() -> Tracer | None:
    """The tracer that is tracing, or None."""
    return dispatch.current_mode().tracer
