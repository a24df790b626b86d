"""Containers of the user's subclasses that are state: whoever uses one while staging uses what stands for it.

The object stays where it is, under all its names; meanwhile its class is one that derives from the user's and asks the stand-in.
"""

from __future__ import annotations

from types import FunctionType

from ..library import base_of, twin_of
from .recording import recording

# The user's classes by the ids of those that ask the stand-ins: a metaclass may take the hash of a class away.
_user_classes: dict[int, type] = {}
_redirecting: dict[type, type] = {}


def redirect(obj: object) -> None:
    """From now on, what stands for an object is asked in its place."""
    cls = type(obj)
    if cls not in _redirecting:
        _redirecting[cls] = _class_for(cls)
        _user_classes[id(_redirecting[cls])] = cls
    object.__setattr__(obj, "__class__", _redirecting[cls])


def give_back(obj: object) -> None:
    """From now on, an object speaks for itself again."""
    if id(type(obj)) in _user_classes:
        object.__setattr__(obj, "__class__", _user_classes[id(type(obj))])


def is_redirected(obj: object) -> bool:
    """Whether something else stands for an object from outside."""
    return id(type(obj)) in _user_classes


def outside_class(obj: object) -> type:
    """The class of an object from outside, as the user knows it."""
    return _user_classes.get(id(type(obj)), type(obj))


def _class_for(cls: type) -> type:
    twin, base = twin_of(cls), base_of(cls)
    assert twin is not None and base is not None
    special = [name for name in dir(twin) if name.startswith("__") and isinstance(getattr(twin, name), FunctionType)]
    methods = {name: _asking(name) for name in special if getattr(object, name, None) is not getattr(cls, name, None)}
    hooks = {"__getattribute__": _load, "__setattr__": _store, "__delattr__": _delete}
    return type(cls.__name__, (cls,), {"__slots__": (), "__module__": cls.__module__, **methods, **hooks})


def _stand_in(obj: object) -> object:
    rec = recording()
    return None if rec is None else rec.heap.staged(obj)


def _asking(name: str) -> object:
    def method(self: object, *args: object, **kwargs: object) -> object:
        found = _stand_in(self)
        if found is None:
            return getattr(super(type(self), self), name)(*args, **kwargs)
        return getattr(type(found), name)(found, *args, **kwargs)

    return method


def _load(obj: object, name: str) -> object:
    if name == "__class__":
        return _user_classes[id(type(obj))]
    found = _stand_in(obj)
    return object.__getattribute__(obj, name) if found is None or name == "__dict__" else getattr(found, name)


def _store(obj: object, name: str, item: object) -> None:
    found = _stand_in(obj)
    object.__setattr__(obj, name, item) if found is None else setattr(found, name, item)


def _delete(obj: object, name: str) -> None:
    found = _stand_in(obj)
    object.__delattr__(obj, name) if found is None else delattr(found, name)
