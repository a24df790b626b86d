"""How static functions are pickled: by name, as Python's functions are. Programs are staged anew where they arrive."""

from __future__ import annotations

import copy
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .descriptor import Descriptor


class Bound(dict):
    """The static functions that were bound to an instance: it binds them anew where it is unpickled."""

    def __reduce__(self) -> tuple:
        return Bound, ()

    def __deepcopy__(self, memo: dict) -> Bound:
        return Bound({key: copy.deepcopy(bound, memo) for key, bound in self.items()})


def reduced(static: Descriptor) -> Any:
    """What `__reduce__` gives for a static function. TypeError: a function without a source where it arrives."""
    function, owner = static._function, static._owner
    if function.__module__ == "__main__" and _asked_by_cloudpickle():
        raise TypeError(
            f"{function.__qualname__} is a static function of __main__, which the processes of joblib don't have, so that they "
            "find no source to stage: define it in a module, or give them what jit.load gives"
        )
    named = _found(function.__module__, function.__qualname__)
    if named is static:
        return function.__qualname__
    if owner is not None and _is_of_its_class(static):
        return getattr, (owner, function.__name__)
    leads_there = getattr(named, "_function", None) is function
    state = {"input_spec": static._input_spec, "owner": owner, "layer": static._layer, "passes": static.passes}
    return bare, (type(static), named if leads_there else function), {**state, "engine": static.engine.name}


def bare(kind: type[Descriptor], function: Any) -> Descriptor:
    """A static function whose owner is still to come. function: the plain one, or a static one of it."""
    made = kind.__new__(kind)
    made._function = getattr(function, "_function", function)
    return made


def _found(module: str, path: str) -> Any:
    """What a name leads to, as for pickle; None where it leads nowhere."""
    found = sys.modules.get(module)
    for step in path.split("."):
        found = getattr(found, step, None)
    return found


def _is_of_its_class(static: Descriptor) -> bool:
    """Whether the class of its owner has it, so that any instance gives one: no other was put into this one's place."""
    own = getattr(static._owner, "__dict__", {})
    return static._function.__name__ not in own and getattr(static._owner, static._function.__name__, None) is static


def _asked_by_cloudpickle() -> bool:
    """Whether functions of `__main__` are sent as code, since `__main__` of the other process is another module."""
    return "cloudpickle" in sys._getframe(3).f_globals.get("__name__", "")
