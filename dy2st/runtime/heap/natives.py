"""Between live Python values and the native form in which a Program runs (`ir.native`)."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from ... import pytree
from ...errors import EngineError
from ...ir.names import names_a_tuple
from ...ir.native import UNBOUND, Atom, Instance, Record
from ...ops.python.text import set_tensor_formatter
from ..library import PYTHONS
from ..pythons import NAMED, TEXTS, empty, fields_of, items_of
from ..tensors.tensor import Tensor
from .identity import identity
from .markers import Missing, Unbound

set_tensor_formatter(lambda array: repr(Tensor(array)))  # a Program prints tensors as eager code does


PLAIN = frozenset((bool, int, float, str, type(None)))  # their values are the same in both forms


class Mirror:
    """Live values and their native twins during one call: a container is one on both sides, and goes on being it afterwards.

    objects: the Python objects that the Program knows by a text; texts: their texts, by identity.
    """

    def __init__(self, objects: dict[str, Any], texts: dict[Any, str]):
        self.objects, self._texts = objects, texts
        self._natives: dict[int, tuple[Any, Any]] = {}  # id of a live object -> it, and its twin
        self.lives: dict[int, tuple[Any, Any]] = {}  # id of a twin -> it, and its live object
        self._classes = {PYTHONS.get(cls, cls): text[6:] for text, cls in objects.items() if text.startswith("class ")}

    def to_native(self, value: Any) -> Any:
        """The native form of a live value; an object of a class that the Program makes objects of becomes one of those."""
        if id(value) in self._natives:
            return self._natives[id(value)][1]
        if type(value) is list:
            if PLAIN.issuperset(map(type, value)):
                return self._twin(value, value.copy())
            made: Any = self._twin(value, [])
            made.extend(map(self.to_native, value))
            return made
        if type(value) is set:
            return self._twin(value, set(map(self.to_native, value)))
        if type(value) is dict:
            made = self._twin(value, {})
            made.update((self.to_native(k), self.to_native(v)) for k, v in value.items())
            return made
        if type(value) in TEXTS:
            made = self._twin(value, Instance(TEXTS[type(value)]))
            made.fields.update((k, self.to_native(v)) for k, v in fields_of(value).items())
            return made
        if type(value) in self._classes and (pytree.is_container(value) or identity(value) not in self._texts):
            made = self._twin(value, Instance(self._classes[type(value)]))
            fields = fields_of(value) if pytree.is_container(value) else pytree.attributes_of(value)
            made.fields.update((k, self.to_native(v)) for k, v in fields.items())
            return made
        return self._leaf(value)

    def _twin(self, value: Any, native: Any) -> Any:
        self._natives[id(value)] = (value, native)
        self.lives[id(native)] = (native, value)
        return native

    def _array_of(self, tensor: Tensor) -> np.ndarray:
        """Its array; a view of that where it is another Tensor's, too, so that each is told by its own."""
        array = tensor._data
        return array.view() if id(array) in self.lives else array

    def _leaf(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return self._twin(value, self._array_of(value))
        if isinstance(value, np.ndarray) or value is None or type(value) in (bool, int, float, str):
            return value
        if isinstance(value, np.generic):
            return np.asarray(value)
        if isinstance(value, tuple):
            parts = map(self.to_native, value)
            return Record.of(type(value).__name__, value._fields, parts) if hasattr(value, "_fields") else tuple(parts)
        if isinstance(value, Unbound | Missing):
            return UNBOUND
        return Atom(self._texts.get(identity(value), type(value).__qualname__))


class Revival:
    """Native values become live ones: arrays become Tensors; names become the objects in `objects`, or stand-ins of that name.

    One container stays one container, however many references there are; one that `mirror` has a live twin of becomes that.
    """

    def __init__(self, objects: dict[str, Any], tensor: Callable[[np.ndarray], Tensor] = Tensor, mirror: Mirror | None = None):
        self.objects, self.tensor = objects, tensor
        self._lives = {} if mirror is None else mirror.lives
        self._memo: dict[int, Any] = {}

    def __call__(self, value: Any) -> Any:
        """The live value for a native one."""
        if value is None or type(value) in (bool, int, float, str):
            return value
        if id(value) in self._memo:
            return self._memo[id(value)]
        if isinstance(value, np.ndarray):
            _, live = self._lives.get(id(value), (None, None))
            return self._keep(value, self.tensor(value) if live is None else live)
        if type(value) in (list, dict, set, Instance):
            return self._container(value)
        if isinstance(value, Record):
            cls = self.objects.get(f"tuple {value.name}") or _made_namedtuple(value.name, value.fields)
            return cls(*map(self, value))
        if isinstance(value, tuple):
            return tuple(map(self, value))
        if isinstance(value, np.generic):
            return self.tensor(np.asarray(value))
        if isinstance(value, BaseException):
            self._keep(value, value)
            return revive_error(value, self)
        if isinstance(value, Atom):
            return self.objects.get(value.text, value)
        return Unbound("") if value is UNBOUND else value

    def _keep(self, value: Any, live: Any) -> Any:
        self._memo[id(value)] = live
        return live

    def _container(self, value: Any) -> Any:
        if isinstance(value, Instance) and value.text in self.objects:
            return self.objects[value.text]
        _, live = self._lives.get(id(value), (None, None))
        if isinstance(value, Instance) and self._is_subclass(value):
            return self._subclass(value, live)
        live = self._keep(value, self._new(value) if live is None else live)
        if isinstance(value, Instance) and value.cls not in NAMED:
            pytree.replace_attributes(live, self._items(value.fields))
        else:
            pytree.refill(live, self._items(items_of(value) if isinstance(value, Instance) else value))
        return live

    def _items(self, held: Any) -> Any:
        """What a native container holds, as live values."""
        if isinstance(held, dict):
            return {self(k): self(v) for k, v in held.items() if v is not UNBOUND}
        return held if PLAIN.issuperset(map(type, held)) else [*map(self, held)]

    def _is_subclass(self, value: Instance) -> bool:
        """Whether an object is a container of a subclass of the user's; nobody here may know the class."""
        cls = self._user_class(value)
        return "_items" in value.fields and value.cls not in NAMED and (cls is None or pytree.base_of(cls) is not None)

    def _user_class(self, value: Instance) -> Any:
        cls: Any = self.objects.get(f"class {value.cls}")
        return PYTHONS.get(cls, cls)

    def _subclass(self, value: Instance, live: Any) -> Any:
        """A container of a subclass of the user's; where nobody here knows the class, one of Python's own with its items."""
        held, cls = value.fields["_items"], self._user_class(value)
        if cls is None:
            return self._keep(value, self(held))
        if pytree.is_frozen(cls):
            state = {name: self(field) for name, field in value.fields.items() if name != "_items"}
            return self._keep(value, pytree.built(cls, self._items(held), state))
        if live is None:
            names = pytree.settings_of(cls)
            live = pytree.built(cls, (), {name: self(field) for name, field in value.fields.items() if name in names})
        self._keep(value, live)
        pytree.refill(live, self._items(held))
        pytree.replace_state(live, self._items({name: part for name, part in value.fields.items() if name != "_items"}))
        return live

    def _new(self, value: Any) -> Any:
        if not isinstance(value, Instance):
            return type(value)()
        if value.cls in NAMED:
            return empty(NAMED[value.cls], {name: self(field) for name, field in value.fields.items() if name != "_items"})
        cls = self._user_class(value)
        return SimpleNamespace() if cls is None else object.__new__(cls)


def _made_namedtuple(name: str, fields: tuple[str, ...]) -> type:
    """A class of these names, where nobody here knows it. EngineError: a file, where no type tells the names, tells others."""
    if not names_a_tuple(name, fields):
        raise EngineError(f"no namedtuple can be called {name[:60]!r} with these {len(fields)} fields")
    return namedtuple(name, fields)  # type: ignore[misc]


def revive_error(error: BaseException, revived: Revival) -> BaseException:
    """Let an exception that leaves a Program carry tensors where plain Python's would."""
    error.args = revived(error.args)
    for link in (error.__cause__, error.__context__):
        if link is not None and any(isinstance(x, np.ndarray) for x in (*link.args, *vars(link).values())):
            revived(link)
    vars(error).update({name: revived(value) for name, value in vars(error).items() if isinstance(value, np.ndarray)})
    return error
