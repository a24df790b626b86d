"""Loads and stores of attributes: converted properties, and attributes that an object itself has on one path only."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from types import FunctionType, MethodDescriptorType, ModuleType, WrapperDescriptorType
from typing import Any, TypeGuard
from weakref import CallableProxyType, ProxyType

from .... import pytree
from ....errors import ConversionError, Dy2stError
from ....ir.join import alternatives
from ....ir.types import UNBOUND
from ...control.trial import record_raise
from ...heap.attribute_order import is_layer, tables_of
from ...heap.identity import are_scalars, same_object
from ...heap.journal import Attribute, Item, PlainAttribute
from ...heap.markers import MISSING, Raised, Unbound
from ...heap.own_attributes import in_classes, no_attribute, own_attribute, places_of
from ...heap.redirected import outside_class
from ...heap.staged_objects import has_attribute, has_namespace, is_staged_object, store_field, user_class
from ...library import BASES, CLASSES, PYTHONS, Written, twin_of
from ...proxies import Staged, StagedContainer, StagedNumber, StagedScalar, StagedSum
from ...recorder.recorder import Recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user
from ...where.profiling import unwatched
from ...where.user_code import is_foreign, is_users_function
from .asked_flags import load_stop_gradient, refuse_written_outside
from .gradient_stops import store_stop_gradient
from .item_sources import Iteration
from .layer_stores import refuse_in_layer
from .ranges import StagedRange
from .replaced_builtins import refuse_replaced
from .structures import known_class
from .sums import of_each_kind
from .try_ import under_handlers

ASK_FOR_GRADIENTS = ("stop_gradient", "requires_grad")
GRADIENT_STOPS = ("stop_gradient", "trainable")  # the attributes of a tensor that a Program stores
CONTAINERS_WAYS = (WrapperDescriptorType, MethodDescriptorType)  # such as dict.__setitem__
WEAK_PROXIES = (ProxyType, CallableProxyType)
OF_DEFINITIONS = "__name__ __qualname__ __module__ __doc__ __code__ __defaults__ __kwdefaults__ __bases__ __class__".split()


def load_attribute(rec: Recorder, owner: Any, name: str) -> Any:
    """`owner.name` of what may be a property of the user's class, or what the object itself has on one path only."""
    if isinstance(owner, StagedSum) or is_staged_object(owner):
        return as_the_user(getattr, owner, name)
    if name in ASK_FOR_GRADIENTS:
        if isinstance(owner, Tensor) and owner.is_staged:
            return load_stop_gradient(rec, owner, name) is (name == "stop_gradient")
        refuse_written_outside(rec, owner, name)
    found = in_classes(type(owner).__mro__, name)
    if isinstance(found, property) and isinstance(found.fget, FunctionType):
        return _from_getter(rec, owner, name, rec.convert_call(found.fget))
    if _may_lack(rec, owner, name):
        return _looked_up(rec, owner, name)
    if isinstance(found, cached_property) and name not in vars(owner):
        return _computed(rec, owner, name, found)
    if _asks_users(owner, name) and own_attribute(owner, name) is MISSING:
        return _from_getattr(rec, owner, name, may_fail=False)
    return as_the_user(getattr, owner, name)


def _setter(descriptor: Any) -> FunctionType | None:
    """The `__set__` of a descriptor of the user's own class, which keeps nothing itself that it could change: a name, at most."""
    method = getattr(type(descriptor), "__set__", None)
    if not is_users_function(method) or is_foreign(method.__module__ or ""):
        return None
    return method if are_scalars(getattr(descriptor, "__dict__", {}).values()) else None


def has(rec: Recorder, owner: Any, name: str) -> Any:
    """Whether an object has an attribute; staged where the path decides it."""
    if isinstance(owner, StagedSum):
        return rec.on_alternatives(owner, lambda x: has(rec, x, name))
    owner = rec.heap.spoken_for(owner)
    if is_staged_object(owner):
        return has_attribute(owner, name)
    if isinstance(owner, StagedScalar | StagedContainer | StagedRange | Iteration):
        cls = owner.stands_for if isinstance(owner, Iteration) else known_class(owner)
        return _class_has(rec, cls, name)  # whatever else the proxy has
    if name == "__dict__" and not has_namespace(owner):
        return False
    if not (_may_lack(rec, owner, name) or _asks_users(owner, name)):
        return as_the_user(hasattr, owner, name)
    return _looked_up(rec, owner, name, lambda found: found is not MISSING)


def _class_has(rec: Recorder, cls: Any, name: str) -> Any:
    """Whether objects of one of Python's own classes have an attribute."""
    if isinstance(cls, StagedSum):
        return rec.on_alternatives(cls, lambda x: _class_has(rec, x, name))
    return in_classes(cls.__mro__, name) is not MISSING


def is_conditional(rec: Recorder, held: object) -> TypeGuard[StagedSum]:
    """Whether the path decides if there is an attribute that holds this."""
    return isinstance(held, StagedSum) and UNBOUND in alternatives(rec.type_of(held))


def may_be_absent(rec: Recorder, held: object) -> bool:
    """Whether there is no attribute, or none on some path, that holds this."""
    return isinstance(held, Unbound) or is_conditional(rec, held)


@unwatched
def _may_lack(rec: Recorder, owner: Any, name: str) -> bool:
    tables = [getattr(place, "__dict__", {}) for place, _ in places_of(owner)] + ([*tables_of(owner)] if is_layer(owner) else [])
    return any(may_be_absent(rec, table.get(name)) for table in tables)


def _asks_users(owner: Any, name: str) -> bool:
    """Whether a `__getattr__` of the user's is asked for what no class has: it is converted, and may read what is staged."""
    cls = type(owner)
    if not is_users_function(getattr(cls, "__getattr__", None)) or cls.__getattribute__ is not object.__getattribute__:
        return False
    return in_classes(cls.__mro__, name) is MISSING


def is_computed(owner: Any, name: str) -> bool:
    """Whether code of the user's is asked for an attribute: a getter, or what is asked for what nothing else gives."""
    cls: Any = type(owner)
    classes = (*owner.__mro__, *cls.__mro__) if issubclass(cls, type) else cls.__mro__
    is_own = in_classes(classes, name) is MISSING and own_attribute(owner, name) is not MISSING
    if is_users_function(cls.__getattribute__) or is_own:
        return is_users_function(cls.__getattribute__)
    is_missing_in_module = isinstance(owner, ModuleType) and in_classes(classes, name) is MISSING
    asked_last = vars(owner).get("__getattr__") if is_missing_in_module else None
    return is_users_function(asked_last) or is_computed_by(cls, name, classes)


def is_computed_by(cls: Any, name: str, classes: tuple[type, ...] = ()) -> bool:
    """Whether a class has code of the user's for an attribute that an object doesn't have itself. classes: where Python looks."""
    found = in_classes(classes or cls.__mro__, name)
    if found is MISSING:
        return is_users_function(getattr(cls, "__getattr__", None))
    return is_users_function(found.fget if isinstance(found, property) else getattr(type(found), "__get__", None))


def load_unless_absent(rec: Recorder, name: str, load: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """What `load` gives, which asks code of the user's for an attribute; something else where that raises AttributeError."""
    return under_handlers((rec.here(), name), lambda _: load(), (None,), [(lambda: AttributeError, lambda *_: otherwise())], None)


def _from_getter(rec: Recorder, owner: Any, name: str, getter: Callable[[Any], Any]) -> Any:
    """What a getter gives, or `__getattr__` where that raises AttributeError."""
    if not is_users_function(getattr(type(owner), "__getattr__", None)):
        return getter(owner)
    return load_unless_absent(rec, name, lambda: getter(owner), lambda: _from_getattr(rec, owner, name, may_fail=False))


def _looked_up(rec: Recorder, owner: Any, name: str, given: Callable[[Any], Any] | None = None) -> Any:
    """What Python finds, place after place; the Program looks into those that have the name on one path only.

    given: what is made of it, also of MISSING; without, a name that nothing is found under is an AttributeError.
    """
    places = [(own, bind) for place, bind in places_of(owner) if (own := own_attribute(place, name)) is not MISSING]

    def from_(index: int) -> Any:
        if index == len(places):
            found = _from_getattr(rec, owner, name, given is not None)
            return found if given is None else given(found)
        own, bind = places[index]

        def of(value: Any) -> Any:
            if isinstance(value, Unbound):
                return from_(index + 1)
            found = bind(value)
            if isinstance(found, cached_property):
                found = _computed(rec, owner, name, found)
            return found if given is None else given(found)

        return rec.on_alternatives(own, of, unbound=True) if is_conditional(rec, own) else of(own)

    return from_(0)


def _computed(rec: Recorder, owner: Any, name: str, found: cached_property) -> Any:
    made = rec.convert_call(found.func)(owner)
    store_attribute(rec, owner, name, made)
    return made


def _from_getattr(rec: Recorder, owner: Any, name: str, may_fail: bool) -> Any:
    """What `__getattr__` says of a name that nothing is found under; MISSING where that fails, and may."""
    fallback = getattr(type(owner), "__getattr__", None)
    try:
        if fallback is None or (is_layer(owner) and not _asks_users(owner, name)):  # a layer has looked in its tables
            raise no_attribute(owner, name)
        return rec.convert_call(fallback)(owner, name)
    except AttributeError:
        if may_fail:
            return MISSING
        raise


def _is_of_layer(owner: Any, item: Any) -> bool:
    """Whether a layer keeps this in a table of its own, past any descriptor."""
    return is_layer(owner) and isinstance(item, Tensor)


def store_attribute(rec: Recorder, owner: Any, name: str, item: Any) -> None:
    """`owner.name = item`, in a way that can be taken back."""
    if isinstance(owner, StagedSum | StagedNumber):
        of_each_kind(rec, owner, lambda x: _store_in_alternative(rec, x, name, item))
        return
    if isinstance(owner, Tensor) and name in GRADIENT_STOPS:
        store_stop_gradient(rec, owner, item if name == "stop_gradient" or isinstance(item, Staged) else not item)
        return
    owner = _place_of_stores(rec, owner, name)
    own = _way_of(owner, "__setattr__")
    if is_staged_object(owner) and own is None:
        as_the_user(setattr, owner, name, item)
        return
    if name == "__dict__" and isinstance(owner, Written):
        raise ConversionError(
            f"{rec.here()}: __dict__ = ... of a container, whose items are kept apart while staging; write a __getattr__ and a "
            "__setattr__ that read and store items"
        )
    descriptor = in_classes(type(owner).__mro__, name)
    if own is not None:
        rec.convert_call(own)(owner, name, item)
    elif isinstance(descriptor, property) and descriptor.fset is not None:
        rec.convert_call(descriptor.fset)(owner, item)
    elif (setter := _setter(descriptor)) is not None and not _is_of_layer(owner, item):
        rec.convert_call(setter)(descriptor, owner, item)
    elif descriptor is MISSING and type(owner).__setattr__ is object.__setattr__:
        _write_unwatched(rec, owner, name, item)
    else:
        _write(rec, owner, name, item)


def _store_in_alternative(rec: Recorder, owner: Any, name: str, item: Any) -> None:
    """Store an attribute of an alternative of a union. A tensor among them is made anew by each use: the Program refuses it."""
    if isinstance(owner, Tensor) and name not in GRADIENT_STOPS:
        refused = f".{name} = ... of a value that is a tensor on this path, and an object on another"
        record_raise(rec, Dy2stError(f"{rec.here()}: {refused}; store it where the tensor is made"))
        raise Raised
    store_attribute(rec, owner, name, item)


def _way_of(owner: Any, name: str) -> Callable | None:
    """What the class of an object has as its `__setattr__` or `__delattr__`: a function, or a method of Python's containers.

    None where that is Python's own, or one of this package. What stands for an object is of a class that has neither.
    """
    cls = user_class(owner) if is_staged_object(owner) else outside_class(owner)
    own = getattr(PYTHONS.get(cls, cls), name)
    is_of_container = isinstance(own, CONTAINERS_WAYS) and own.__objclass__ in BASES
    return own if is_users_function(own) or is_of_container else None


def store_past_class(rec: Recorder, owner: Any, name: str, item: Any) -> None:
    """`object.__setattr__(owner, name, item)`, in a way that can be taken back: also into a frozen dataclass."""
    if isinstance(owner, StagedSum):
        rec.on_alternatives(owner, lambda x: store_past_class(rec, x, name, item))
        return
    owner = _place_of_stores(rec, owner, name)
    descriptor = in_classes(type(owner).__mro__, name)
    if isinstance(descriptor, property) and descriptor.fset is not None:
        rec.convert_call(descriptor.fset)(owner, item)
    elif (setter := _setter(descriptor)) is not None:
        rec.convert_call(setter)(descriptor, owner, item)
    elif is_staged_object(owner):
        store_field(owner, name, item)
    else:
        store(rec, PlainAttribute(owner, name), item)


def delete_attribute(rec: Recorder, owner: Any, name: str) -> None:
    """`del owner.name`, in a way that can be taken back."""
    if isinstance(owner, StagedSum | StagedNumber):
        of_each_kind(rec, owner, lambda x: delete_attribute(rec, x, name))
        return
    owner = _place_of_stores(rec, owner, name)
    own = _way_of(owner, "__delattr__")
    if own is not None:
        rec.convert_call(own)(owner, name)
    else:
        delete_past_class(rec, owner, name)


def delete_past_class(rec: Recorder, owner: Any, name: str) -> None:
    """`object.__delattr__(owner, name)`, in a way that can be taken back."""
    if isinstance(owner, StagedSum):
        rec.on_alternatives(owner, lambda x: delete_past_class(rec, x, name))
        return
    owner = _place_of_stores(rec, owner, name)
    is_past_class = _way_of(owner, "__delattr__") is not None and not is_staged_object(owner)
    descriptor = in_classes(type(owner).__mro__, name)
    if isinstance(descriptor, property) and descriptor.fdel is not None and not is_staged_object(owner):
        rec.convert_call(descriptor.fdel)(owner)
        return
    held = MISSING if is_staged_object(owner) else own_attribute(owner, name)
    if isinstance(held, Unbound):
        raise no_attribute(owner, name)
    if is_conditional(rec, held):
        rec.on_alternatives(held, lambda _: None)  # raises where there is none
    if held is MISSING:
        as_the_user(object.__delattr__ if is_past_class else delattr, owner, name)  # which raises, or is recorded
    elif is_past_class:
        store(rec, PlainAttribute(owner, name), MISSING)
    else:
        _write(rec, owner, name, MISSING)


def _place_of_stores(rec: Recorder, owner: Any, name: str) -> Any:
    if type(owner) in WEAK_PROXIES:
        owner = as_the_user(getattr, owner, "__reduce_ex__").__self__  # a proxy hands on what is asked of the object behind it
    cls: Any = type(owner)
    if twin_of(cls) is None:
        return owner
    place = stand_in(rec, owner)
    if cls in CLASSES and place is not owner and name not in pytree.settings_of(cls):
        raise ConversionError(
            f"{rec.here()}: {name} of this {cls.__name__} from outside is stored, and code that reads it wouldn't see that; "
            f"derive a class, as in class Named({cls.__name__}): pass, or store an item"
        )
    return place


def _write(rec: Recorder, owner: Any, name: str, item: Any) -> None:
    if issubclass(type(owner), ModuleType):  # whatever class a mock says it is of
        store_global(rec, vars(owner), name, item)
    else:
        _refuse_unnamed(owner, name)
        _refuse_definition(rec, owner, name, item)
        _refuse_layout(rec, owner, name, item)
        refuse_in_layer(rec, owner, name, item)
        store(rec, Attribute(owner, name), item)


def store_global(rec: Recorder, table: dict, name: Any, item: Any) -> None:
    """Store a variable of a module, whose variables a dict holds."""
    refuse_replaced(rec, table, name, item)
    location = Item(table, name)
    rec.facts.stored_in_module(rec, location)
    rec.journal.write(location, item)


_write_unwatched = unwatched(_write)  # where no code of the user's says what a store does


def store(rec: Recorder, location: Attribute, item: Any) -> None:
    """Store what an object has itself, in a way that can be taken back where another Block made the object."""
    if rec.heap.is_own(location):
        location.set(item)
    else:
        rec.write(location, item)


def stand_in(rec: Recorder, value: Any, is_needed: bool = True) -> Any:
    """What stands for a container of `collections`, or of a subclass, that comes from outside.

    Itself where there is none, or it isn't needed.
    """
    if not pytree.is_container(value) or pytree.is_frozen(type(value)) or type(value) in (list, dict, set):
        return value
    if not (is_needed or rec.heap.staged(value) is not None):
        return value
    written = rec.heap.written(value)
    return value if written is None else written


def _refuse_unnamed(owner: Any, name: str) -> None:
    """AttributeError where Python's container has no such slot, and no `__dict__`: what stands for it has one."""
    cls = PYTHONS.get(type(owner))
    if cls is None or cls.__dictoffset__ or name == "_items":
        return
    if name not in pytree.settings_of(cls) and all(name != slot for slot, _ in pytree.slots_of(cls)):
        raise no_attribute(owner, name)


def _refuse_layout(rec: Recorder, owner: Any, name: str, item: Any) -> None:
    """ConversionError where an object would get a class or a `__dict__` that only the Program knows."""
    if name not in ("__class__", "__dict__"):
        return
    is_hidden = rec.heap.birth(owner) is None and rec.facts.find_root(owner) is None and rec.frame is rec.frames[0]
    if isinstance(item, Staged) or rec.heap.staged(item) is not None or not (is_hidden or rec.heap.is_local(owner)):
        raise ConversionError(
            f"{rec.here()}: x.{name} = ... of an object that isn't new on this path, or to what the path decides; make another "
            "object, or change its attributes one by one"
        )


def _refuse_definition(rec: Recorder, owner: Any, name: str, item: Any) -> None:
    """ConversionError where a function or class from outside gets another name or the like: no Value can stand there."""
    is_definition = isinstance(owner, FunctionType | type) and name in OF_DEFINITIONS
    if not is_definition or rec.heap.birth(owner) is not None or same_object(getattr(owner, name, MISSING), item):
        return
    if rec.facts.find_root(owner) is not None or rec.facts.is_unreached(rec, owner):
        raise ConversionError(
            f"{rec.here()}: {owner.__qualname__}.{name} = ... changes a class or function from outside; do it where that is "
            "defined, or outside of this function"
        )
