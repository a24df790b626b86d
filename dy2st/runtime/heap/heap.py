"""The heap of the code being staged: where mutable objects were born, and which of them have become Values.

A list stays a plain Python list while only the Block it was born in changes it. The first change from an inner Block (a branch, a
loop body) materialises it: a `list.new` is appended to the Block of its birth, which is still open and whose end is just before
the control flow in question, and from then on every alias of the list denotes that one Value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import partial
from types import CellType, FunctionType
from typing import NamedTuple, NoReturn, TypeGuard, TypeVar

import numpy as np

from ... import pytree
from ...errors import ConversionError, EndlessTypeError
from ...ir.core import Loc, Value
from ...ir.types import ClassType, ListType, SetType, Type
from ...ops.registry import lookup
from ...pytree import attributes_of, contents_of
from ..library import CLASSES, PYTHONS, Kept, Written, taken_apart, twin_of, why_no_twin
from ..proxies import Staged, StagedContainer, StagedList
from ..pythons import fields_of
from ..where.faults import as_the_user
from ..where.user_code import user_loc
from .births import Births
from .elements import Elements, joined_all, type_of_dict
from .frames import Frame
from .identity import CALLABLES, SCALARS, identity
from .journal import Attribute, Contents, Item, Location, is_module_namespace
from .markers import Missing, NotRolled, Restage, Unbound
from .recording import Recording
from .redirected import outside_class, redirect
from .staged_objects import can_be_staged, is_staged_object, stage, value_of

Born = TypeVar("Born")
MOST_SHAPES = 8  # numbers and names of arguments of the partials of one function
FAMILY: dict[type, str] = {list: "list", dict: "dict", set: "set"}


class Poison:
    """The only item of a Python list, dict or set that a Value of the Program stands for: every use of it is refused."""

    def __init__(self, owner: object):
        vars(self).update(owner=owner, kind=outside_class(owner).__name__)

    def refuse(self, *_: object) -> NoReturn:
        raise ConversionError(
            f"{user_loc()}: this {self.kind} is known only when the Program runs, and is read here by "
            f"something that isn't converted (a "
            "comprehension, an unpacking, a star argument, a library function): use a for loop, an index or a method of it"
        )

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.refuse()

    __hash__ = object.__hash__
    # Where `object` has a method of that name, mypy holds that it gives a value.
    __eq__ = __repr__ = __reduce_ex__ = refuse  # type: ignore[assignment]
    __lt__ = __gt__ = __bool__ = __iter__ = __len__ = __getitem__ = __call__ = __copy__ = __deepcopy__ = refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = __index__ = (
        __format__
    ) = refuse


class Moment(NamedTuple):
    """A point in time: how much had happened by then."""

    rises: int
    adopted: int
    serial: int


class KeptCallable(NamedTuple):
    """A partial or closure of which a Value was made: what it held then, what stands for it, and where it was needed."""

    function: object
    fields: dict[str, object]
    made: Kept
    loc: Loc | None


class Heap:
    """Births, materialised objects and element classes of one recording."""

    def __init__(self, rec: Recording):
        self.rec = rec
        self.elements = Elements()
        self._births = Births()
        self._adopted: list[object] = []  # in the order in which they became Values
        self._staged: dict[int, tuple[object, StagedContainer]] = {}  # id -> (object kept alive, proxy)
        self.in_state: dict[int, object] = {}  # by id: the lists, dicts and sets that state held when the call began
        self.parts_before: dict[int, list] = {}  # of what has become a Value, by id: what it held until then
        self._frozen: dict[int, tuple[object, object]] = {}  # id of a tuple of a subclass -> it, what stands for it
        self._written: dict[int, tuple[object, object]] = {}  # id of an object of Python's library -> it, what stands for it
        self._kept: dict[int, KeptCallable] = {}  # by id: partials and closures that are objects of the Program
        self.callables_in_state: dict[int, object] = {}  # by id: those that this recording doesn't know by name
        self._taken_in: dict[int, object] = {}  # by id: containers from outside that the recording itself changes
        self._shown: dict[int, dict] = {}  # the attributes of containers of a subclass, as `vars` shows them
        self._namespaces: dict[int, tuple[dict, object]] = {}  # by id: the `vars` of an object, and the object
        self.closed = 0  # of the open Blocks, so many from the outermost on whose objects mustn't become Values
        self._unordered: dict[int, object] = {}  # by id: objects whose attributes follow each other as the path decides

    def rebuilt(self, items: list) -> StagedList:
        """A list that an operator or display has put together natively, among others from lists that only the Program knows."""
        parts: list[object] = []
        for item in items:
            if isinstance(item, Poison):
                owner = vars(item)["owner"]
                if not isinstance(owner, list):
                    item.refuse()
                if owner[0] is not item:
                    raise ConversionError(
                        f"{self.rec.here()}: this list was put together from a list that has changed since; "
                        "write list(a + b) where it is put together"
                    )
                parts.append(self.staged(owner))
            elif parts and type(last := parts[-1]) is list:
                last.append(item)
            else:
                parts.append(self.born_here([item]))
        result = lookup("list.copy")(parts[0])
        for part in parts[1:]:
            result = lookup("list.concat")(result, part)
        return result

    # --- births --------------------------------------------------------------------------------------------------------

    def born_here(self, obj: Born) -> Born:
        """`obj`, which was made in the open Block."""
        if isinstance(obj, FunctionType):
            self.variables(obj)
        self._births.note(obj, self.rec.frames[-1])
        return obj

    def variables(self, function: Callable) -> list[tuple[str, CellType]]:
        """The closure variables of generated code and their cells; notes where each was born, while that can be told."""
        found = []
        code = function.__code__
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            if name == "_jst":
                continue
            if self._births.frame_of(cell) is None:
                frame = self.rec.facts.frame_of_variable(code, name)
                if frame is not None:
                    self._births.note(cell, frame)
            found.append((name, cell))
        return found

    def was_made(self, made: FunctionType | type) -> bool:
        """Whether the recording has seen a function or class being made; a function holds variables that go with the call."""
        cells = self.variables(made) if isinstance(made, FunctionType) else ()
        return self.birth(made) is not None or any(self.birth(cell) for _, cell in cells)

    def rebirth_of(self, obj: object, frame: Frame) -> None:
        """An object was born in this Frame, whichever one is open."""
        self._births.note(obj, frame)

    def let_go(self, at_once: bool = True) -> None:
        """Let what the user's code has dropped die, before it looks whether it has. at_once: however many objects there are."""
        self._births.let_go(at_once)

    def birth(self, obj: object) -> Frame | None:
        """The Frame in which `obj` was born, or None for an object from outside."""
        frame = self._births.frame_of(obj)
        while frame is not None and frame.into is not None:
            frame = frame.into
        return frame

    def home(self, obj: object) -> Frame:
        """The Frame in which `obj` becomes a Value: that of its birth; for an object from outside, that of the function."""
        return self.birth(obj) or self.rec.frames[0]

    def is_fresh(self, obj: object) -> bool:
        birth = self.birth(obj)
        return birth is not None and birth not in self.rec.frames

    def is_local(self, obj: object) -> bool:
        """Whether the innermost open Block may change `obj` natively: it was born there."""
        return self._is_local(self.birth(obj))

    def is_own(self, location: Location) -> bool:
        """Whether the innermost open Block has made the owner, so that a store there needs no undo."""
        is_outside = isinstance(location, Attribute) and id(location.owner) in self._taken_in
        return not is_outside and self.is_local(location.owner)

    def _is_local(self, birth: Frame | None) -> bool:
        frames = self.rec.frames
        return birth is frames[-1] or (birth is not None and birth not in frames)

    # --- the attributes of objects as dicts ----------------------------------------------------------------------------

    def note_namespace(self, table: dict, owner: object) -> None:
        """`table` is `vars(owner)`."""
        self._namespaces[id(table)] = (table, owner)

    def namespace_owner(self, table: object) -> object:
        """The object whose `vars` this is, or None. The dict of a module's variables stands for the module."""
        if id(table) in self._namespaces:
            return self._namespaces[id(table)][1]
        return table if is_module_namespace(table) else None

    def lose_order(self, owner: object) -> None:
        """The path decides in which order an object has its attributes: one of the call's own becomes a Value."""
        if self.is_object(owner):
            raise Restage.of_object(self, owner)
        self._unordered[id(owner)] = owner

    def has_order(self, owner: object) -> bool:
        """Whether the order of an object's attributes is known."""
        return id(owner) not in self._unordered

    def _refuse_namespace(self, obj: object) -> None:
        """ConversionError: the attributes of an object can't be a dict that only the Program knows."""
        if self.namespace_owner(obj) is not None:
            raise ConversionError(
                f"{self.rec.here()}: vars(x) with a key that is known only when the Program runs, or changed as a whole; "
                "write x.name = value, del x.name, or dict(vars(x))"
            )

    # --- materialising -------------------------------------------------------------------------------------------------

    def was_staged_late(self, location: Location) -> bool:
        """Whether an item or attribute was changed as a location of its own, and then the dict or object became a Value."""
        if isinstance(location, Attribute):
            return is_staged_object(location.owner)
        return isinstance(location, Item) and self.staged(location.owner) is not None

    def staged(self, obj: object) -> object:
        """The proxy of a materialised list, dict, set or object, or None."""
        if is_staged_object(obj):
            return obj
        if not (self._staged or self._written or self.in_state):
            return None
        key = id(obj)
        if key in self._written:
            return self._written[key][1]
        if key not in self._staged:
            if key in self.in_state:
                self._is_state_too(obj)
            return None
        found = self._staged[key]
        _refuse_refilled(self.rec, obj)
        birth = self.birth(obj)
        in_its_block = birth is not None and found[1]._value.block is birth.block
        return found[1] if in_its_block or self.rec.sees(found[1]._value) else None

    def _is_state_too(self, obj: object) -> None:
        """What lies in state is met by another path: only the Program knows what it holds by now."""
        facts = self.rec.facts
        if facts.find_root(obj) is not None:
            raise Restage.of_function(lambda: facts.add_state(Contents(obj)))

    def refuse_refilled(self) -> None:
        """At the end of the recording, of all containers that have become Values."""
        for obj, _ in (*self._staged.values(), *self._written.values()):
            _refuse_refilled(self.rec, obj)
        for kept in self._kept.values():
            _refuse_changed(kept)

    def may_refuse(self) -> bool:
        """Whether Poison may be met: there is a container that a Value stands for."""
        return bool(self._staged or self._written)

    def has_staged(self) -> bool:
        return bool(self._staged)

    def stands_for_either(self, a: object, b: object) -> bool:
        """Whether a Value stands for one of two objects."""
        return self.staged(a) is not None or self.staged(b) is not None

    def resolve(self, value: object) -> object:
        """The proxy that stands for a materialised list, dict or set; anything else as it is."""
        cls = type(value)
        if cls in SCALARS or not (self._staged or self._written or self.in_state):
            return value
        if type(value) is tuple and poison_in(value) is not None:
            return lookup("sequence.from_list")(self.rebuilt(list(value)))
        if cls not in FAMILY:
            if id(value) in self._written:
                return self._written[id(value)][1]
            if cls in CLASSES and (poison := poison_in(value)) is not None:
                poison.refuse()
            return value
        proxy = self.staged(value)
        if proxy is not None or not self._staged:
            return value if proxy is None else proxy
        poison = poison_in(value)
        if poison is None:
            return value
        return self.rebuilt(value) if type(value) is list else poison.refuse()

    def adopt(self, obj: object, proxy: object) -> None:
        """Let `proxy` stand for the list, dict or set `obj`, whoever holds it.

        What code that isn't converted reads in `obj` from now on can't be used. Operators between sets wouldn't even read it.
        """
        if type(obj) is set and not self.rec.facts.careful:
            self.rec.facts.take_care()
            raise Restage.of_function()
        if type(obj) not in FAMILY:
            self._written[id(obj)] = (obj, proxy)
        else:
            assert isinstance(proxy, StagedContainer)
            self._staged[id(obj)] = (obj, proxy)
            self._adopted.append(obj)
        if self.birth(obj) is None:
            self.rec.journal.note_at_start(Contents(obj))
        _plant(obj)
        if type(obj) not in FAMILY and type(obj) not in CLASSES:
            redirect(obj)

    def note_mutation(self, proxy: Staged) -> None:
        """A list is about to change at run time: one that was put together from it before has the old items."""
        changed = self.elements.class_of(proxy._value)
        for obj, other in self._staged.values():
            if type(obj) is list and self.elements.class_of(other._value) is changed:
                _plant(obj)

    def is_put_together(self, obj: object) -> TypeGuard[list]:
        """Whether an operator has made this list, natively, of others that only the Program knows."""
        return bool(self._staged) and type(obj) is list and self.staged(obj) is None and poison_in(obj) is not None

    def is_object(self, value: object) -> bool:
        """Whether this is an object of a user's class that can become a Value: it was made by the code being staged."""
        return self.birth(value) is not None and can_be_staged(value)

    def value(self, obj: object) -> Value:
        """The Value of a list, dict, set or object, made where it was born if there is none yet."""
        made = self.materialise(obj)
        return made._value if isinstance(made, Staged) else value_of(made)

    def materialise(self, obj: object) -> object:
        """The proxy of a list, dict, set or object, made where it was born if there is none yet."""
        proxy = self.staged(obj)
        if proxy is not None:
            return proxy
        rec = self.rec
        self._refuse_namespace(obj)
        if id(obj) in self._taken_in:
            raise Restage.of_function(lambda: rec.facts.add_state(Contents(obj)))
        if self.is_put_together(obj):
            self.born_here(obj)
            self.adopt(obj, proxy := self.rebuilt(obj))
            return proxy
        home = self.home(obj)
        self._refuse_if_closed(obj, home)
        if home in rec.frames and rec.journal.has_parts_of(obj, rec.frames.index(home) + 1):
            raise Restage.of_object(self, obj)  # what a trial changed must not be part of what it started from
        self.parts_before[id(obj)] = pytree.parts_of(obj)
        with rec.opened(home) if home not in rec.frames else rec.back_in(home):
            if type(obj) not in FAMILY:
                self._adopted.append(obj)
                return self._record_object(obj)
            proxy = self._record(obj)
        self.adopt(obj, proxy)
        return proxy

    def _refuse_if_closed(self, obj: object, home: Frame) -> None:
        """NotRolled where what Python knows is to stay so."""
        if home in self.rec.frames[: self.closed]:
            raise NotRolled(f"a {outside_class(obj).__name__} changes from turn to turn", obj)

    def lend(self, obj: list, proxy: StagedList) -> None:
        """Let `proxy` stand for a list for a while."""
        self._staged[id(obj)] = (obj, proxy)
        _plant(obj)

    def take_back(self, obj: list, items: list) -> None:
        """Nothing stands for a list any more: it holds these items."""
        del self._staged[id(obj)]
        obj[:] = items

    def _record_object(self, obj: object) -> object:
        """An `object.new` with all fields; or, where they lead back to the object, the fields one by one."""
        rec, fields = self.rec, attributes_of(obj)
        name = rec.class_text(type(obj))
        values = [] if _leads_to(list(fields.values()), obj, set()) else [rec.lower(x) for x in fields.values()]
        op = rec.emit("object.new", values, [ClassType(name, None)], {"cls": name, "fields": list(fields)[: len(values)]})
        own = self.elements.class_of(op.result)
        assert own is not None
        stage(obj, op.result)
        if not values:
            for field, value in fields.items():
                setattr(obj, field, value)
        own.is_object = True
        return obj

    def _record(self, obj: object) -> object:
        assert isinstance(obj, list | dict | set)
        rec, family = self.rec, FAMILY[type(obj)]
        items = [x for pair in obj.items() for x in pair] if isinstance(obj, dict) else list(obj)
        key = next((key for key in obj if isinstance(key, np.generic)), None) if family != "list" else None
        if key is not None:
            raise numpy_key(user_loc(), family, key)
        values = [rec.lower(x) for x in items]
        types = [rec.type_of_value(v) for v in values]
        if family == "dict":
            type_: Type = type_of_dict(obj, types[::2], types[1::2])
        else:
            type_ = ListType(joined_all(types)) if family == "list" else SetType(joined_all(types))
        return rec.wrap(rec.emit(f"{family}.new", values, [type_]).result)

    def spoken_for(self, obj: object) -> object:
        """What stands for a container of a subclass, or of `collections`, that is state, or for a closure; else `obj` itself."""
        if id(obj) in self._kept:
            return self._kept[id(obj)].made
        return self._written[id(obj)][1] if id(obj) in self._written else obj

    def written(self, obj: object) -> object:
        """What stands for a deque or the like that comes from outside, which is state; None where no path leads to it."""
        if id(obj) not in self._written and self.birth(obj) is None and not self.takes_in(obj):
            self._refuse_without_twin(obj)
            self.outside(obj)
        return self._written[id(obj)][1] if id(obj) in self._written else None

    def as_twin(self, obj: object) -> Written:
        """What stands for a container of a subclass that nobody else holds, or that can't change."""
        twin = twin_of(type(obj))
        assert twin is not None
        made: Written = self.born_here(object.__new__(twin))
        self.fill(made, fields_of(obj))
        return made

    def _frozen_twin(self, obj: tuple) -> object:
        """What stands for a tuple of a subclass: an argument, or one from outside, so all that it holds is known at the start."""
        if id(obj) not in self._frozen:
            made = self.as_twin(obj)
            self.rebirth_of(made, self.rec.frames[0])
            self._frozen[id(obj)] = (obj, made)
        return self._frozen[id(obj)][1]

    def refuse_lost(self, obj: object, name: str) -> None:
        """ConversionError where an attribute is stored in a container of a subclass that may stand for one from outside.

        A tuple there is a copy. What is kept of a list, dict or set, by another path, is an attribute apart from it.
        """
        cls = PYTHONS.get(type(obj).__bases__[0], object)
        if issubclass(cls, tuple):
            from_outside = [held for held, _ in self._frozen.values() if type(held) is cls and self.birth(held) is None]
            is_lost = bool(from_outside) or self.rec.facts.has_in_state(self.rec.class_text(cls))
        else:
            is_known = any(made is obj for _, made in self._written.values())
            is_lost = not is_known and self.rec.facts.keeps_attribute(cls, name)
        if is_lost:
            raise ConversionError(
                f"{self.rec.here()}: {name} of this {cls.__name__} is stored, which may be one from outside with another name "
                "that leads to it, and that would be lost; store it by that name, or keep what changes in an object of your own"
            )

    def fill(self, obj: object, fields: dict[str, object]) -> None:
        """Let a new object of a twin have these fields."""
        if not isinstance(fields["_items"], tuple):
            self.born_here(fields["_items"])
        vars(obj).update(fields)

    def as_value(self, obj: object) -> object:
        """What stands for a container of a subclass, or of `collections`, where it becomes a Value; None where it does itself.

        Of a subclass from outside that nothing changes, the Program knows the object. An argument, or what code that isn't
        converted has made, is asked no more from here on.
        """
        cls = type(obj)
        if isinstance(obj, tuple):
            return None if twin_of(cls) is None else self._frozen_twin(obj)
        if cls in CLASSES:
            return self.written(obj)
        if id(obj) in self._written:
            return self.spoken_for(obj)
        if id(obj) in self.rec.facts.changed:
            return self.written(obj)
        birth = self.birth(obj)
        if pytree.is_frozen(cls) or birth is None:
            return None
        if twin_of(cls) is None:
            raise ConversionError(
                f"{self.rec.here()}: which {cls.__name__} this is would be known only when the Program runs, which can't be, "
                f"since {why_no_twin(cls)}; use a {pytree.base_of(cls).__name__} of Python's own"
            )
        self._refuse_if_closed(obj, birth)
        made = self.as_twin(obj)
        self.parts_before[id(obj)] = pytree.parts_of(obj)
        self.rebirth_of(made, birth)
        self.rebirth_of(made._items, birth)
        self.adopt(obj, made)
        return made

    def _refuse_without_twin(self, obj: object) -> None:
        """ConversionError for a container of a subclass that the Program can't change."""
        cls = type(obj)
        if cls not in CLASSES and twin_of(cls) is None:
            raise ConversionError(
                f"{self.rec.here()}: this {cls.__name__} from outside is changed, and the Program can't change it, since "
                f"{why_no_twin(cls)}; use a {pytree.base_of(cls).__name__} of Python's own"
            )

    # --- partials and closures -----------------------------------------------------------------------------------------

    def as_object(self, function: object) -> object:
        """What stands for a partial or closure of this call where it becomes a Value; None where a Program knows it by name."""
        if type(function) not in CALLABLES:
            return None
        if id(function) in self._kept:
            return self._kept[id(function)].made
        frame = self.birth(function)
        found = taken_apart(function)
        if frame is None or found is None or self._holds_itself(function):
            return None
        cls, fields = found
        if any(isinstance(part, Unbound | Missing) for part in fields.values()):
            return None
        self._refuse_growth(cls)
        made = object.__new__(cls)
        vars(made).update(fields)
        self._births.note(made, frame)
        self._kept[id(function)] = KeptCallable(function, fields, made, self.rec.here())
        return made

    def _refuse_growth(self, cls: type[Kept]) -> None:
        """EndlessTypeError where a partial gets one more argument each time: each number of arguments is a class of its own."""
        classes = {found for found in self.rec.facts.objects.values() if isinstance(found, type) and issubclass(found, Kept)}
        alike = [found for found in classes - {cls} if found.__qualname__ == cls.__qualname__]
        if cls.__stands_for__ is partial and len(alike) >= MOST_SHAPES:
            raise EndlessTypeError(
                f"{self.rec.here()}: this partial is made with {MOST_SHAPES + 1} different numbers or names of arguments, each "
                "of which is another kind of value; keep the arguments in a list, and call the function with them"
            )

    def _holds_itself(self, function: object) -> bool:
        """Whether a path leads from what a partial or closure holds back to it."""

        def inside(part: object) -> Iterable[object]:
            if type(part) in CALLABLES:
                found = taken_apart(part)
                return () if found is None else found[1].values()
            is_made = self.birth(part) is not None and can_be_staged(part)
            return (*pytree.held_in(part), *(attributes_of(part).values() if is_made else ()))

        return any(part is function for held in inside(function) for part in pytree.nodes(held, inside))

    # --- changes -------------------------------------------------------------------------------------------------------

    def change(self, obj: object) -> object:
        """What to change instead of the list, dict or set `obj`: itself where that can be taken back, or its proxy."""
        if not (self._shown or self._namespaces or self._staged or self._written or self.in_state) and self.is_local(obj):
            return obj
        if id(obj) in self._shown:
            raise ConversionError(f"{self.rec.here()}: this __dict__ is changed, of a container; call setattr(x, name, value)")
        proxy = self.staged(obj)
        if proxy is not None:
            return proxy
        if self.namespace_owner(obj) is not None:
            if not self.is_local(self.namespace_owner(obj)):
                self._refuse_namespace(obj)
            return obj
        if self.is_put_together(obj) and self.rec.frame is self.rec.frames[0]:
            return self.materialise(obj)
        birth = self.birth(obj)
        if birth is None:
            return obj if self.takes_in(obj) else self.outside(obj)
        if self._is_local(birth):
            return obj
        self.rec.facts.refuse_trials(self.rec.frames[self.rec.frames.index(birth) + 1 :])
        return self.materialise(obj)

    def shown(self, attributes: dict[str, object]) -> dict[str, object]:
        """The attributes of what stands for a container, without what is kept there: a dict to be read only."""
        found = {name: held for name, held in attributes.items() if name != "_items"}
        self._shown[id(found)] = found
        return self.born_here(found)

    def takes_in(self, obj: object) -> bool:
        """Whether staging changes a container from outside natively, as the changes are undone before the function ends."""
        rec = self.rec
        if not rec.facts.swaps or rec.frame is not rec.frames[0] or not pytree.is_container(obj):
            return False
        if rec.facts.is_state(Contents(obj)) or not rec.facts.outlasts(rec, obj):
            return False
        rec.journal.note_at_start(Contents(obj))
        self.rebirth_of(obj, rec.frame)
        self._taken_in[id(obj)] = obj
        return True

    def outside(self, obj: object) -> object:
        """An object that the recording didn't see being born is changed: it is state of the Program, or it is new and hidden."""
        rec = self.rec
        entry = rec.frames[0]
        if rec.facts.find_root(obj) is None:
            is_known = type(obj) in FAMILY or type(obj) in CLASSES
            if rec.frame is entry and is_known and not rec.facts.is_unreached(rec, obj):
                return obj
            if identity(obj) in rec.facts.texts and id(obj) not in rec.facts.changed:  # it lies in what has become a Value
                raise Restage.of_function(lambda: rec.facts.changed.update({id(obj): obj}))
        inside = "" if rec.frame is entry else " inside staged control flow"
        unseen = ConversionError(
            f"{rec.here()}: this {type(obj).__name__} is changed{inside}, and where it was made can't be seen; "
            f"write {type(obj).__name__}(...) around the expression that makes it"
        )
        if not rec.facts.outlasts(rec, obj):
            raise unseen

        def learn() -> None:
            """It is state by its path before the recording changed any; what this recording has put there has none."""
            if not rec.facts.add_state(Contents(obj)):
                raise unseen

        raise Restage.of_function(learn)

    def change_item(self, obj: dict, key: object) -> object:
        """What to store a dict's item in: as `change`, but an item that exists already is a location of its own.

        A new key changes the dict itself; items changed before that in the same control flow make it be staged again.
        """
        birth = self.birth(obj)
        if birth is None or self._is_local(birth) or self.staged(obj) is not None:
            return self.change(obj)
        if as_the_user(operator.contains, obj, key):
            self.rec.journal.note(Item(obj, key))
            return obj
        raise Restage.of_object(self, obj)

    def now(self) -> Moment:
        """A point in time for `has_risen`."""
        return Moment(len(self.elements.rises), len(self._adopted), next(self.elements.serials))

    def has_risen(self, since: Moment) -> bool:
        """Whether a container that was there at that point holds more kinds of elements by now, or has become a Value since.

        What a loop body read of it before that, it read for the first iteration only.
        """
        return any(risen < since.serial for risen in self.elements.rises[since.rises :]) or any(
            not self.is_fresh(obj) for obj in self._adopted[since.adopted :]
        )


def _leads_to(values: Iterable[object], obj: object, seen: set[int]) -> bool:
    """Whether an object is among some values, or in what they hold."""
    for value in values:
        if value is obj:
            return True
        if id(value) in seen or is_staged_object(value):
            continue
        seen.add(id(value))
        fields = attributes_of(value).values() if can_be_staged(value) else ()
        if _leads_to((*contents_of(value)[1], *fields), obj, seen):
            return True
    return False


def poison_in(container: object) -> Poison | None:
    """The Poison among the items of a container, where a Value stands for it, or for one that it was put together from."""
    for item in container:  # type: ignore[attr-defined]
        if type(item) is Poison:
            return item
    return None


def _plant(obj: object) -> None:
    """Let a list, dict or set hold nothing but a new Poison."""
    poison = Poison(obj)
    pytree.refill(obj, {poison: poison} if isinstance(obj, dict) else [poison])


def _refuse_changed(kept: KeptCallable) -> None:
    """ConversionError where a partial or closure was changed after a Value was made of it."""
    found, name = taken_apart(kept.function), type(kept.function).__name__
    used_anew = next((field for field in found[1] if field not in kept.fields), None) if found else None
    if used_anew is not None:
        variable = used_anew.rpartition(".")[2].removeprefix("cell_")
        raise ConversionError(
            f"{kept.loc}: this {name} depends on the path, and uses {variable}, which only the Program knows later on; hand it "
            f"over as a default, lambda k, {variable}={variable}: ..., or give the {name} one definition on all paths"
        )
    if found is None or any(part is not kept.fields[field] for field, part in found[1].items()):
        raise ConversionError(
            f"{kept.loc}: this {name} is stored or returned, and gets an attribute, a default or a keyword of its own, which a "
            "Program doesn't keep; keep the value beside it"
        )


def _refuse_refilled(rec: Recording, obj: object) -> None:
    """ConversionError where code that isn't converted has changed a container that only the Program knows."""
    if [type(item) for item in pytree.contents_of(obj)[1]] != [Poison]:
        raise ConversionError(
            f"{rec.here()}: this {outside_class(obj).__name__} is known only when the Program runs, and something that isn't "
            "converted has changed it; hand its method on as a lambda, or change it in a function of your own"
        )


def numpy_key(loc: object, family: str, key: object) -> ConversionError:
    """What is raised for a NumPy number or text that a dict or set of the Program would keep."""
    kind, instead = ("texts", "str(key)") if isinstance(key, str) else ("numbers", "int(key) or float(key)")
    return ConversionError(f"{loc}: a {family} of the Program has no NumPy {kind} as keys; write {instead}")
