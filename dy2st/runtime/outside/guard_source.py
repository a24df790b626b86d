"""What the guards of one Program ask at each call, as generated source, which is written when they are asked first.

    def hold(epoch):                                             # what names and tables lead to
        try:
            if net_0['SCALE'] is not const_1 and not same(net_0['SCALE'], const_1):
                return False
        except KeyError:
            return False
        return objects_hold(epoch)

    def objects_hold(epoch):                                     # what is read from objects
        config = value_of(net_2, 'config')
        ...

Where a value is told by what it is, `is` decides. A chain of attributes is written out as far as no code of the user's runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import (
    CellType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from ...pytree import module_of, namespace_of
from ..engine.source import Source
from ..heap.identity import SCALARS, is_told_by_text, same_object
from ..heap.markers import MISSING
from ..heap.own_attributes import in_classes
from .attribute_tables import tables_to
from .remembered import OF_CONTENTS, Contents

FILE = str(Path(__file__).parent / "<guards>")
TOLD_OTHERWISE = SCALARS - {bool, type(None)} | {MethodType, frozenset}  # these may be made anew, and be the same constant
_SAFE_GETTERS = {"__name__", "device", "dtype", "index", "name", "ndim", "type"}  # attributes whose getters in C never raise
_HEAP_TYPE = 1 << 9  # a flag of classes that a `class` statement has made


class GuardSource(Source):
    """The lines of both functions. value_of: gives an attribute as a guard does."""

    def __init__(self, value_of: Callable[[Any, str], Any]):
        super().__init__(FILE, {"same": same_object, "value_of": value_of, "MISSING": MISSING, "seen": -1})
        self._chains: dict[tuple, str] = {}  # the variable that holds what a chain leads to, within one function

    def called(self, value: Any) -> str:
        """The name of an object, with a stem that people know it by."""
        return self.name(value, _stem(value))

    def begin(self, function: str) -> None:
        """A function begins, which takes the count of changes of layers."""
        if self.text:
            self.line("", 0)
        self.line(f"def {function}(epoch):", 0)
        self._chains = {}

    def refuse(self, condition: str, depth: int = 1) -> None:
        """Where this holds, the guards don't."""
        self.line(f"if {condition}:", depth)
        self.line("return False", depth + 1)

    def expect(self, found: str, value: Any, depth: int = 1) -> None:
        """What an expression gives is to be what is remembered."""
        if isinstance(value, Contents) and value.was_empty:
            known = self.called(value.container)
            self.refuse(f"{found} is not {known} or {known}", depth)
        elif isinstance(value, OF_CONTENTS):
            self.refuse(f"not {self.name(value.still, 'still')}({found})", depth)
        elif type(value) in TOLD_OTHERWISE or is_told_by_text(type(value)):
            known = self.name(value, "const")
            self.refuse(f"{found} is not {known} and not same({found}, {known})", depth)
        else:
            self.refuse(f"{found} is not {'MISSING' if value is MISSING else self.called(value)}", depth)

    def table(self, table: Mapping[str, Any], owner: Any, name: str, value: Any) -> None:
        """A name of a module's table, or a class's, is bound to a value; to none, where that is MISSING."""
        held = self.name(table, _stem(owner, table))
        if type(table) not in (dict, MappingProxyType):
            self.expect(f"{held}.get({name!r}, MISSING)", value, 2)
        elif value is MISSING:
            self.refuse(f"{name!r} in {held}", 2)
        else:
            self.expect(f"{held}[{name!r}]", value, 2)

    def chain(self, root: Any, name: str | None, attributes: tuple[str, ...]) -> str:
        """The variable that holds what a chain leads to; the lines that follow it, where none did before."""
        key: tuple = (id(root), name)
        if key not in self._chains:
            self._chains[key] = self._start(root, name)
        found, value = self._chains[key], _start_of(root, name)
        for attribute in attributes:
            key = (*key, attribute)
            known = self._chains.get(key)
            way, value = self._step(found, value, attribute)
            if known is None:
                known = self._chains[key] = self._variable(attribute)
                self.line(f"{known} = {way}")
            found = known
        return found

    def _start(self, root: Any, name: str | None) -> str:
        if name is not None:
            found = self._variable(name)
            self.line(f"{found} = {self.name(root, _stem(None, root))}.get({name!r}, MISSING)")
            return found
        if type(root) is not CellType:
            return self.called(root)
        found = self._variable("cell")
        self.line("try:")
        self.line(f"{found} = {self.called(root)}.cell_contents", 2)
        self.line("except ValueError:")
        self.line(f"{found} = MISSING", 2)
        return found

    def _step(self, owner: str, value: Any, name: str) -> tuple[str, Any]:
        """How an attribute is read: by itself, of the class that the owner has now; of others as a guard does.

        And what it is now, or MISSING where a guard would have to ask.
        """
        cls, by_guard = type(value), f"value_of({owner}, {name!r})"
        if value is MISSING or not name.isidentifier():
            return by_guard, MISSING
        if _is_given_by_c(value, name):
            way = f"type({owner})" if name == "__class__" else f"{owner}.{name}"
            return f"{way} if type({owner}) is {self.called(cls)} else {by_guard}", getattr(value, name)
        if cls is ModuleType and name in vars(value):
            way = f"{owner}.__dict__.get({name!r}, MISSING) if type({owner}) is {self.called(cls)} else {by_guard}"
            return way, vars(value)[name]
        if cls is not ModuleType and _gives_plainly(cls, name):
            way = f"getattr({owner}, {name!r}, MISSING) if type({owner}) is {self.called(cls)} else {by_guard}"
            return way, getattr(value, name, MISSING)
        if _has_own(value, name):
            own = f"type({owner}) is {self.called(cls)} and {name!r} in {owner}.__dict__"
            return f"{owner}.__dict__[{name!r}] if {own} else {by_guard}", value.__dict__[name]
        if _is_ordinary(cls) and (tables := tables_to(value, name)):
            held = [f"{owner}.__dict__", *(f"{owner}.__dict__[{table!r}]" for table in tables)]
            lacks = " and ".join(f"{name!r} not in {table}" for table in held[:-1])
            way = f"{held[-1]}.get({name!r}, MISSING) if type({owner}) is {self.called(cls)} and {lacks} else {by_guard}"
            return way, value.__dict__[tables[-1]][name]
        return by_guard, MISSING

    def _variable(self, stem: str) -> str:
        """A name that no constant has: those end in a number."""
        return f"{stem if stem.isascii() and stem.isidentifier() else 'held'}_{len(self._chains)}_"


def _start_of(root: Any, name: str | None) -> Any:
    if name is not None:
        return root.get(name, MISSING)
    if type(root) is not CellType:
        return root
    try:
        return root.cell_contents
    except ValueError:
        return MISSING


def _is_given_by_c(value: Any, name: str) -> bool:
    """Whether C of Python's or torch's gives an attribute to objects of a class: a weak proxy gives that of another object."""
    cls = type(value)
    found = in_classes(cls.__mro__, name)
    if type(found) is not GetSetDescriptorType or type(cls.__getattribute__) is not WrapperDescriptorType:
        return False
    if name == "__class__":
        return value.__class__ is cls
    return name == "__dict__" or (name in _SAFE_GETTERS and module_of(found.__objclass__) in ("builtins", "torch", "torch._C"))


def _gives_plainly(cls: type, name: str) -> bool:
    """Whether Python looks into an object of a class of the user's, and its slots and classes, and no code of the user's runs."""
    found = in_classes(cls.__mro__, name)
    is_stored = found is MISSING or type(found) in (MemberDescriptorType, FunctionType) or not hasattr(type(found), "__get__")
    return is_stored and _is_ordinary(cls) and not hasattr(cls, "__getattr__")


def _has_own(value: Any, name: str) -> bool:
    """Whether an object has an attribute itself, and its class, which may have a `__getattr__`, has none of that name."""
    cls = type(value)
    return _is_ordinary(cls) and in_classes(cls.__mro__, name) is MISSING and name in namespace_of(value)


def _is_ordinary(cls: type) -> bool:
    return type(cls) is type and bool(cls.__flags__ & _HEAP_TYPE) and cls.__getattribute__ is object.__getattribute__


def _stem(value: Any, table: Any = None) -> str:
    """What people know an object by, as far as that can be told and is a word."""
    if table is not None and not isinstance(value, type):
        value = table.get("__name__", "names")
    text = value if isinstance(value, str) else getattr(value, "__name__", None) if _is_named(value) else None
    stem = (text if isinstance(text, str) else type(value).__name__).rpartition(".")[2].strip("<>")
    return stem if stem.isascii() and stem.isidentifier() else "held"


def _is_named(value: Any) -> bool:
    return isinstance(value, type | FunctionType | ModuleType)
