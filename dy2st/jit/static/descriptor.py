"""A function that stands in the place of a plain one: in a class, in an instance, and in copies of that."""

from __future__ import annotations

import copy
import types
import weakref
from typing import Any

from ...runtime.engines import NUMPY, Engine, engine_named
from ...runtime.heap.staged_objects import is_staged_object
from ...runtime.recorder.recorder import current_recorder
from .pickling import Bound, reduced

METHODS = "__dy2st_static__"  # in an instance: the static functions of its class, bound to it, by their plain function


class Descriptor:
    """What Python sees of a static function: it is bound as a method is, copied with its owner, and can be taken back.

    function: the plain function; owner: the object it is a method of, or None; input_spec: InputSpecs for its leading parameters.
    layer: the Layer that runs it between its hooks, or None. passes: the names of passes that its Programs go through first.
    engine: what runs them.

    It holds its owner, as a bound method does, so that `to_static(Net()).forward` works where the layer has no other name. A
    converted layer is a cycle thereby, which Python's collector frees; `rollback` undoes it.
    """

    passes: tuple[str, ...] = ()
    engine: Engine = NUMPY

    def __init__(self, function: Any, input_spec: Any, owner: Any, layer: Any = None):
        self._function, self._input_spec, self._owner, self._layer = function, input_spec, owner, layer
        self._instances: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """As a decorated method: each instance has its own Programs, and holds them, so that they go when it does."""
        if instance is None:
            return self
        rec = current_recorder()
        if rec is not None and (is_staged_object(instance) or rec.heap.birth(instance) is not None):
            return types.MethodType(self._function, instance)
        own = None if isinstance(instance, type) else getattr(instance, "__dict__", None)  # a class: @classmethod over it
        bounds: Any = self._instances if own is None else own.setdefault(METHODS, Bound())
        key = instance if own is None else self._function
        if key not in bounds:
            bounds[key] = self._of(instance, self._input_spec)
        return bounds[key]

    def __deepcopy__(self, memo: dict) -> Any:
        """A copy of the model has its own forward: the plain method of the copy, to be staged anew."""
        owner = memo.get(id(self._owner)) if self._owner is not None else None
        return self._of(owner if owner is not None else self._owner, copy.copy(self._input_spec))

    def with_specs(self, input_spec: Any) -> Any:
        """The same function of the same object, which is staged anew. input_spec: as for `to_static`."""
        return self._of(self._owner, input_spec)

    def _of(self, owner: Any, input_spec: Any) -> Any:
        """The same function as a method of another object."""
        made = type(self)(self._function, input_spec, owner)
        made.passes, made.engine = self.passes, self.engine
        return made

    def __reduce__(self) -> Any:
        """By name, where one leads to it, or as an attribute of its owner; else by its plain function. Programs stay here."""
        return reduced(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        engine = state.pop("engine")
        self.__init__(self._function, state["input_spec"], state["owner"])  # type: ignore[misc]
        self._layer, self.passes, self.engine = state["layer"], state["passes"], engine_named(engine)

    @property
    def dygraph_function(self) -> Any:
        """The plain function, or the plain bound method; the layer, where its hooks are part of it."""
        if self._layer is not None:
            return self._layer
        return self._function if self._owner is None else types.MethodType(self._function, self._owner)

    def rollback(self) -> Any:
        """Give the plain function back, which its owner has from then on: a layer as `forward`, an object as its method."""
        owner, name = self._owner, self._function.__name__
        own = getattr(owner, "__dict__", {})
        if own.get(name) is self:
            del own[name]
        elif own.get(METHODS, {}).get(self._function) is self:
            own[name] = self.dygraph_function
        return self.dygraph_function
