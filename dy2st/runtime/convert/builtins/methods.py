"""Methods of Python's own lists, dicts and sets: what they act on is decided when they are called, after their arguments."""

from __future__ import annotations

import operator
from collections import Counter, OrderedDict
from collections.abc import Callable
from types import MethodDescriptorType, MethodType, WrapperDescriptorType
from typing import Any

from ....errors import ConversionError
from ....ir.flows import VALUE
from ....ops.registry import OPERATORS, OpDef
from ...heap.identity import are_scalars
from ...heap.staged_objects import contents, python_class
from ...library import BASES, CLASSES, DictView, base_of, lists, mappings, sets, view_of
from ...library.ranges import NAMES_NO_ITEM
from ...proxies import StagedContainer, StagedScalar, StagedSet, StagedSum, own_index
from ...recorder.recorder import Recorder
from ...where.faults import as_the_user
from ...where.profiling import unwatched
from ..iteration.compare import convert_in
from ..operations.access import INPLACE, at, convert_inplace
from ..operations.ifelse import convert_ifelse, convert_raise
from ..operations.item_sources import Iteration, fails_between, says_length
from ..operations.namespaces import pop_by_name
from ..operations.ranges import StagedRange
from ..operations.structures import is_staged_in
from ..operations.sums import with_alternatives
from .foreign import foreign_function
from .ordering import sort
from .wrong_arguments import in_pythons_words

TOLD_BY = {  # the operator that tells of a method, where that isn't the one of its name
    "list.__setitem__": "list.set", "list.__delitem__": "list.delete", "list.__iadd__": "list.extend",
    "dict.__setitem__": "dict.set", "dict.__delitem__": "dict.delete", "dict.get": "dict.get_default",
    **dict.fromkeys(("set.difference_update", "set.intersection_update", "set.symmetric_difference_update"), "set.update"),
    **dict.fromkeys(("set.issubset", "set.issuperset"), "container.compare"),
}
UNTOLD = OpDef("untold", kernel=lambda *_: (), infer=lambda *_: ())  # tells nothing of other methods

CHANGING = {  # methods that no operator tells of
    *"appendleft extendleft popleft rotate move_to_end subtract __missing__ __init__ __iadd__ __imul__ __isub__".split(),
    *"__ior__ __iand__ __ixor__ __delattr__ __setattr__ __setstate__".split(),
}
OF_SYMBOLS = {f"__{function.__name__}__": symbol for symbol, function in INPLACE.items()}  # the methods of `+=` and the like
DESCRIPTORS = (MethodDescriptorType, WrapperDescriptorType)
VIEWS = ("keys", "values", "items")
ASKING = ("sort", "index", "count", "remove", "extend", "update")  # these may call methods of the items, or make them
# Where what came before a failure stays, as in Python.
ONE_BY_ONE = {"extend": lists.extend_by_each, "update": sets.add_each, "difference_update": sets.drop_each}
AT_AN_INDEX = ("pop", "insert")
COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
ASKED_BY: dict[str, Any] = {"__contains__": operator.contains, "__reversed__": reversed}  # what asks a container for this
READERS = {*VIEWS, *"get index count most_common elements total __len__ __iter__ __contains__ __reversed__ __getitem__".split()}


def container_method(rec: Recorder, method: Any, owner: Any) -> Callable:
    """The method of a list, dict or set that was looked up."""
    name, cls = method.__name__, type(owner)
    definition = _definition(cls.__name__, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        asks_nobody = name not in ASKING and (name == "append" or are_scalars(args)) and not kwargs
        return (_call_unwatched if asks_nobody else _call)(rec, method, owner, definition, args, kwargs)

    return in_pythons_words(lambda *args, **kwargs: getattr(cls(), name)(*args, **kwargs), call)


def _call(rec: Recorder, method: Any, owner: Any, definition: OpDef, args: tuple, kwargs: dict) -> Any:
    name, cls = method.__name__, type(owner)
    if name in OF_SYMBOLS and len(args) == 1 and not kwargs:
        return _in_place(rec, owner, name, args[0])
    if cls is list and name in AT_AN_INDEX and args and isinstance(args[0], StagedSum):
        return with_alternatives(rec, lambda index: _call(rec, method, owner, definition, (index, *args[1:]), kwargs), args[0])
    if cls is list and name in AT_AN_INDEX and args:
        args = (own_index(args[0]), *args[1:])
    if name in ONE_BY_ONE and (len(args) == 1 or cls is set) and any(fails_between(cls, arg) for arg in args):
        _one_by_one(rec, owner, name, args, kwargs)
        return None
    for flow in definition.incoming if cls is list else ():
        if not flow.source.slots and flow.source.of <= len(args):
            rec.facts.policy.before_item(rec, owner, args[flow.source.of - 1])
    if name == "extend" and len(args) == 1:
        args = tuple(map(rec.convert_call(list), args))
    elif cls is not list and 1 in definition.reads:
        args = tuple([_items_of(rec, a) for a in args])
    if not are_scalars(args):
        args = tuple([rec.heap.resolve(a) if type(a) in (set, dict) else a for a in args])
        if (cls is not list or name == "extend") and any(isinstance(a, StagedContainer) for a in args):
            rec.heap.materialise(owner)
    proxy: Any = rec.heap.staged(owner)
    if name == "sort" and proxy is None and rec.heap.is_local(owner):
        return as_the_user(sort, rec, owner, *args, **kwargs)
    if proxy is None and definition.mutates:
        if name == "setdefault":
            return as_the_user(_set_default, rec, owner, *args, **kwargs)
        if name == "update" and cls is dict:
            return _update(rec, owner, *args, **kwargs)
        if name == "pop" and (namespace := rec.heap.namespace_owner(owner)) is not None:
            return pop_by_name(rec, namespace, owner, *args)
        proxy = rec.heap.change(owner)
    if proxy is not None and proxy is not owner:
        return _on_proxy(rec, proxy, cls, name, args, kwargs)
    if definition is not UNTOLD and any(map(is_staged_in, _asked(definition, owner, args))):
        return _on_proxy(rec, rec.heap.materialise(owner), cls, name, args, kwargs)
    if name in VIEWS and not args and not kwargs:
        return rec.new(view_of(owner, name))
    if cls is dict and definition.mutates and not definition.incoming:  # it takes keys out
        rec.iterators.note_change(owner, lambda: as_the_user(operator.contains, owner, *args[:1]) if args else len(owner) > 0)
    found = as_the_user(method, *args, **kwargs)
    return rec.new(found) if definition.allocates else found


_call_unwatched = unwatched(_call)


def _in_place(rec: Recorder, owner: Any, name: str, operand: Any) -> Any:
    """`owner.__iadd__(operand)` and the like: what the operator does, but for an operand that a set leaves to others."""
    if isinstance(owner, set) and not isinstance(rec.heap.resolve(operand), set | frozenset | StagedSet):
        return NotImplemented
    return convert_inplace(OF_SYMBOLS[name], owner, operand)


def _one_by_one(rec: Recorder, owner: Any, name: str, args: tuple, kwargs: dict) -> None:
    change = rec.convert_call(getattr(owner, name))
    for other in args:
        if not fails_between(type(owner), other):
            change(other)
        elif type(owner) is dict:
            rec.convert_call(mappings.store_entries)(owner, other)
        elif name == "extend" and says_length(other):
            rec.convert_call(lists.extend_by_measured)(owner, other)
        else:
            rec.convert_call(ONE_BY_ONE[name])(owner, other)
    if kwargs:
        change(**kwargs)


def _definition(family: str, name: str) -> OpDef:
    """The operator that tells of a method."""
    known_as = f"{family}.{name}"
    return OPERATORS.get(TOLD_BY.get(known_as, known_as), UNTOLD)


def _asked(definition: OpDef, owner: Any, args: tuple) -> list:
    """What Python itself has to know for a method: all arguments but those that it only puts in, or gives for an absent key.

    What a list is searched for is compared with its items.
    """
    if definition.is_keyed:
        return [*args[:1]]
    is_list = type(owner) is list
    put_in = {flow.source.of for flow in definition.incoming if is_list or flow.target.slots == (VALUE,)}
    asked = set(range(1, len(args) + 1)) - put_in
    return [*(args[k - 1] for k in asked), *([owner] if is_list and asked - set(definition.indices) else [])]


def _on_proxy(rec: Recorder, proxy: Any, cls: type, name: str, args: tuple, kwargs: dict) -> Any:
    """The method of what stands for a list, dict or set; of an operator, what that does, but for what `cls` leaves to others."""
    if name in COMPARISONS and len(args) == 1 and not kwargs:
        is_of_kind = rec.convert_call(isinstance)(args[0], set | frozenset if cls is set else cls)
        return rec.convert_call(getattr(operator, name))(proxy, args[0]) if is_of_kind is True else NotImplemented
    if name in ASKED_BY:
        return rec.convert_call(ASKED_BY[name])(proxy, *args, **kwargs)
    if name == "index" and args and not (isinstance(args[0], StagedScalar) or are_scalars(args[:1])):
        return _index(proxy, args[0], args[1:], lambda: _not_in_list(rec, args[0]))  # an engine has no text of the user's objects
    return as_the_user(as_the_user(getattr, proxy, name), *args, **kwargs)


def tuple_method(rec: Recorder, method: Any, owner: Any) -> Callable:
    """`t.index(x)` and `t.count(x)`: of a list of the same items, in the words of a tuple."""

    def call(item: Any, *bounds: Any) -> Any:
        if not any(map(is_staged_in, (owner, item, *bounds))):
            return as_the_user(method, item, *bounds)
        items: Any = rec.heap.materialise(found) if type(found := rec.convert_call(list)(owner)) is list else found
        if method.__name__ == "count":
            return items.count(item)
        return _index(items, item, bounds, lambda: "tuple.index(x): x not in tuple")

    return call


def _index(items: Any, item: Any, bounds: tuple, absent: Callable[[], Any]) -> Any:
    """`items.index(item, *bounds)` of a staged list; `absent` gives the message of the ValueError."""
    searched = items[bounds[0] : bounds[1] if len(bounds) > 1 else None] if bounds else items
    return convert_ifelse(
        convert_in(item, searched), lambda: items.index(item, *bounds), lambda: convert_raise(ValueError(absent()))
    )


def _not_in_list(rec: Recorder, item: Any) -> Any:
    """The message of `list.index` for an item that it doesn't find."""
    return "list.index(x): x not in list" if NAMES_NO_ITEM else rec.convert_call(repr)(item) + " is not in list"


def is_built_in_method(method: Any, owner: Any) -> bool:
    """Whether a method of a container of `collections`, or of a subclass of a container, is one of Python's own."""
    cls = type(owner)
    if cls in CLASSES:
        return True
    if isinstance(owner, tuple):
        return False
    is_own = not isinstance(method, MethodType) or getattr(method.__func__, "__module__", None) == "collections"
    return is_own and cls not in BASES and base_of(cls) is not None and hasattr(method, "__name__")


def library_method(rec: Recorder, method: Any, owner: Any) -> Callable:
    """The method of a deque or the like from outside: of what stands for it, unless it only reads what staging knows."""
    name, cls = method.__name__, type(owner)

    def call(*args: Any, **kwargs: Any) -> Any:
        reads = name in READERS if cls in CLASSES else not _may_change(cls, name)
        known = reads and rec.heap.staged(owner) is None and not any(map(is_staged_in, args))
        written = None if known else rec.heap.written(owner)
        if written is not None:
            own = BASES[base_of(cls)]  # type: ignore[index]
            return rec.convert_call(getattr(own, name))(written, *args, **kwargs)
        if cls in CLASSES or not reads:
            return foreign_function(rec, method)(*args, **kwargs)
        found = method(*args, **kwargs)
        return rec.new(found) if type(found) in (list, dict, set) else found

    return call


def from_keys(rec: Recorder, cls: type) -> Callable:
    """`fromkeys` of a class that derives from dict."""
    return lambda keys, value=None: rec.convert_call(mappings.from_keys)(rec.convert_call(cls)(), keys, value)


def _may_change(cls: type, name: str) -> bool:
    """Whether a method of Python's, of an object of this class, may change it."""
    asks = name == "__getitem__" and hasattr(cls, "__missing__") and not issubclass(cls, Counter)
    changes = name in CHANGING or any(_definition(family, name).mutates for family in ("list", "dict", "set"))
    return asks or changes or not (hasattr(BASES[base_of(cls)], name) or name.startswith("__"))  # type: ignore[index]


def unbound_method(rec: Recorder, function: Any, *args: Any, **kwargs: Any) -> Any:
    """`list.append(v, x)`: the method of that class, whatever a subclass says."""
    if not args:
        return function(**kwargs)
    owner, base = rec.heap.spoken_for(args[0]), function.__objclass__
    if isinstance(owner, StagedSum):
        return rec.on_alternatives(owner, lambda x: unbound_method(rec, function, x, *args[1:], **kwargs))
    cls = rec.convert_call(type)(owner)
    if isinstance(cls, type) and not issubclass(cls, base):
        raise TypeError(_of_another(function, cls))
    python = python_class(owner)
    if python is not None:
        if base is dict and issubclass(python, OrderedDict) and _definition("dict", function.__name__).mutates:
            raise ConversionError(
                f"{rec.here()}: dict.{function.__name__} changes this {python.__name__} beside its order, which breaks it; "
                f"call its own method, x.{function.__name__}(...)"
            )
        return rec.convert_call(getattr(BASES[base], function.__name__))(owner, *args[1:], **kwargs)
    if isinstance(owner, base):
        return rec.convert_call(function.__get__(owner))(*args[1:], **kwargs)
    return _on_proxy(rec, owner, base, function.__name__, args[1:], kwargs)


def _of_another(function: Any, cls: type) -> str:
    """What Python says of a method that is called on an object of another class."""
    name, owner = function.__name__, function.__objclass__.__name__
    if isinstance(function, WrapperDescriptorType):
        return f"descriptor '{name}' requires a '{owner}' object but received a '{cls.__name__}'"
    return f"descriptor '{name}' for '{owner}' objects doesn't apply to a '{cls.__name__}' object"


def _items_of(rec: Recorder, value: Any) -> Any:
    """The items of a view, a generator, a deque and the like, for a method that takes any iterable."""
    is_read_once = isinstance(value, DictView | Iteration | StagedRange)
    return rec.heap.resolve(rec.convert_call(list)(value) if is_read_once else contents(rec.heap.resolve(value)))


def _set_default(rec: Recorder, owner: dict, key: Any, default: Any = None, /) -> Any:
    """`dict.setdefault`"""
    if is_staged_in(key) or (rec.heap.birth(owner) is not None and not rec.heap.is_local(owner)):
        proxy: Any = rec.heap.materialise(owner)
        return proxy.setdefault(key, default)
    if not as_the_user(operator.contains, owner, key):
        at(owner)[key] = default
    return at(owner)[key]


def _update(rec: Recorder, owner: dict, *args: Any, **kwargs: Any) -> None:
    """`dict.update`, item by item."""
    found: Any = rec.heap.resolve(rec.convert_call(dict)(*args, **kwargs))
    if isinstance(found, StagedContainer):
        proxy: Any = rec.heap.materialise(owner)
        proxy.update(found)
        return
    for key, value in found.items():
        at(owner)[key] = value
