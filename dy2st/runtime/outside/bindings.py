"""What modules and classes bind names to, and what objects are: guards that are asked at every call, and are quick.

A module has one table of names. What a class gives for a name may lie in any table of its `__mro__`, the first one counts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib.util import resolve_name
from operator import attrgetter
from types import FunctionType, ModuleType
from typing import Any
from weakref import ReferenceType

from ...converted_code import codes_in
from ...python_library import is_installed_file
from ...pytree import module_of
from ..heap.journal import Location
from ..heap.markers import MISSING
from ..heap.own_attributes import in_classes
from ..where.per_code import import_statements
from .guard_source import GuardSource

Step = tuple[Any, Mapping[str, Any], str, Any]  # whose table, the table, the name, and what it is bound to
OF_TENSORS = {name: attrgetter(name) for name in ("stop_gradient", "persistable", "name")}
# Names of this form that Python doesn't ask by itself: code that reads one of them mentions it.
ONLY_READ = set(
    "__module__ __doc__ __dict__ __weakref__ __qualname__ __annotations__ __annotate_func__ __annotations_cache__ "
    "__firstlineno__ __static_attributes__ __orig_bases__ __parameters__ __type_params__ __dataclass_params__".split()
)
# Names that Python itself adds to a class, when an object is copied or pickled for the first time, or annotations are asked for.
ADDED = frozenset(("__slotnames__", "__annotations_cache__"))
UNCONVERTED = ("__eq__", "__hash__", "__class_getitem__")  # methods of classes that Python calls by itself, which nothing enters
bases_of = attrgetter("__mro__")
OF_FUNCTIONS = {name: attrgetter(name) for name in ("__code__", "__defaults__", "__kwdefaults__")}
WRITTEN: dict[Callable, str] = {question: f"{{}}.{name}" for name, question in (*OF_TENSORS.items(), *OF_FUNCTIONS.items())}
WRITTEN |= {type: "type({})", bases_of: "{}.__mro__"}  # how a question is written in generated source
OF_TENSORS["trainable"] = OF_TENSORS["stop_gradient"]


class Bindings:
    """Names of tables, and plain properties of objects, that are to stay what they are."""

    def __init__(self) -> None:
        self._bound: dict[tuple[int, str], Step] = {}
        self._names: dict[int, tuple[Mapping[str, Any], list[str]]] = {}  # of tables whose names are to stay what they are
        # Of tables of installed packages: how many names they have, and how many without those that Python adds.
        self._counted: dict[int, tuple[Mapping[str, Any], int, int]] = {}
        self._state: dict[int, set[str]] = {}  # names of these tables that are state
        self._asked: dict[tuple[int, Callable], tuple[Callable, Any, Any]] = {}

    def bind(self, steps: Iterable[Step]) -> None:
        """These names of these tables were read."""
        for step in steps:
            self._bound.setdefault((id(step[0]), step[2]), step)

    def bind_all(self, owner: Any, table: Mapping[str, Any]) -> None:
        """Any name of a table may have been read, and which names it has."""
        self._names.setdefault(id(owner), (table, list(table)))
        self.bind((owner, table, name, value) for name, value in table.items())

    def ask(self, question: Callable[[Any], Any], about: Any) -> Any:
        """What a question says about an object, which it is to say again."""
        return self._asked.setdefault((id(about), question), (question, about, question(about)))[2]

    def shape(self, cls: type, is_users: Callable[[type], bool]) -> list[Any]:
        """Guard a class: its bases and its metaclass, the names that each of them has, and their special methods.

        Every name counts: Python asks classes for special methods by itself, and what was absent may appear. Gives these methods.
        Of an installed package's class, which may have hundreds, only their number counts, and what nothing enters.
        """
        metaclass = type(cls)
        self.ask(bases_of, cls)
        if metaclass is not type:
            self.ask(type, cls)
            self.ask(bases_of, metaclass)
        found: list[Any] = []
        for base in filter(is_users, (*cls.__mro__, *bases_of(metaclass))):
            table = vars(base)
            special = [(name, value) for name, value in table.items() if is_special(name)]
            if is_installed(sys.modules.get(module_of(base))):
                self._counted.setdefault(id(base), (table, len(table), len(table.keys() - ADDED)))
                special = [(name, value) for name, value in special if name in UNCONVERTED or base not in cls.__mro__]
            else:
                self._names.setdefault(id(base), (table, list(table)))
            self.bind((base, table, name, value) for name, value in special)
            found += [value for _, value in special]
        return found

    def drop(self, locations: Iterable[Location]) -> None:
        """State isn't constant."""
        for location in locations:
            name = getattr(location, "name", "")
            self._bound.pop((id(location.owner), name), None)
            self._counted.pop(id(location.owner), None)
            if id(location.owner) in self._names:
                self._state.setdefault(id(location.owner), set()).add(name)

    def write(self, source: GuardSource) -> None:
        """The lines that ask whether all still is as it was."""
        if self._bound:
            source.line("try:")
            for owner, table, name, value in self._bound.values():
                source.table(table, owner, name, value)
            source.line("except KeyError:")
            source.line("return False", 2)
        for question, about, answer in self._asked.values():
            asked = WRITTEN.get(question, f"{source.called(question)}({{}})").format(source.called(about))
            source.refuse(f"{asked} is not {source.called(answer)}")
        for table, count, own in self._counted.values():
            held = source.name(table, "names")
            source.refuse(f"len({held}) != {count} and len({held}.keys() - {source.name(ADDED, 'added')}) != {own}")
        self._write_names(source)

    def _write_names(self, source: GuardSource) -> None:
        """The names of all tables are one list, with a 0 after each table; those with state are lists of their own."""
        shown, known = [], []
        for owner, (table, names) in self._names.items():
            held = source.name(table, "names")
            if state := self._state.get(owner):
                state = state | ADDED
                constant = source.name([name for name in names if name not in state], "known")
                source.refuse(f"[name for name in {held} if name not in {source.name(state, 'state')}] != {constant}")
            else:
                shown.append(f"*{held}, 0")
                known += [*names, 0]
        if shown:
            listed, own = f"[{', '.join(shown)}]", source.name([name for name in known if name not in ADDED], "known")
            filtered = f"[name for name in {listed} if name not in {source.name(ADDED, 'added')}]"
            source.refuse(f"{listed} != {source.name(known, 'known')} and {filtered} != {own}")


def is_installed(module: ModuleType | None) -> bool:
    """Whether a module is one of a package that is installed."""
    file = None if module is None else vars(module).get("__file__")
    return isinstance(file, str) and is_installed_file(file)


def is_special(name: str) -> bool:
    """Whether Python may ask a class for this name by itself."""
    return name[:2] == "__" == name[-2:] and name not in ONLY_READ


def has_died(reference: ReferenceType) -> bool:
    """Whether what a weak reference refers to is no more."""
    return reference() is None


def of_table(table: dict[str, Any], name: str) -> Step:
    """A name of a module's table."""
    return table, table, name, table.get(name, MISSING)


def has_name(cls: type, name: str) -> bool:
    """Whether a table of a class has a name; a descriptor of the user's isn't asked."""
    return in_classes(cls.__mro__, name) is not MISSING


def of_class(cls: type, name: str) -> list[Step]:
    """A name of a class: the table that has it, and those before it, which might come to have it."""
    steps: list[Step] = []
    for base in cls.__mro__[:-1]:
        steps.append((base, vars(base), name, vars(base).get(name, MISSING)))
        if name in vars(base):
            break
    return steps


def of_owner(owner: Any, name: str) -> list[Step] | None:
    """How a module or class gives an attribute; None where that isn't just a matter of tables."""
    if isinstance(owner, ModuleType):
        asked = (name,) if name in vars(owner) else (name, "__getattr__")
        is_plain = name in vars(owner) or "__getattr__" not in vars(owner)
        return [of_table(vars(owner), each) for each in asked] if is_plain and type(owner) is ModuleType else None
    if type(owner) is type and not hasattr(type, name):
        return of_class(owner, name)
    return None


def imported(function: FunctionType) -> list[str]:
    """The modules that the `import` statements in a function, and in those inside it, name: `a.b` of `from .b import c`."""
    package = function.__globals__.get("__package__") or ""
    return [_absolute(name, level, package) for code in codes_in(function.__code__) for level, name in import_statements(code)]


def _absolute(name: str, level: int, package: str) -> str:
    return resolve_name("." * level + name, package) if level and package else name
