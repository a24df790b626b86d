"""What a Python value is made of: a pytree registry, with one row for each class of container.

A row says what the parts of a value are, under which keys, and how a value of the same class is made of other parts. It holds
for subclasses, too, with the attributes that they add. Whatever walks a value asks here: arguments, guards, results, state.

    >>> from dy2st.pytree import parts_of, rebuilt
    >>> parts_of({"w": 1, "b": [2]})
    [(ItemKey(key='w'), 1), (ItemKey(key='b'), [2])]
    >>> rebuilt((1, 2), [3, 4])
    (3, 4)

The idea and the word are JAX's (`jax.tree_util`).
"""

from __future__ import annotations

from abc import ABCMeta
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import is_dataclass
from functools import cache
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary, ref

PACKAGE = __name__.partition(".")[0]
_BY_STATEMENT = 1 << 9  # the flag Py_TPFLAGS_HEAPTYPE of a class
Leaf = Callable[[Any], bool]


class ItemKey(NamedTuple):
    """The place of a part that is read by `value[key]`."""

    key: Any

    def of(self, value: Any) -> Any:
        """The part of a value that is at this place."""
        return value[self.key]


class FieldKey(NamedTuple):
    """The place of a part that is read by `value.name`."""

    name: str

    def of(self, value: Any) -> Any:
        """The part of a value that is at this place."""
        return getattr(value, self.name)


Key = ItemKey | FieldKey


class Kind(NamedTuple):
    """One row: a class of containers.

    contents: the keys and the items of a value, without the attributes of a subclass. make: a value of a class from its keys, its
    items and its settings. key: how an item is read. settings: the attributes that decide how such a value behaves.
    """

    contents: Callable[[Any], tuple[Any, list]]
    make: Callable[..., Any]
    key: type[ItemKey] | type[FieldKey] = ItemKey
    settings: tuple[str, ...] = ()


def _sequence(value: Any) -> tuple[Any, list]:
    items = list(base_of(type(value)).__iter__(value))
    return range(len(items)), items


def _record(value: Any) -> tuple[Any, list]:
    return value._fields, list(tuple.__iter__(value))


def _mapping(value: Any) -> tuple[Any, list]:
    if not isinstance(value, OrderedDict):
        return list(dict.__iter__(value)), list(dict.values(value))  # which asks no key for its hash
    keys = list(OrderedDict.__iter__(value))
    return keys, [dict.__getitem__(value, key) for key in keys]


def _set(value: Any) -> tuple[Any, list]:
    items = list(base_of(type(value)).__iter__(value))
    return frozenset(items), items


def _slice(value: slice) -> tuple[Any, list]:
    return ("start", "stop", "step"), [value.start, value.stop, value.step]


def _nothing(value: Any) -> tuple[Any, list]:
    return (), []


def _new_list(cls: type, keys: Any, items: list) -> Any:
    made: Any = list.__new__(cls)
    list.extend(made, items)
    return made


def _new_tuple(cls: type, keys: Any, items: list) -> Any:
    return _written_in_c(cls).__new__(cls, items)


@cache
def _written_in_c(cls: type) -> Any:
    """The nearest base of a class of tuples that isn't made by a class statement: time.struct_time has a `__new__` of its own."""
    return next(base for base in cls.__mro__ if not base.__flags__ & _BY_STATEMENT)


def _new_dict(cls: type, keys: Any, items: list, *factory: Any) -> Any:
    made = base_of(cls).__new__(cls)
    _store_items(made, dict(zip(keys, items)))
    if factory:
        (made.default_factory,) = factory
    return made


def _new_deque(cls: type, keys: Any, items: list, maxlen: int | None) -> Any:
    made: Any = deque.__new__(cls)
    deque.__init__(made, items, maxlen)
    return made


def _new_set(cls: type, keys: Any, items: list) -> Any:
    made: Any = set.__new__(cls)
    set.update(made, items)
    return made


_MAPPING = Kind(_mapping, _new_dict)
_OBJECT = Kind(_nothing, lambda cls, keys, items: bare(cls))
_RECORD = Kind(_record, _new_tuple, FieldKey)
_ROWS: dict[type, Kind] = {
    list: Kind(_sequence, _new_list),
    tuple: Kind(_sequence, _new_tuple),
    dict: _MAPPING,
    OrderedDict: _MAPPING,
    Counter: _MAPPING,
    defaultdict: Kind(_mapping, _new_dict, settings=("default_factory",)),
    deque: Kind(_sequence, _new_deque, settings=("maxlen",)),
    set: Kind(_set, _new_set),
    frozenset: Kind(_set, lambda cls, keys, items: frozenset.__new__(cls, items)),
    slice: Kind(_slice, lambda cls, keys, items: slice(*items), FieldKey),
}
_HEAP_TYPE = 1 << 9  # the flag of classes that a class statement has made
_BARE = {cls for cls in _ROWS if not cls.__dictoffset__}  # which have no attributes
_ROWED = (list, tuple, set, frozenset)  # which iterate over nothing but their items, and are made of them
_NO_CONTAINERS = (type, ModuleType, FunctionType, BaseException, str, bytes, int, float, complex)
_lasting: dict[type, Kind | None] = dict(_ROWS)  # of classes that last as long as the process
_kinds: WeakKeyDictionary[type, Kind | None] = WeakKeyDictionary()  # of the user's
_slotless: dict[int, ref] = {}  # by their ids, the classes that define no slot


def kind_of(value: Any) -> Kind | None:
    """The row of a value's class; None for what has no parts."""
    cls = type(value)
    try:
        return _lasting[cls] if cls in _lasting else _kind_of_other(cls)
    except TypeError:  # a metaclass may take the hash away
        return _kind_of_class(cls)


def _kind_of_other(cls: type) -> Kind | None:
    """The same of a class that isn't known to last."""
    if cls in _kinds:
        return _kinds[cls]
    kind = _kind_of_class(cls)
    (_lasting if module_of(cls).partition(".")[0] in ("builtins", PACKAGE) else _kinds)[cls] = kind
    return kind


def contents_of(value: Any) -> tuple[Any, list]:
    """The keys and the items of a container, without the attributes of a subclass."""
    kind = kind_of(value)
    return _nothing(value) if kind is None else kind.contents(value)


def held_in(value: Any) -> list[Any]:
    """What a container holds, the keys of a dict included, the attributes of a subclass not; nothing for what is none."""
    cls = type(value)
    if cls in _ROWED:
        return list(value)
    if kind_of(value) is None:
        return []
    keys, items = contents_of(value)
    return [*keys, *items] if issubclass(cls, dict) else items  # a weak proxy may be dead


def parts_of(value: Any) -> list[tuple[Key, Any]]:
    """The parts of a value with their keys: items first, then attributes; none where `kind_of` is None."""
    kind = kind_of(value)
    if kind is None:
        return []
    keys, items = kind.contents(value)
    if kind.contents is _set:
        keys = items
    parts: list[tuple[Key, Any]] = [(kind.key(key), item) for key, item in zip(keys, items)]
    return parts if type(value) in _BARE else parts + [(FieldKey(name), part) for name, part in attributes_of(value).items()]


def items_of(value: Any) -> list[Any]:
    """The parts of a value, without their keys; none where `kind_of` is None."""
    if type(value) in _ROWED:
        return list(value)
    if type(value) is dict:
        return list(value.values())
    kind = kind_of(value)
    if kind is None:
        return []
    items = kind.contents(value)[1]
    return items if type(value) in _BARE else [*items, *attributes_of(value).values()]


def rebuilt(value: Any, parts: Iterable[Any]) -> Any:
    """A new value like this one, of its class, with other parts in the order of `parts_of`; no code of the user's runs."""
    if type(value) in _ROWED:
        return type(value)(parts)
    if type(value) is dict:
        return dict(zip(value, parts))
    kind, parts = kind_of(value), list(parts)
    assert kind is not None
    keys, items = kind.contents(value)
    made = kind.make(type(value), keys, parts[: len(items)], *_settings(kind, value))
    if type(value) not in _BARE:
        set_attributes(made, dict(zip(attributes_of(value), parts[len(items) :])))
    return made


def built(cls: type, items: Any, attributes: dict[str, Any]) -> Any:
    """A value of a container's class from its items, as a dict or in a row, and from its settings and attributes."""
    kind = _kind_of_class(cls)
    assert kind is not None
    keys, values = (list(items), list(items.values())) if isinstance(items, dict) else (range(len(items)), list(items))
    made = kind.make(cls, keys, values, *(attributes.get(name) for name in kind.settings))
    set_attributes(made, {name: part for name, part in attributes.items() if name not in kind.settings})
    return made


def refill(value: Any, items: Any) -> None:
    """Let a list, deque, dict or set hold these items and nothing else; no method of a subclass is asked."""
    base = base_of(type(value))
    base.clear(value)
    if isinstance(value, dict):
        _store_items(value, items)
    elif isinstance(value, set):
        set.update(value, items)
    else:
        base.extend(value, items)


def _store_items(value: dict, items: dict) -> None:
    store = OrderedDict.__setitem__ if isinstance(value, OrderedDict) else dict.__setitem__
    for key, item in items.items():
        store(value, key, item)


def setting_of(value: Any) -> tuple:
    """What decides how a container behaves, and is no part of it: its class, a deque's `maxlen`, a defaultdict's factory."""
    kind = kind_of(value)
    return (type(value), *(() if kind is None else _settings(kind, value)))


def state_of(value: Any) -> dict[str, Any]:
    """The settings and the attributes of a container: all that it is besides its items."""
    kind = kind_of(value)
    settings = () if kind is None else kind.settings
    return {**{name: getattr(value, name) for name in settings}, **attributes_of(value)}


def settings_of(cls: type) -> tuple[str, ...]:
    """The attributes that decide how a container of a class behaves, and that its maker takes."""
    kind = _kind_of_class(cls)
    return () if kind is None else kind.settings


def replace_state(value: Any, state: dict[str, Any]) -> None:
    """Let a container have these settings and attributes, and no others; a deque's `maxlen` is what it was made with."""
    names = settings_of(type(value))
    replace_attributes(value, {name: part for name, part in state.items() if name not in names})
    if "default_factory" in names:
        value.default_factory = state.get("default_factory")


def _settings(kind: Kind, value: Any) -> list:
    return [getattr(value, name) for name in kind.settings]


def bare(cls: type) -> Any:
    """An object of a class, without attributes; no method of the user's runs."""
    pythons: Any = next(base for base in cls.__mro__ if not base.__flags__ & _HEAP_TYPE)
    return pythons.__new__(cls)


def is_laid_out_in_c(cls: type) -> bool:
    """Whether objects of a class hold more than attributes: what C keeps in a buffer, a lock or an exception."""
    written = [vars(base).get("__slots__", ()) for base in cls.__mro__]
    names = [name for part in written for name in ([part] if isinstance(part, str) else part)]
    slots = sum(name not in ("__dict__", "__weakref__") for name in names)
    own = sum(offset > 0 for offset in (cls.__dictoffset__, cls.__weakrefoffset__))
    return cls.__basicsize__ > object.__basicsize__ + tuple.__itemsize__ * (slots + own)


def has_attributes(cls: type) -> bool:
    """Whether a container of this class may have attributes besides its items and settings."""
    return cls not in _BARE


def namespace_of(value: Any) -> Any:
    """The `__dict__` of an object, or an empty dict; no `__getattribute__` of the user's is asked, which may change something."""
    cls: Any = type(value)
    own = cls.__getattribute__
    if not isinstance(own, FunctionType) or own.__module__.partition(".")[0] == PACKAGE:
        return getattr(value, "__dict__", {})
    past = type if issubclass(cls, type) else object
    try:
        return past.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes that an object holds itself, in slots and in its `__dict__`."""
    found = dict(namespace_of(value))
    slots = slots_of(type(value))
    return {**{name: slot.__get__(value) for name, slot in slots if _is_set(slot, value)}, **found} if slots else found


def set_attributes(value: Any, attributes: dict[str, Any]) -> None:
    """Let an object hold these attributes; no `__setattr__` of its class runs."""
    slots = dict(slots_of(type(value)))
    for name, part in attributes.items():
        if name in slots:
            slots[name].__set__(value, part)
        else:
            value.__dict__[name] = part


def replace_attributes(value: Any, attributes: dict[str, Any]) -> None:
    """Let an object hold these attributes and no others."""
    for name, slot in slots_of(type(value)):
        if name not in attributes and _is_set(slot, value):
            slot.__delete__(value)
    getattr(value, "__dict__", {}).clear()
    set_attributes(value, attributes)


def is_container(value: Any) -> bool:
    """Whether a value holds items: a list, a dict and the like, or an object of a class that derives from one."""
    kind = kind_of(value)
    return kind is not None and kind is not _OBJECT


def is_no_container(value: Any) -> bool:
    """Whether a value is no container: a leaf of most trees."""
    return not is_container(value)


def is_unordered(value: Any) -> bool:
    """Whether a value has no items in an order: a set, or no container."""
    cls = type(value)
    kind = _lasting[cls] if cls in _lasting else _kind_of_other(cls)
    return kind is None or kind is _OBJECT or kind.contents is _set


def is_frozen(cls: type) -> bool:
    """Whether the containers of a class hold what they were made with."""
    return base_of(cls) in (tuple, frozenset)


def is_object(value: Any) -> bool:
    """Whether a value is an object of a class of the user's, all of whose parts are attributes."""
    return kind_of(value) is _OBJECT


def holds_leaf(tree: Any, is_leaf: Leaf) -> bool:
    """Whether a leaf is in a tree."""
    return next(walk(tree, is_leaf), None) is not None


def mapped(tree: Any, is_leaf: Leaf, function: Callable[[Any], Any]) -> Any:
    """The same structure with `function(leaf)` for each leaf; what holds no leaf stays the object that it is."""
    if is_leaf(tree):
        return function(tree)
    if not holds_leaf(tree, is_leaf):
        return tree
    return rebuilt(tree, [mapped(part, is_leaf, function) for part in items_of(tree)])


def copied(tree: Any, is_leaf: Leaf, function: Callable[[Any], Any], made: dict[int, Any] | None = None) -> Any:
    """The same structure with `function(leaf)` for each leaf, in containers of its own.

    made: the containers so far, by the id of the one in the tree: one that stands there twice stays one.
    """
    if is_leaf(tree) or kind_of(tree) is None:
        return function(tree)
    if made is not None and id(tree) in made:
        return made[id(tree)]
    parts = [function(part) if is_leaf(part) else copied(part, is_leaf, function, made) for part in items_of(tree)]
    copy = rebuilt(tree, parts)
    if made is not None:
        made[id(tree)] = copy
    return copy


def nodes(tree: Any, parts: Callable[[Any], Iterable[Any]] = items_of) -> Iterator[Any]:
    """A value and all that it holds, each before its own parts, which come once. parts: what a value holds."""
    entered: dict[int, Any] = {}  # kept alive, so that its id stays its own
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        if id(node) not in entered and (inside := [*parts(node)]):
            entered[id(node)] = node
            pending.extend(reversed(inside))


def placed(place: Any, tree: Any, inside: Callable[[Any, Any], Iterable[tuple[Any, Any]]]) -> Iterator[tuple[Any, Any]]:
    """A value and all that it holds, each with its place, before its own parts.

    inside: the places and parts of what is at a place.
    """
    yield place, tree
    for inner, part in inside(place, tree):
        yield from placed(inner, part, inside)


def flat(tree: Any, *classes: type) -> list[Any]:
    """What containers of these classes hold that lie in each other: [1, (2, [3])] gives 1, 2 and 3."""
    return list(walk(tree, lambda part: not isinstance(part, classes)))


def walk(tree: Any, is_leaf: Leaf, parts: Callable[[Any], Iterable[Any]] = items_of) -> Iterator[Any]:
    """The leaves in a tree, in order; what holds itself is entered once. parts: what a value holds."""
    if is_leaf(tree):
        return iter((tree,))
    found: list[Any] = []
    _collect(tree, is_leaf, parts, set(), found)
    return iter(found)


def _collect(tree: Any, is_leaf: Leaf, parts: Callable[[Any], Iterable[Any]], entered: set[int], found: list[Any]) -> None:
    """Append the leaves in what is no leaf itself: a list is quicker than generators in each other."""
    inside = parts(tree)
    if inside and id(tree) not in entered:
        entered.add(id(tree))
        for part in inside:
            if is_leaf(part):
                found.append(part)
            else:
                _collect(part, is_leaf, parts, entered, found)
        entered.discard(id(tree))


def module_of(cls: type) -> str:
    """The name of the module that a class is from; of one that has something else there, such as a property, no name."""
    module = cls.__module__
    return module if isinstance(module, str) else ""


def _kind_of_class(cls: type) -> Kind | None:
    base = base_of(cls)
    if base is not None:
        return _RECORD if base is tuple and hasattr(cls, "_fields") else _ROWS[base]
    return _OBJECT if _is_class_of_objects(cls) else None


def base_of(cls: type) -> Any:
    """The class of Python's that a class is, or derives from, and that has a row; None where there is none."""
    return next((base for base in cls.__mro__ if type(base).__hash__ is type.__hash__ and base in _ROWS), None)


def _is_class_of_objects(cls: type) -> bool:
    """Whether objects of a class are their attributes: a class of the user's, of no metaclass that gives it another meaning."""
    if type(cls) not in (type, ABCMeta) or issubclass(cls, _NO_CONTAINERS) or cls.__new__ is not object.__new__:
        return False
    if is_laid_out_in_c(cls) or cls.__getattribute__ is not object.__getattribute__:  # as of objects that only a Program knows
        return False
    if any(module_of(base).partition(".")[0] in (PACKAGE, "builtins", "numpy") for base in cls.__mro__[:-1]):
        return False
    return is_dataclass(cls) or "__call__" not in dir(cls)


def slots_of(cls: type) -> list[tuple[str, Any]]:
    """The slots that classes of the user's define; `__dict__` may look like one."""
    return [slot for base in cls.__mro__ if id(base) not in _slotless for slot in _own_slots(base)]


def _own_slots(cls: type) -> list[tuple[str, Any]]:
    """The slots that a class itself defines: a class that has none when it is made never gets one."""
    members = [(name, member) for name, member in vars(cls).items() if isinstance(member, MemberDescriptorType)]
    if not members:
        key = id(cls)
        _slotless[key] = ref(cls, lambda _: _slotless.pop(key, None))
    return [(name, member) for name, member in members if not name.startswith("__")]


def _is_set(slot: Any, value: Any) -> bool:
    try:
        slot.__get__(value)
    except AttributeError:
        return False
    return True
