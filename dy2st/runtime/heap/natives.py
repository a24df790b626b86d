"""Between live Python values and the native form in which a Program runs (`ir.native`)."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Collection, Hashable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import TypeGuard, TypeVar

import numpy as np

from ... import pytree
from ...errors import ConversionError, EngineError
from ...ir.names import names_a_tuple
from ...ir.native import TYPES, UNBOUND, Atom, Instance, Record, fill, parts
from ...ops.python.text import set_tensor_formatter
from ...undo import UndoLog
from ..library import PYTHONS, DictView, Kept, taken_apart
from ..pythons import NAMED, TEXTS, empty, fields_of, held, items_of
from ..tensors.foreign import array_of
from ..tensors.tensor import Tensor
from ..tensors.value_types import Array
from .enum_members import is_member, stand_in
from .identity import identity, is_kept, known_class
from .markers import Missing, Unbound

set_tensor_formatter(lambda array: repr(Tensor(array)))  # a Program prints tensors as eager code does


Native = TypeVar("Native")
VIEWS = frozenset(python for written, python in PYTHONS.items() if issubclass(written, DictView))
NONE = (None, None)
PLAIN = frozenset((bool, int, float, str, type(None)))  # their values are the same in both forms


class Mirror:
    """Live values and their native twins during one call: a container is one on both sides, and goes on being it afterwards.

    objects: the Python objects that the Program knows by a text; texts: their texts, by identity.
    """

    def __init__(self, objects: Mapping[str, object], texts: Mapping[Hashable, str]):
        self.objects, self._texts = objects, texts
        self._natives: dict[int, tuple[object, object]] = {}  # id of a live object -> it, and its twin
        self.lives: dict[int, tuple[object, object]] = {}  # id of a twin -> it, and its live object
        classes = [(text, cls) for text, cls in objects.items() if text.startswith("class ") and isinstance(cls, type)]
        self._classes = {PYTHONS.get(cls, cls): text[6:] for text, cls in classes}
        self._tuples = {cls: text[6:] for text, cls in objects.items() if text.startswith("tuple ")}

    def to_native(self, value: object) -> object:
        """The native form of a live value; an object of a class that the Program makes objects of becomes one of those."""
        if id(value) in self._natives:
            return self._natives[id(value)][1]
        kind = type(value)
        if kind in TYPES:
            held = parts(value)
            if PLAIN.issuperset(map(type, held)):
                return self._twin(value, value.copy())  # type: ignore[attr-defined]
            native = self._twin(value, kind())
            fill(native, value, [*map(self.to_native, held)])
            return native
        if kind in TEXTS or kind in self._classes and (pytree.is_container(value) or identity(value) not in self._texts):
            made = self._twin(value, Instance(TEXTS.get(kind) or self._classes[kind]))
            fields = fields_of(value) if pytree.is_container(value) else pytree.attributes_of(value)
            made.fields.update((k, self.to_native(v)) for k, v in fields.items())
            return made
        if is_kept(value, self._texts) and (found := taken_apart(value)) is not None and found[0] in self._classes:
            made = self._twin(value, Instance(self._classes[found[0]]))
            made.fields.update((k, self.to_native(v)) for k, v in found[1].items())
            return made
        return self._leaf(value)

    def _twin(self, value: object, native: Native) -> Native:
        self._natives[id(value)] = (value, native)
        self.lives[id(native)] = (native, value)
        return native

    def _array_of(self, tensor: Tensor) -> object:
        """Its array; a view of that where it is another Tensor's, too, so that each is told by its own."""
        array = tensor._data
        return array.view() if id(array) in self.lives else array

    def _leaf(self, value: object) -> object:
        if isinstance(value, Tensor):
            return self._twin(value, self._array_of(value))
        if isinstance(value, np.ndarray | np.generic):
            return self._twin(value, np.asarray(value) if id(value) not in self.lives else value.view())
        if value is None or type(value) in (bool, int, float, str):
            return value
        if isinstance(value, tuple):
            natives = map(self.to_native, value)
            name = self._tuples.get(type(value), type(value).__name__)
            return Record.of(name, value._fields, natives) if hasattr(value, "_fields") else tuple(natives)
        if isinstance(value, Unbound | Missing):
            return UNBOUND
        if (array := array_of(value)) is not None:
            return self._twin(value, array)
        return Atom(self._texts.get(identity(value), type(value).__qualname__))


class Revival:
    """Native values become live ones: arrays become Tensors; names become the objects in `objects`, or stand-ins of that name.

    One container stays one container, however many references there are; one that `mirror` has a live twin of becomes that.
    undo: gets the steps that restore those live twins.
    """

    def __init__(
        self, objects: Mapping[str, object], tensor: Callable[[Array], Tensor] = Tensor, mirror: Mirror | None = None,
        undo: UndoLog | None = None,
    ):
        self.objects, self.tensor = objects, tensor
        self._lives = {} if mirror is None else mirror.lives
        self.undo = undo  # gets the steps that restore the live containers and objects which this fills anew
        self._memo: dict[int, object] = {}

    def __call__(self, value: object) -> object:
        """The live value for a native one."""
        if type(value) in PLAIN:
            return value
        if id(value) in self._memo:
            return self._memo[id(value)]
        if isinstance(value, np.ndarray | Tensor):
            live = self._lives.get(id(value), NONE)[1]
            made = self.tensor(value) if isinstance(value, np.ndarray) else value  # on the tape
            return self._keep(value, made if live is None else live)
        if _is_container(value):
            return self._container(value)
        if isinstance(value, Record):
            cls = known_class(self.objects, f"tuple {value.name}") or _made_namedtuple(value.name, value.fields)
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

    def let_go(self) -> None:
        """The containers and objects that the Program was given and holds no longer: it may have changed them before."""
        for native, _ in [*self._lives.values()]:
            if _is_container(native):
                self(native)

    def _keep(self, value: object, live: Native) -> Native:
        self._memo[id(value)] = live
        return live

    def _container(self, value: Collection | Instance) -> object:
        if isinstance(value, Instance) and value.text in self.objects:
            return self.objects[value.text]
        _, live = self._lives.get(id(value), (None, None))
        if isinstance(value, Instance) and (cls := self._user_class(value)) is not None and issubclass(cls, Kept):
            return self._keep(value, cls.__made__(self._entries(value.fields)) if live is None else live)
        if isinstance(value, Instance) and self._is_subclass(value):
            return self._subclass(value, live)
        if isinstance(value, Instance) and is_member(value.fields):
            return self._keep(value, stand_in(value.cls, self._entries(value.fields)))
        live = self._keep(value, self._new(value) if live is None else self._noted(live))
        if not isinstance(value, Instance):
            pytree.refill(live, self._items(value))
        elif value.cls in NAMED:
            pytree.refill(live, self._items(items_of(value)))
            if pytree.has_attributes(type(live)):
                pytree.replace_attributes(live, self._entries(_besides(value, "_items")))
        else:
            pytree.replace_attributes(live, self._entries(value.fields))
        return live

    def _noted(self, live: Native) -> Native:
        """A live container or object, which is about to be filled anew; what it holds is noted."""
        if self.undo is not None:
            if pytree.has_attributes(type(live)):
                self.undo.note(partial(pytree.replace_state, live, pytree.state_of(live)))
            if pytree.is_container(live):
                self.undo.note(partial(pytree.refill, live, held(live)))
        return live

    def _entries(self, held: dict[Native, object]) -> dict:
        """What a native dict, or the fields of an object, holds, as live values."""
        return {self(k): self(v) for k, v in held.items() if v is not UNBOUND}

    def _items(self, held: Collection) -> Collection:
        """What a native container holds, as live values."""
        if isinstance(held, dict):
            return self._entries(held)
        return held if PLAIN.issuperset(map(type, held)) else [*map(self, held)]

    def _is_subclass(self, value: Instance) -> bool:
        """Whether an object is a container of a subclass of the user's; nobody here may know the class."""
        cls = self._user_class(value)
        return "_items" in value.fields and value.cls not in NAMED and (cls is None or pytree.base_of(cls) is not None)

    def _user_class(self, value: Instance) -> type | None:
        cls = known_class(self.objects, f"class {value.cls}")
        return cls and PYTHONS.get(cls, cls)

    def _subclass(self, value: Instance, live: object) -> object:
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
        else:
            self._noted(live)
        self._keep(value, live)
        pytree.refill(live, self._items(held))
        pytree.replace_state(live, self._entries(_besides(value, "_items")))
        return live

    def _new(self, value: Collection | Instance) -> object:
        if not isinstance(value, Instance):
            return type(value)()
        if value.cls in NAMED:
            return empty(NAMED[value.cls], {name: self(field) for name, field in value.fields.items() if name != "_items"})
        cls = self._user_class(value)
        if cls in VIEWS:
            raise ConversionError("a view of a dict is kept where it outlives the call; keep list(...) of it, or the dict")
        return SimpleNamespace() if cls is None else pytree.bare(cls)


def _is_container(value: object) -> TypeGuard[Collection | Instance]:
    return type(value) in (list, dict, set, Instance)


def _made_namedtuple(name: str, fields: tuple[str, ...]) -> type:
    """A class of these names, where nobody here knows it. EngineError: a file, where no type tells the names, tells others."""
    if not names_a_tuple(name, fields):
        raise EngineError(f"no namedtuple can be called {name[:60]!r} with these {len(fields)} fields")
    return namedtuple(name, fields)  # type: ignore[misc]  # mypy wants the names in the source


def revive_error(error: BaseException, revived: Revival) -> BaseException:
    """Let an exception that leaves a Program carry tensors where plain Python's would."""
    error.args = tuple(map(revived, error.args))
    for link in (error.__cause__, error.__context__):
        if link is not None and (_native_attributes(link) or any(map(_holds_natives, link.args))):
            revived(link)
    vars(error).update({name: revived(value) for name, value in _native_attributes(error).items()})
    return error


def _native_attributes(error: BaseException) -> dict[str, object]:
    """The attributes of an exception that may hold native values."""
    own = {name: value for name, value in vars(error).items() if name not in ("__notes__", "dy2st_loc")}
    return {name: value for name, value in own.items() if _holds_natives(value)}


def _holds_natives(value: object) -> bool:
    return isinstance(value, np.ndarray | tuple) or _is_container(value)


def _besides(value: Instance, field: str) -> dict:
    """The fields of a native object but for one."""
    return {name: part for name, part in value.fields.items() if name != field}
