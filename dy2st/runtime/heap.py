"""The heap of the code being staged: where mutable objects were born, which of them have become Values, and their element types.

A list stays a plain Python list while only the Block it was born in changes it. The first change from an inner Block (a branch, a
loop body) materialises it: a `list.new` is appended to the Block of its birth, which is still open and whose end is just before
the control flow in question, and from then on every alias of the list denotes that one Value.

Lists that may be the same list share one element type (a union-find class); it rises as items are stored, and `rises` tells
that, so that a loop knows when to be staged again.
"""

from __future__ import annotations

import itertools
from types import FunctionType
from typing import Any

from ..errors import ConversionError
from ..ir.core import Operation, Value
from ..ir.join import join_types
from ..ir.types import NEVER, DictType, ListType, SetType, SumType, Type
from ..ops.registry import lookup
from .blocks import user_loc
from .journal import Contents, Item
from .markers import Restage

CONTAINER_TYPES = (ListType, DictType, SetType)
FAMILY: dict[type, str] = {list: "list", dict: "dict", set: "set"}


class Poison:
    """The only item of a Python list, dict or set that a Value of the Program stands for: every use of it is refused."""

    def __init__(self, owner: Any):
        vars(self).update(owner=owner, kind=type(owner).__name__)

    def refuse(self, *_: Any) -> Any:
        raise ConversionError(
            f"{user_loc()}: this {self.kind} is known only when the Program runs, and is read here by "
            f"something that isn't converted (a "
            "comprehension, an unpacking, a star argument, a library function): use a for loop, an index or a method of it"
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.refuse()

    __hash__ = object.__hash__
    __eq__ = __lt__ = __gt__ = __bool__ = __iter__ = __len__ = __getitem__ = __call__ = __repr__ = refuse  # type: ignore[assignment]
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = __index__ = (
        __format__
    ) = refuse


def block_of(value: Value) -> Any:
    """The Block that a Value belongs to."""
    return value.owner.parent if isinstance(value.owner, Operation) else value.owner


class ElementClass:
    """What the containers that may be one container hold: element type, key type, and, for containers in them, theirs."""

    def __init__(self, serial: int, elem: Type = NEVER, key: Type = NEVER):
        self.serial = serial  # older classes have smaller ones; a joined class has the smaller of the two
        self.elem, self.key = elem, key
        self.inner: ElementClass | None = None
        self.parent: ElementClass | None = None

    def find(self) -> ElementClass:
        node = self
        while node.parent is not None:
            node = node.parent
        return node


class Heap:
    """Births, materialised objects and element classes of one recording."""

    def __init__(self, rec: Any):
        self.rec = rec
        self.rises: list[int] = []  # the serial numbers of the element classes that rose, one entry per rise
        self._serials = itertools.count()
        self._born: dict[int, tuple[Any, Any]] = {}  # id -> (object kept alive, Frame)
        self._adopted: list[Any] = []  # in the order in which they became Values
        self._frozen: dict[int, Any] = {}
        self._staged: dict[int, tuple[Any, Any]] = {}  # id -> (object kept alive, proxy)
        self._classes: dict[Value, ElementClass] = {}

    def rebuilt(self, items: list) -> Any:
        """A list that an operator or display has put together natively, among others from lists that only the Program knows."""
        parts: list[Any] = []
        for item in items:
            if isinstance(item, Poison):
                if not isinstance(vars(item)["owner"], list):
                    item.refuse()
                parts.append(self.staged(vars(item)["owner"]))
            elif parts and type(parts[-1]) is list:
                parts[-1].append(item)
            else:
                self.born_here(new := [item])
                parts.append(new)
        result = lookup("list.copy")(parts[0])
        for part in parts[1:]:
            result = lookup("list.concat")(result, part)
        return result

    # --- births --------------------------------------------------------------------------------------------------------

    def born_here(self, obj: Any) -> None:
        if isinstance(obj, FunctionType):
            self.variables(obj)
        self._born[id(obj)] = (obj, self.rec.frame)

    def variables(self, function: Any) -> list[tuple[str, Any]]:
        """The closure variables of generated code and their cells; notes where each was born, while that can be told."""
        found = []
        code = function.__code__
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            if name == "_jst":
                continue
            if id(cell) not in self._born:
                frame = self.rec.facts.frame_of_variable(code, name)
                if frame is not None:
                    self._born[id(cell)] = (cell, frame)
            found.append((name, cell))
        return found

    def rebirth(self, old: Any, new: Any) -> None:
        """What was born in the Frame `old` was born in `new`: their Blocks have become one."""
        for key, (obj, frame) in self._born.items():
            if frame is old:
                self._born[key] = (obj, new)

    def freeze(self, obj: Any) -> None:
        """From now on `obj` may be, or stand for, an object that other names hold: it can be read, but not changed."""
        self._frozen[id(obj)] = obj

    def refuse_frozen(self, obj: Any, what: str) -> None:
        """ConversionError if `obj` is frozen."""
        if id(obj) in self._frozen:
            raise ConversionError(
                f"{self.rec.here()}: {what}: this {type(obj).__name__} comes from two paths that made or kept "
                f"different objects, so that "
                "which one it is is known only when the Program runs; make a new object with the new values instead"
            )

    def birth(self, obj: Any) -> Any:
        """The Frame in which `obj` was born, or None for an object from outside."""
        found = self._born.get(id(obj))
        return None if found is None else found[1]

    def is_fresh(self, obj: Any) -> bool:
        birth = self.birth(obj)
        return birth is not None and birth not in self.rec.frames

    def is_local(self, obj: Any) -> bool:
        """Whether the innermost open Block may change `obj` natively: it was born there."""
        birth = self.birth(obj)
        return birth is self.rec.frame or (birth is not None and birth not in self.rec.frames)

    # --- materialising -------------------------------------------------------------------------------------------------

    def was_staged_late(self, location: Any) -> bool:
        """Whether an item was changed as a location of its own, and then the whole dict became a Value."""
        return isinstance(location, Item) and self.staged(location.owner) is not None

    def staged(self, obj: Any) -> Any:
        """The proxy of a materialised object, or None."""
        found = self._staged.get(id(obj))
        if found is None:
            return None
        birth = self.birth(obj)
        in_its_block = birth is not None and block_of(found[1].value) is birth.block
        return found[1] if in_its_block or self.rec.sees(found[1].value) else None

    def has_staged(self) -> bool:
        return bool(self._staged)

    def stands_for_either(self, a: Any, b: Any) -> bool:
        """Whether a Value stands for one of two objects."""
        return self.staged(a) is not None or self.staged(b) is not None

    def resolve(self, value: Any) -> Any:
        """The proxy that stands for a materialised list, dict or set; anything else as it is."""
        if type(value) not in FAMILY:
            return value
        proxy = self.staged(value)
        if proxy is not None or not self._staged:
            return value if proxy is None else proxy
        poison = next((x for x in value if type(x) is Poison), None)
        if poison is None:
            return value
        return self.rebuilt(value) if type(value) is list else poison.refuse()

    def adopt(self, obj: Any, proxy: Any) -> None:
        """Let `proxy` stand for `obj`, whoever holds it.

        What code that isn't converted reads in `obj` from now on can't be used.
        """
        self._staged[id(obj)] = (obj, proxy)
        self._adopted.append(obj)
        if self.birth(obj) is None:
            self.rec.journal.note_at_start(Contents(obj))
        obj.clear()
        poison = Poison(obj)
        if isinstance(obj, list):
            obj.append(poison)
        elif isinstance(obj, set):
            obj.add(poison)
        else:
            obj[poison] = poison

    def materialise(self, obj: Any) -> Any:
        """The proxy of a list, dict or set, made where the object was born if there is none yet."""
        proxy = self.staged(obj)
        if proxy is not None:
            return proxy
        rec = self.rec
        birth = self.birth(obj) or rec.frames[0]
        if birth in rec.frames and rec.journal.has_items_of(obj):
            raise Restage(birth, lambda: self.materialise(obj))  # what a trial changed must not be part of what it started from
        with rec.opened(birth) if birth not in rec.frames else rec.back_in(birth):
            proxy = self._record(obj)
        self.adopt(obj, proxy)
        return proxy

    def _record(self, obj: Any) -> Any:
        rec, family = self.rec, FAMILY[type(obj)]
        items = [x for pair in obj.items() for x in pair] if family == "dict" else list(obj)
        values = [rec.lower(x) for x in items]
        types = [rec.type_of_value(v) for v in values]
        if family == "dict":
            type_: Type = DictType(_joined(types[::2]), _joined(types[1::2]))
        else:
            type_ = ListType(_joined(types)) if family == "list" else SetType(_joined(types))
        op = rec.emit(f"{family}.new", values, [type_])
        self.link(op)
        return rec.wrap(op.result)

    # --- changes -------------------------------------------------------------------------------------------------------

    def change(self, obj: Any) -> Any:
        """What to change instead of the list, dict or set `obj`: itself where that can be taken back, or its proxy."""
        proxy = self.staged(obj)
        if proxy is not None:
            return proxy
        if self.birth(obj) is None:
            return self.outside(obj)
        return obj if self.is_local(obj) else self.materialise(obj)

    def outside(self, obj: Any) -> Any:
        """An object that the recording didn't see being born is changed: it is state of the Program, or it is new and hidden."""
        rec = self.rec
        entry = rec.frames[0]
        if rec.facts.find_root(obj) is None:
            if rec.frame is entry:
                return obj
            raise ConversionError(
                f"{rec.here()}: this {type(obj).__name__} is changed inside staged control flow, and where it "
                f"was made can't be seen; "
                f"write {type(obj).__name__}(...) around the expression that makes it"
            )
        raise Restage(None, lambda: rec.facts.add_state(Contents(obj)))

    def change_item(self, obj: dict, key: Any) -> Any:
        """What to store a dict's item in: as `change`, but an item that exists already is a location of its own.

        A new key changes the dict itself; items changed before that in the same control flow make it be staged again.
        """
        birth = self.birth(obj)
        if self.staged(obj) is not None or birth is None or self.is_local(obj):
            return self.change(obj)
        if key in obj:
            self.rec.journal.note(Item(obj, key))
            return obj
        raise Restage(birth, lambda: self.materialise(obj))

    def now(self) -> tuple[int, int, int]:
        """A point in time for `has_risen`."""
        return len(self.rises), len(self._adopted), next(self._serials)

    def has_risen(self, since: tuple[int, int, int]) -> bool:
        """Whether a container that was there at that point holds more kinds of elements by now, or has become a Value since.

        What a loop body read of it before that, it read for the first iteration only.
        """
        rises, adopted, serial = since
        return any(risen < serial for risen in self.rises[rises:]) or any(
            not self.is_fresh(obj) for obj in self._adopted[adopted:]
        )

    # --- element types -------------------------------------------------------------------------------------------------

    def class_of(self, value: Value) -> ElementClass | None:
        """The element class of a container, or of the container among a sum's alternatives."""
        if value not in self._classes:
            type_ = container_in(value.type)
            if type_ is None:
                return None
            self._classes[value] = self._class_for(type_)
        return self._classes[value].find()

    def _class_for(self, type_: Type) -> ElementClass:
        key, elem = (type_.key, type_.value) if isinstance(type_, DictType) else (NEVER, type_.elem)  # type: ignore[attr-defined]
        made = ElementClass(next(self._serials), elem, key)
        nested = container_in(made.elem)
        if nested is not None:
            made.inner = self._class_for(nested)
        return made

    def unify(self, a: ElementClass | None, b: ElementClass | None) -> None:
        """From now on two containers may be the same one."""
        if a is None or b is None:
            return
        a, b = a.find(), b.find()
        if a is b:
            return
        if b.serial < a.serial:
            a, b = b, a
        elem, key = join_shared(a.elem, b.elem), join_shared(a.key, b.key)
        if elem != a.elem or key != a.key:
            self.rises.append(a.serial)
        a.elem, a.key = elem, key
        b.parent = a
        inner = a.inner, b.inner
        a.inner = inner[0] or inner[1]
        self.unify(*inner)

    def link(self, op: Operation) -> None:
        """Tie the element classes of an Operation's results to those of its operands."""
        for result in op.results:
            made = self.class_of(result)
            if made is None:
                continue
            for operand in op.operands:
                source = self.class_of(operand)
                if source is None:
                    continue
                if op.name.endswith((".get", ".pop", ".get_default", ".setdefault")) and op.name != "sum.get":
                    self.unify(made, source.inner)
                elif op.name in ("sum.make", "sum.get"):
                    self.unify(made, source)
                elif op.name.endswith(".new"):
                    made.inner = made.inner or source
                    self.unify(made.inner, source)
                else:
                    self.unify(made.inner, source.inner)

    def grow(self, proxy: Any, item: Any, spread: bool = False, key: Any = None) -> None:
        """An item (or, with `spread`, the items of a container) is about to be stored in a container."""
        rec = self.rec
        own = self.class_of(proxy.value)
        assert own is not None
        lowered = rec.lower(item)
        source = self.class_of(lowered)
        if spread:
            elem = source.elem if source is not None else NEVER
            source = source.inner if source is not None else None
        else:
            elem = rec.type_of_value(lowered)
        risen = join_shared(own.elem, elem)
        risen_key = own.key if key is None else join_shared(own.key, rec.type_of(key))
        if risen != own.elem or risen_key != own.key:
            own.elem, own.key = risen, risen_key
            self.rises.append(own.serial)
        if source is not None and container_in(elem) is not None:
            own.inner = own.inner or source
            self.unify(own.inner, source)

    def type_of(self, value: Value) -> Type:
        """The type of a Value as far as staging has learnt it."""
        own = self.class_of(value)
        return value.type if own is None else _with_class(value.type, own)

    def settle(self) -> None:
        """Write the final element types into the Values."""
        for value, own in self._classes.items():
            value.type = _with_class(value.type, own.find())


def container_in(type_: Type) -> Any:
    """The container type that `type_` is, or has among its alternatives; None if there is none."""
    if isinstance(type_, CONTAINER_TYPES):
        return type_
    if isinstance(type_, SumType):
        return next((t for t in type_.alternatives if isinstance(t, CONTAINER_TYPES)), None)
    return None


def _with_class(type_: Type, own: ElementClass) -> Type:
    own = own.find()
    elem = own.elem if own.inner is None else _with_class(own.elem, own.inner)
    if isinstance(type_, ListType):
        return ListType(elem)
    if isinstance(type_, SetType):
        return SetType(elem)
    if isinstance(type_, DictType):
        return DictType(own.key, elem)
    if isinstance(type_, SumType):
        return SumType(tuple(_with_class(t, own) if isinstance(t, CONTAINER_TYPES) else t for t in type_.alternatives))
    return type_


def join_shared(a: Type, b: Type) -> Type:
    """The join of two types inside a container, where nothing can be converted on one path."""
    joined = join_types(ListType(a), ListType(b))
    assert isinstance(joined, ListType)
    return joined.elem


def _joined(types: list[Type]) -> Type:
    result: Type = NEVER
    for type_ in types:
        result = join_shared(result, type_)
    return result
