"""The undo journal: every write to the heap by converted code, so that a trial of a branch or a loop body can be taken back.

A savepoint opens a trial; `rollback` ends it, restores every location and tells what had changed. A location is a place on the
heap that holds one value: an attribute, a dictionary item, a closure cell, a global.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping
from contextvars import ContextVar, Token, copy_context
from dataclasses import dataclass
from types import CellType, FunctionType, MemberDescriptorType

from ... import pytree
from ..proxies import Staged
from ..pythons import held
from ..tensors.tensor import Tensor
from ..where.faults import as_the_user
from .attribute_order import Layout, is_layer, move_to_end, order_of, tables_of
from .identity import SCALARS, same_constant
from .markers import MISSING, Unbound
from .own_attributes import in_classes, own_attribute, refuse_in_c
from .redirected import give_back, outside_class
from .staged_objects import is_staged_object


@dataclass(frozen=True, eq=False)
class Attribute:
    """`owner.name`, on an object with a `__dict__` or slots: what it has itself, whatever its class has under this name."""

    owner: object
    name: str

    @property
    def key(self) -> tuple:
        return ("attribute", id(self.owner), self.name)

    def get(self) -> object:
        if is_staged_object(self.owner):
            return MISSING  # the Program holds its fields now
        return own_attribute(self.owner, self.name)

    def set(self, value: object) -> None:
        if value is MISSING:
            as_the_user(delattr, self.owner, self.name)
        else:
            if isinstance(value, Staged):
                refuse_in_c(self.owner, self.name)
            as_the_user(setattr, self.owner, self.name, value)

    def restore(self, value: object) -> None:
        """Put a value back, past `__setattr__`, which may check or count."""
        tables = tables_of(self.owner) if is_layer(self.owner) and value is not MISSING else ()
        if (table := next((table for table in tables if self.name in table), None)) is not None:
            table[self.name] = value  # in which table it was, the `Layout` knows
            return
        stored = pytree.namespace_of(self.owner)
        slot = in_classes(type(self.owner).__mro__, self.name)
        if isinstance(stored, dict) and self.name in stored:
            if value is MISSING:
                del stored[self.name]
            else:
                stored[self.name] = value
        elif value is MISSING and self.get() is MISSING:
            return
        elif not isinstance(slot, MemberDescriptorType) or is_staged_object(self.owner):
            self.set(value)
        elif value is MISSING:
            slot.__delete__(self.owner)
        else:
            slot.__set__(self.owner, value)

    def keep(self, value: object) -> None:
        """Put in a value that stays: a layer keeps it in the table that it belongs in, past a `__setattr__` of the user's."""
        if is_layer(self.owner) and type(self) is Attribute and value is not MISSING and not self._is_plain(value):
            layer = next(vars(cls) for cls in type(self.owner).__mro__ if "_table_for" in vars(cls))
            layer["__setattr__"](self.owner, self.name, value)
        else:
            self.restore(value)

    def _is_plain(self, value: object) -> bool:
        """Whether this, and what the layer has under this name, are among its plain attributes."""
        return self.name in vars(self.owner) and not isinstance(value, Tensor) and not is_layer(value)

    def move_last(self) -> None:
        """Let it be the last of the object's attributes."""
        for table in tables_of(self.owner):
            if self.name in table:
                move_to_end(table, [self.name])

    def __str__(self) -> str:
        cls = self.owner if isinstance(self.owner, type) else type(self.owner)
        return f"{cls.__name__}.{self.name}"


@dataclass(frozen=True, eq=False)
class PlainAttribute(Attribute):
    """`owner.name` as `object.__setattr__` stores it: past what the class says of stores."""

    def set(self, value: object) -> None:
        if value is MISSING:
            as_the_user(object.__delattr__, self.owner, self.name)
        else:
            as_the_user(object.__setattr__, self.owner, self.name, value)


@dataclass(frozen=True, eq=False)
class Gradient(Attribute):
    """`tensor.grad`, past the property, which asks the mode."""

    owner: Tensor
    name: str = "grad"

    def get(self) -> object:
        return self.owner._grad

    def set(self, value: object) -> None:
        self.owner._grad = value

    restore = set


class Hashed:
    """A key that is asked for its hash once, as the user's statement asks it: its `__hash__` may say something else later."""

    def __init__(self, index: object):
        self.index, self._hash = index, hash(index)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        index = other.index if isinstance(other, Hashed) else other
        return self.index is index or self.index == index


@dataclass(frozen=True, eq=False)
class Item:
    """`owner[index]` of a dictionary: also a global variable, where `owner` is the module's namespace."""

    owner: MutableMapping
    index: object

    @property
    def name(self) -> str:
        return self.index if isinstance(self.index, str) else ""

    @property
    def key(self) -> tuple:
        return ("item", id(self.owner), self.index if type(self.index) in SCALARS else self._hashed())

    def get(self) -> object:
        return self.owner.get(self._found_by(), MISSING)

    def set(self, value: object) -> None:
        index = self._found_by()
        if value is MISSING:
            self.owner.pop(index, None)
        else:
            self.owner[index if index in self.owner else self.index] = value

    def _found_by(self) -> object:
        """The key; what stands for one whose `__hash__` says something else by now, or raises."""
        hashed = self.index if type(self.index) in SCALARS else self._hashed()
        if not isinstance(hashed, Hashed):
            return hashed
        try:
            return self.index if hash(self.index) == hash(hashed) else hashed
        except Exception:
            return hashed

    def _hashed(self) -> object:
        """The key, or one of the user's as it is when the item is noted."""
        if not isinstance(type(self.index).__hash__, FunctionType):
            return self.index
        if "hashed" not in vars(self):
            vars(self)["hashed"] = Hashed(self.index)
        return vars(self)["hashed"]

    restore = set

    def __str__(self) -> str:
        return f"[{self.index!r}]"


def is_module_namespace(table: object) -> bool:
    """Whether a dict holds the variables of a module."""
    return type(table) is dict and "__name__" in table and ("__builtins__" in table or "__spec__" in table)


@dataclass(frozen=True, eq=False)
class Variable:
    """A closure cell; `name` is the variable's, for messages."""

    owner: CellType
    name: str

    @property
    def key(self) -> tuple:
        return ("cell", id(self.owner))

    def get(self) -> object:
        try:
            return self.owner.cell_contents
        except ValueError:
            return MISSING

    def set(self, value: object) -> None:
        if value is MISSING:
            del self.owner.cell_contents
        else:
            self.owner.cell_contents = value

    def restore(self, value: object) -> None:
        if value is not MISSING or self.get() is not MISSING:
            self.set(value)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Contents:
    """All that a list, dict or set holds, as one value (a shallow copy)."""

    owner: object
    name: str = "contents"

    @property
    def key(self) -> tuple:
        return ("contents", id(self.owner))

    def get(self) -> object:
        return held(self.owner)

    def set(self, value: object) -> None:
        give_back(self.owner)
        pytree.refill(self.owner, value)

    restore = set

    def __str__(self) -> str:
        return f"a {outside_class(self.owner).__name__}"


@dataclass(frozen=True, eq=False)
class ContextVariable:
    """What a variable of `contextvars` holds. It is unset by the token of the `set` before which it was unset."""

    owner: ContextVar
    name: str = "value"

    @property
    def key(self) -> tuple:
        return ("context", id(self.owner))

    def get(self) -> object:
        return copy_context().get(self.owner, MISSING)

    def set(self, value: object) -> None:
        if value is not MISSING:
            self.given(value)
        elif self.get() is not MISSING:
            self.owner.reset(_UNSETTING.pop(self.owner))

    restore = set

    def given(self, value: object) -> Token:
        """Set it, and give the token."""
        was_unset, token = self.get() is MISSING, self.owner.set(value)
        if was_unset:
            _UNSETTING[self.owner] = token
        return token

    def __str__(self) -> str:
        return self.owner.name


_UNSETTING: dict[ContextVar, Token] = {}  # which lives as long as Python does


@dataclass(frozen=True)
class TokenUse:
    """Whether a recording has used a token, which is good for one `reset` of its variable. table: the tokens that it has used."""

    owner: Token
    table: dict[int, tuple[Token, object]]
    name: str = "used"

    @property
    def key(self) -> tuple:
        return ("token", id(self.owner))

    def get(self) -> object:
        return self.table.get(id(self.owner), (self.owner, False))[1]

    def set(self, value: object) -> None:
        self.table[id(self.owner)] = self.owner, value

    restore = set


Location = ContextVariable | TokenUse | Attribute | Item | Variable | Contents


def keep(location: Location, value: object) -> None:
    """Let a location hold a value that stays there."""
    if isinstance(location, Attribute):
        location.keep(value)
    else:
        location.restore(value)


@dataclass
class Change:
    """One location that a trial changed: what it held before and after."""

    location: Location
    before: object
    after: object = None


class Savepoint:
    """The first change of each location since a savepoint, by its key, and the layouts of the objects changed, by id."""

    __slots__ = ("changes", "layouts")

    def __init__(self) -> None:
        self.changes: dict[tuple, Change] = {}
        self.layouts: dict[int, tuple[object, Layout]] = {}

    def note(self, location: Location) -> None:
        """Remember what a location holds now."""
        self.remember_layout(location)
        key = location.key
        if key not in self.changes:
            self.changes[key] = Change(location, location.get())

    def note_held(self, location: Location, before: object, after: object) -> None:
        """Remember what a location holds, where it is known, and that it will hold `after`."""
        if before is MISSING or after is MISSING or isinstance(before, Tensor) is not isinstance(after, Tensor):
            self.remember_layout(location)
        self.changes.setdefault(location.key, Change(location, before))

    def remember_layout(self, location: Location) -> None:
        if isinstance(location, Attribute) and id(location.owner) not in self.layouts:
            self.layouts[id(location.owner)] = location.owner, Layout(location.owner)

    def restore(self) -> dict[tuple, Change]:
        """Restore every noted location, newest first; gives those that had really changed. Restoring again does no harm."""
        noted = {key: change for key, change in self.changes.items() if not _is_moot(change.location)}
        for change in noted.values():
            change.after = change.location.get()
        for change in reversed(noted.values()):
            if change.after is not change.before:
                change.location.restore(change.before)
        for _, layout in self.layouts.values():
            layout.restore()
        return {key: change for key, change in noted.items() if changed(change)}


class Journal:
    """A stack of savepoints. A change is noted before it is made, and a savepoint leaves the stack when it is restored.

    So an interrupt may come at any bytecode: what it leaves of the stack is restored by `rollback` of a trial further out.
    """

    def __init__(self) -> None:
        self._savepoints: list[Savepoint] = []
        self.used_tokens: dict[int, tuple[Token, object]] = {}

    def savepoint(self) -> int:
        """Open a trial; gives the number of trials around it, for `rollback`."""
        self._savepoints.append(Savepoint())
        return len(self._savepoints) - 1

    def orders(self) -> dict[int, tuple[object, list[str]]]:
        """The objects whose attributes the current trial has noted, by id, each with the order that they have now."""
        return {key: (owner, order_of(owner)) for key, (owner, _) in self._savepoints[-1].layouts.items()}

    def changed_since(self, depth: int) -> list[Change]:
        """What has really changed since there were `depth` trials, so far."""
        return really_changed(self._first_changes(depth))

    def _first_changes(self, depth: int) -> list[Change]:
        """The first change of each location since there were `depth` trials."""
        if len(self._savepoints) == depth + 1:
            return [*self._savepoints[-1].changes.values()]
        first: dict[tuple, Change] = {}
        for savepoint in self._savepoints[depth:]:
            for key, change in savepoint.changes.items():
                first.setdefault(key, change)
        return [*first.values()]

    def noted(self) -> dict[tuple, object]:
        """What each location that the current trial has noted holds now."""
        return {key: change.location.get() for key, change in self._savepoints[-1].changes.items()}

    def changed_after(self, noted: dict[tuple, object]) -> list[Change]:
        """What has really changed since `noted()`, in the current trial."""
        noted_now = self._savepoints[-1].changes.items()
        return really_changed(Change(change.location, noted.get(key, change.before)) for key, change in noted_now)

    def note(self, location: Location) -> None:
        """Remember what a location holds now, because it may be written before the trial ends."""
        self._savepoints[-1].note(location)

    def before(self, location: Location) -> object:
        """What a location held when the current trial began, or MISSING if it isn't noted."""
        change = self._savepoints[-1].changes.get(location.key)
        return MISSING if change is None else change.before

    def write(self, location: Location, value: object) -> None:
        """Store into a location, noted first, as an interrupt may follow the store; one that raises has stored nothing."""
        is_noted = location.key in self._savepoints[-1].changes
        self.note(location)
        try:
            location.set(value)
        except Exception:
            if not is_noted:
                self._savepoints[-1].changes.pop(location.key)
            raise

    def note_at_start(self, location: Location) -> None:
        """Remember what a location holds, to put it back when the whole recording ends."""
        self._savepoints[0].changes.setdefault(location.key, Change(location, location.get()))

    def has_parts_of(self, owner: object, depth: int) -> bool:
        """Whether a trial inside the first `depth` ones will put back items of this dict, or attributes of this object."""
        return any(
            isinstance(c.location, Item | Attribute) and c.location.owner is owner
            for savepoint in self._savepoints[depth:]
            for c in savepoint.changes.values()
        )

    @property
    def depth(self) -> int:
        """How many trials are going on."""
        return len(self._savepoints)

    def pending(self, depth: int = 0) -> list[Change]:
        """What has really changed since the current trial began, so far (`depth`: since that many trials were going on)."""
        since = depth - 1 if depth else len(self._savepoints) - 1
        return really_changed(change for change in self._first_changes(since) if not _is_moot(change.location))

    def commit(self, is_own: Callable[[Location], bool]) -> None:
        """End the trial and keep what it did, as part of the trial around it; `is_own`: nobody takes back a store there."""
        outer, inner = self._savepoints[-2:]
        for key, change in inner.changes.items():
            if not is_own(change.location):
                outer.changes.setdefault(key, change)
        outer.layouts = {**inner.layouts, **outer.layouts}
        self._savepoints.pop()

    def rollback(self, depth: int = 0) -> dict[tuple, Change]:
        """End all trials but the first `depth`; gives what the outermost of those ended had really changed."""
        changes: dict[tuple, Change] = {}
        while len(self._savepoints) > depth:
            changes = self._savepoints[-1].restore()
            self._savepoints.pop()
        return changes


def _is_moot(location: Location) -> bool:
    """Whether a location was an attribute of an object that has become a Value since: the Program holds its fields."""
    return isinstance(location, Attribute) and is_staged_object(location.owner)


def really_changed(noted: Iterable[Change]) -> list[Change]:
    """The changes, of those noted, whose location holds another value now; asked before each operation that may raise."""
    found = []
    for change in noted:
        after = change.location.get()
        if after is not change.before and changed(now := Change(change.location, change.before, after)):
            found.append(now)
    return found


def changed(change: Change) -> bool:
    """Whether a noted location really ended with another value."""
    before, after = change.before, change.after
    if isinstance(change.location, Contents):
        return not same_contents(before, after)
    return before is not after and not same_constant(before, after)


def absent_as_unbound(location: Location, value: object) -> object:
    """What a location holds, as a name would: Unbound where it doesn't exist."""
    return Unbound(str(location)) if value is MISSING else value


def same_contents(a: object, b: object) -> bool:
    """Whether two lists, dicts, sets or tuples hold the same objects."""
    if isinstance(a, dict) and isinstance(b, dict):
        same_keys = len(a) == len(b) and all(x is y or (type(x) is type(y) and x == y) for x, y in zip(a, b))
        return same_keys and all(a[k] is b[k] for k in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(x is y for x, y in zip(a, b))
    return a == b
