"""Values that mean the same outside of the recording: nothing in them is known only to the Program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import BuiltinMethodType, FunctionType, MethodType

from ... import pytree
from ...converted_code import is_converted
from ...pytree import attributes_of, is_container, module_of
from ..heap.heap import Heap
from ..heap.journal import Variable
from ..heap.staged_objects import is_staged_object
from ..library import Written
from ..recorder.keepers import kept_by
from ..recorder.recorder import Recorder
from ..tensors.tensor import Tensor

RUNTIME = __name__.rpartition(".stage")[0] + "."


def are_known(rec: Recorder, values: Iterable[object]) -> bool:
    """Whether staging knows some values, and all that they hold."""
    return not any(_is_unknown(rec.heap, part) for value in values for part in _parts(rec.heap, value))


def _is_unknown(heap: Heap, value: object) -> bool:
    """Whether a value means nothing outside of the recording."""
    if isinstance(value, Tensor):
        return value.is_staged
    is_ours = isinstance(value, Written) or module_of(type(value)).startswith(RUNTIME)
    return is_ours or is_staged_object(value) or heap.staged(value) is not None


def _parts(heap: Heap, value: object) -> Iterator[object]:
    """A value, and what the containers, objects and functions in it hold that the recording has made."""

    def inside(part: object) -> Iterable[object]:
        if is_container(part) and (part is value or heap.birth(part) is not None or isinstance(part, tuple)):
            return pytree.held_in(part)
        if pytree.is_object(part) and heap.birth(part) is not None and not is_staged_object(part):
            return attributes_of(part).values()
        return _held_by_function(part) or ([] if is_container(part) else _held_by_library(part))

    return pytree.nodes(value, inside)


def _held_by_function(value: object) -> list:
    """The values that a method, or a function made in converted code, holds."""
    if isinstance(value, MethodType):
        return [value.__self__, value.__func__]
    if isinstance(value, BuiltinMethodType):
        return [value.__self__]
    if isinstance(value, FunctionType) and is_converted(value.__code__):
        return [Variable(cell, "").get() for cell in value.__closure__ or ()]
    return []


def _held_by_library(value: object) -> list:
    """The values that an object of Python's library keeps, in a list or a dict of its own, too."""
    held: list[object] = []
    for part in kept_by(value):
        held.extend(part.values() if type(part) is dict else part if type(part) is list else [part])
    return held
