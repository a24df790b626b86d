"""What values are, as plain data that can be compared: results, and the state that a call leaves."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from enum import Enum
from functools import partial
from typing import Any

import numpy as np

import dy2st as paddle
from dy2st.runtime.heap.enum_members import Member

HIDDEN = {"_parameters", "_buffers", "_sub_layers"}
PLAIN = (str, bytes, type(None), type)


class Telling:
    """Tells values. exactly: numbers by their classes, objects by their identity too; else as results of a Program may be.

    A Program gives numbers back as tensors of Paddle's dtypes, and a loaded one knows no class of the user's.
    """

    def __init__(self, exactly: bool):
        self.exactly, self._seen, self._held = exactly, dict[int, int](), []

    def __call__(self, value: Any) -> Any:
        if isinstance(value, paddle.Tensor) and not self.exactly and value.ndim == 0:
            return _number(value.numpy().item())
        if isinstance(value, paddle.Tensor):
            return str(value.dtype).removeprefix("paddle."), value.numpy().tolist()
        if isinstance(value, Enum | Member):
            return type(value).__name__ if self.exactly else "member", value.name, value.value
        if isinstance(value, bool | int | float | np.generic):
            return (type(value).__name__, value) if self.exactly else _number(value)
        if isinstance(value, PLAIN):
            return value
        if callable(value) and not isinstance(value, paddle.nn.Layer) and not vars_of(value):
            return self._function(value)
        if isinstance(value, tuple):
            return self._name(value, tuple), [self(item) for item in value]
        if self.exactly and id(value) in self._seen:
            return "again", self._seen[id(value)]
        self._seen[id(value)] = len(self._seen)
        self._held.append(value)
        return self._object(value)

    def _function(self, value: Any) -> Any:
        if isinstance(value, partial):
            return "partial", self._function(value.func), self(value.args), self(value.keywords)
        cells = getattr(value, "__closure__", None) or ()
        return getattr(value, "__name__", "function"), [
            self(cell.cell_contents) for cell in cells if not callable(cell.cell_contents)
        ]

    def _object(self, value: Any) -> Any:
        if isinstance(value, partial):
            return self._function(value)
        name = self._name(value, list, dict, set, frozenset, OrderedDict, defaultdict, deque)
        shared = vars_of_class(type(value)) if self.exactly else {}
        fields = {key: self(held) for key, held in vars_of(value).items() if type(held) is not int or held != shared.get(key)}
        if isinstance(value, dict):
            items = (OrderedDict if isinstance(value, OrderedDict) else dict).items(value)
            return name, [(self(key), self(item)) for key, item in items], fields
        if isinstance(value, set | frozenset):
            return name, sorted(repr(self(item)) for item in value), fields
        if isinstance(value, list | deque):
            return name, [self(item) for item in (list if isinstance(value, list) else deque).__iter__(value)], fields
        return name, fields

    def _name(self, value: Any, *known: type) -> str:
        """The class, or, where a loaded Program may have told the result, Python's class that it derives from."""
        if self.exactly:
            return type(value).__name__
        return next((cls.__name__ for cls in reversed(known) if isinstance(value, cls)), "object")


def vars_of(value: Any) -> dict[str, Any]:
    """The attributes of an object, those in slots too, by name; of a layer, its tensors and parts as well."""
    found = {}
    for cls in type(value).__mro__:
        names = cls.__dict__.get("__slots__", ())
        found.update(
            {name: getattr(value, name) for name in ((names,) if isinstance(names, str) else names) if hasattr(value, name)}
        )
    found.update(getattr(value, "__dict__", {}))
    if isinstance(value, paddle.nn.Layer):
        own = [found[name] for name in sorted(HIDDEN)]
        found = {name: held for name, held in found.items() if not name.startswith("_") and name not in ("training", "forward")}
        for part in own:
            found.update(part)
    return dict(sorted(found.items(), key=lambda entry: entry[0]))


def vars_of_class(cls: type) -> dict[str, Any]:
    """The counters that a class has, or inherits: an object that has the same as its own can't be told from one that has none."""
    return {name: held for base in reversed(cls.__mro__) for name, held in vars(base).items() if type(held) is int}


def _number(value: Any) -> Any:
    return float(np.float32(value)) if isinstance(value, float | np.floating) else value


def state_of(model: Any, module: Any) -> dict[str, Any]:
    """What the model holds, and what its module's globals, classes and functions hold; one Telling, so that aliases show."""
    telling, found = Telling(exactly=True), {}
    for name, value in vars_of(model).items():
        found[name] = telling(value)
    for name, value in vars(module).items():
        if isinstance(value, list | dict | int) and not name.startswith("__"):
            found[name] = telling(value)
        elif getattr(value, "__module__", None) == module.__name__:
            found |= {
                f"{name}.{key}": held for key, held in vars(value).items() if type(held) is int and not key.startswith("_")
            }
    return found
