"""The mode of tracing: every operator runs, on the example values, and is recorded, on their twins.

Each Tensor that the traced function computes has a twin, a Variable of the recording. What the function asks of a Tensor as a
Python value is as it is for the example: a TracerWarning says so. Nobody else reads the array of such a Tensor outside of an
operator: a public function that would is called once more with the twins, and any other is refused, so that nothing that was
computed of an input becomes a constant unseen.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import api, pytree
from ...errors import ConversionError, Dy2stWarning
from ...ir.core import Loc
from ...nn.before import Before
from ...ops import dispatch
from ...ops.registry import OpDef, lookup
from ...runtime.heap.markers import MISSING
from ...runtime.proxies import Staged
from ...runtime.recorder.recorder import Recorder
from ...runtime.tensors.call_hook import observing
from ...runtime.tensors.eager import EAGER, EagerMode
from ...runtime.tensors.tensor import Tensor
from ...runtime.where.user_code import is_foreign, is_ours, user_frame, user_loc


class TracerWarning(Dy2stWarning):
    """A trace depends on what its example inputs hold."""


def called_by_ours() -> bool:
    """Whether code of this package or of Python's library asks what its caller asks."""
    return is_ours(sys._getframe(2).f_code.co_filename)


def warn_traced(text: str) -> None:
    """A TracerWarning at the user's line."""
    frame = user_frame()
    while frame is not None and is_foreign(frame.f_globals.get("__name__", "")):  # a function of NumPy's that the user calls
        frame = user_frame(frame.f_back)
    loc = None if frame is None else user_loc(frame)
    if loc is None:
        warnings.warn(text, TracerWarning, stacklevel=3)
    else:
        warnings.warn_explicit(text, TracerWarning, loc.file, loc.line)


class TracedInt:
    """A length of an axis while tracing: an int, whose twin follows the input. What asks for the bare number is told.

    It is no subclass of int, whose `range(n)` would never ask; `isinstance` takes it for one.
    """

    __slots__ = ("twin", "value")

    def __init__(self, value: int, twin: Any):
        self.value, self.twin = value, twin

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # type: ignore[override]
        return int

    def __hash__(self) -> int:
        return hash(self.value)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(int(self), dtype)

    def __deepcopy__(self, memo: dict) -> Any:
        return self

    def __reduce__(self) -> Any:
        return int, (self.value,)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.value, name)


FROZEN = "a length of a tensor: the trace takes the number that it is now for a constant, and may be wrong for other inputs"


def _plain(value: Any) -> Any:
    return value.value if type(value) is TracedInt else value


def _arithmetic(name: str) -> Callable:
    plain = getattr(int, name)

    def method(self: TracedInt, other: Any) -> Any:
        found = plain(self.value, _plain(other))
        tracer = current_tracer()
        if found is NotImplemented or tracer is None or type(found) is not int:
            return found
        return TracedInt(found, tracer.apply(lambda a, b: getattr(a, name)(b), self, other))

    return method


def _frozen(name: str, by_users: bool) -> Callable:
    """A method that gives what doesn't follow the input. by_users: only code of the user's is told, not a check of ours."""

    def method(self: TracedInt, *others: Any) -> Any:
        found = getattr(int, name)(self.value, *map(_plain, others))
        if found is not NotImplemented and current_tracer() is not None and not (by_users and called_by_ours()):
            warn_traced(FROZEN)
        return found

    return method


def _shown(name: str) -> Callable:
    return lambda self, *others: getattr(int, name)(self.value, *others)


for _name in "add sub mul floordiv mod".split():
    setattr(TracedInt, f"__{_name}__", _arithmetic(f"__{_name}__"))
    setattr(TracedInt, f"__r{_name}__", _arithmetic(f"__r{_name}__"))
_VALUES = "index int float neg pos abs invert round trunc floor ceil"
_OF_TWO = "truediv divmod pow and or xor lshift rshift"
for _name in [*_VALUES.split(), *_OF_TWO.split(), *(f"r{name}" for name in _OF_TWO.split())]:
    setattr(TracedInt, f"__{_name}__", _frozen(f"__{_name}__", by_users=False))
for _name in "bool eq ne lt le gt ge".split():
    setattr(TracedInt, f"__{_name}__", _frozen(f"__{_name}__", by_users=True))
for _name in "repr str format".split():
    setattr(TracedInt, f"__{_name}__", _shown(f"__{_name}__"))


class UnrecordedError(ConversionError):
    """The array of a traced Tensor is read outside of an operator."""


_slot: Any = Tensor.__dict__["_data"]


class TracedTensor(Tensor):
    """A Tensor of a traced function while that runs: its array is read by operators alone."""

    @property
    def _data(self) -> Any:
        tracer = current_tracer()
        if tracer is not None:
            raise UnrecordedError(
                f"{tracer.here()}: this reads the numbers of a tensor that a trace computes, which no operator does: they would "
                "be constants of the trace; use functions of dy2st, or compile the function with script or to_static"
            )
        return _slot.__get__(self)

    @_data.setter
    def _data(self, data: Any) -> None:
        _slot.__set__(self, data)

    @property
    def shape(self) -> list:  # type: ignore[override]
        tracer = current_tracer()
        with dispatch.entered(EAGER):
            found = Tensor.shape.fget(self)  # type: ignore[attr-defined]
        return found if tracer is None else [TracedInt(n, tracer.length(self, axis)) for axis, n in enumerate(found)]

    def __copy__(self) -> Any:
        tracer = current_tracer()
        return _copied(self) if tracer is None else tracer.called(_copied, (self,), {})


def _copied(tensor: Tensor) -> Tensor:
    """What `copy.copy` makes of a Tensor: another one on the same memory."""
    return Tensor.__copy__(tensor)


def _read(plain: Callable) -> Callable:
    """A method that reads no numbers into what the function computes."""

    def method(self: Tensor, *args: Any) -> Any:
        with dispatch.entered(EAGER):
            return plain(self, *args)

    return method


def _asked(name: str, use: str) -> Callable:
    plain = getattr(Tensor, name)

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if current_tracer() is None:
            return plain(self, *args, **kwargs)
        warn_traced(
            f"{use} of a tensor: the trace takes the value that it has now for a constant, and may be wrong for other inputs"
        )
        if name == "__iter__":
            return plain(self)
        with dispatch.entered(EAGER):
            return plain(self, *args, **kwargs)

    return method


assert api.__name__  # which has attached the methods
for _name in ("is_staged", "static_shape", "dtype", "type"):
    setattr(TracedTensor, _name, property(_read(Tensor.__dict__[_name].fget)))
for _name in ("__repr__", "__str__", "__format__"):
    setattr(TracedTensor, _name, _read(getattr(Tensor, _name)))
for _name, _use in (
    ("__bool__", "bool(x), or a condition,"), ("__int__", "int(x)"), ("__float__", "float(x)"), ("__index__", "an index made"),
    ("item", "item()"), ("tolist", "tolist()"), ("numpy", "numpy()"), ("__len__", "len(x)"), ("__iter__", "iteration"),
    ("__complex__", "complex(x)"), ("__array__", "a NumPy function"), ("__contains__", "`in`"),
):  # fmt: skip
    setattr(TracedTensor, _name, _asked(_name, _use))


class Tracer(EagerMode):
    """Runs and records."""

    widens = False  # the modes in which it runs and records do

    def __init__(self, rec: Recorder, before: Before):
        self.tracer = self
        self._before = before
        self._recording = rec
        self._twins: dict[int, tuple[Tensor, Any]] = {}
        self._writes = 0  # how many tensors were written in place

    def here(self) -> Loc | None:
        """The line of the user's that runs."""
        return user_loc()

    def bind(self, definition: OpDef, operands: tuple, attrs: dict[str, Any]) -> Any:
        """Run one operator, and record it."""
        twins = [self.twin(x) for x in operands]
        staged_attrs = self.tree(attrs)
        self._writes += len(definition.mutates)
        for written in definition.mutates:
            self._before.keep_tensor(operands[written])
        with dispatch.entered(EAGER):
            result = definition(*map(_plain_tree, operands), **_plain_tree(attrs))
        with dispatch.entered(self._recording):
            staged = definition(*twins, **staged_attrs)
        return self.pair(result, staged)

    def call(self, function: Callable, method: str | None, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A public function is called, or a Tensor method: one that reads numbers itself is recorded as a whole."""
        before = self._writes
        try:
            with observing(None):
                return function(*args, **kwargs)
        except UnrecordedError:
            if self._writes != before:
                raise
        return self.called(function, args, kwargs)

    def call_layer(self, layer: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A Layer is called."""
        return layer._run(lambda function: function, args, kwargs)

    def called(self, function: Any, args: tuple, kwargs: dict) -> Any:
        """A compiled function is called: its control flow is recorded as it is, and it runs."""
        made: dict[int, Any] = {}
        with dispatch.entered(self._recording), observing(None):
            twins = [pytree.copied(part, pytree.is_no_container, self.twin, made) for part in (args, kwargs)]
            staged = function(*twins[0], **twins[1])
        self._keep_outside()
        with dispatch.entered(EAGER), observing(None):
            result = function(*_plain_tree(args), **_plain_tree(kwargs))
        with dispatch.entered(self._recording), observing(None):
            self._pair_changed([args, kwargs], twins)
            return self._number(result, staged) if isinstance(staged, Staged) else self.pair(result, staged)

    def _keep_outside(self) -> None:
        """What is recorded up to now may be written by a function that runs as a whole."""
        for tensor in self._recording.tensors.values():
            if tensor.stop_gradient:
                self._before.keep_tensor(tensor)
        for slot in self._recording.facts.state.values():
            self._before.keep_location(slot.location, slot.location.get())
        self._take_back()

    def _take_back(self) -> None:
        """What converted code has stored outside, and no Program holds, is stored by the run alone, and told."""
        facts = self._recording.facts
        for change in self._recording.journal.pending(1):
            location = change.location
            if location.key not in facts.state and change.before is not MISSING and facts.outlives(self._recording, location):
                warn_traced(f"{location} is assigned here, which a trace doesn't record: its calls find what is there now")
                self._before.keep_location(location, change.before)
                location.restore(change.before)

    def _pair_changed(self, given: Any, twins: Any) -> None:
        """The lists and dicts that a call was given hold what it left in them."""
        resolved = self._recording.heap.resolve(twins)
        if resolved is not twins:
            self.pair(given, resolved)
        elif not pytree.is_container(given):
            self.pair(given, twins)
        else:
            for (_, part), (_, twin) in zip(pytree.parts_of(given), pytree.parts_of(twins)):
                self._pair_changed(part, twin)

    def _number(self, value: Any, staged: Any) -> Any:
        """A Python value that a call gave, where the Program knows it: a length goes on being followed."""
        if type(value) is int:
            return TracedInt(value, staged)
        if isinstance(value, bool | float | str):
            warn_traced(f"a {type(value).__name__} that a compiled function gives: the trace takes it for a constant")
        return self.pair(value, staged)

    def apply(self, function: Callable, *values: Any) -> Any:
        """What a function gives of the twins."""
        with dispatch.entered(self._recording):
            return function(*map(self.twin, values))

    def length(self, tensor: Tensor, axis: int) -> Any:
        """The twin of a length."""
        return self.apply(lambda x: lookup("py.dim")(x, axis=axis), tensor)

    def twin(self, value: Any) -> Any:
        """What stands for a value in the recording: a Tensor from outside stands for itself."""
        if type(value) is TracedInt:
            return value.twin
        if isinstance(value, Tensor) and id(value) in self._twins:
            return self._twins[id(value)][1]
        return value

    def tree(self, value: Any) -> Any:
        """The twins in a structure."""
        return pytree.mapped(value, self._has_twin, self.twin)

    def _has_twin(self, value: Any) -> bool:
        return type(value) is TracedInt or (isinstance(value, Tensor) and id(value) in self._twins)

    def pair(self, value: Any, staged: Any) -> Any:
        """Remember that `staged` stands for `value`."""
        if isinstance(value, Tensor):
            if not value.is_staged and isinstance(staged, Tensor) and staged.is_staged:
                if type(value) is Tensor:
                    value.__class__ = TracedTensor
                self._twins[id(value)] = (value, staged)
        elif not isinstance(value, set | frozenset):
            for key, x in pytree.parts_of(value):  # the twin may be a list that only the Program knows
                self.pair(x, key.of(staged))
        return value

    def release(self) -> None:
        """The trace is over: its Tensors are ordinary ones."""
        for tensor, _ in self._twins.values():
            if type(tensor) is TracedTensor:
                tensor.__class__ = Tensor  # type: ignore[assignment]


def _plain_tree(value: Any) -> Any:
    return pytree.mapped(value, lambda x: type(x) is TracedInt, _plain)


def current_tracer() -> Tracer | None:
    """The tracer that is tracing, or None."""
    return dispatch.current_mode().tracer
