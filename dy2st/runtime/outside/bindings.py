"""What modules and classes bind names to, and what objects are: guards that are asked at every call, and are quick.

A module has one table of names. What a class gives for a name may lie in any table of its `__mro__`, the first one counts.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import resolve_name
from operator import attrgetter
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import ReferenceType

from ...converted_code import codes_in
from ..heap.journal import Location
from ..heap.markers import MISSING
from ..heap.own_attributes import in_classes
from ..where.per_code import has_instruction
from .guard_source import GuardSource

Step = tuple[Any, Mapping[str, Any], str, Any]  # whose table, the table, the name, and what it is bound to
OF_TENSORS = {name: attrgetter(name) for name in ("stop_gradient", "persistable", "name")}
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
        self._names: dict[int, tuple[Mapping[str, Any], list[str]]] = {}  # of tables that were read as a whole
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

    def shape(self, cls: type, is_users: Callable[[type], bool]) -> None:
        """A class was looked into: its bases, how many names it and its metaclass have, and what Python calls by itself."""
        self.ask(bases_of, cls)
        for base in [base for base in (*cls.__mro__, *bases_of(type(cls))) if is_users(base)]:
            self.ask(count_names, base)
            special = UNCONVERTED if base in cls.__mro__ else [name for name in vars(base) if name[:2] == "__" == name[-2:]]
            self.bind((base, vars(base), name, vars(base)[name]) for name in special if name in vars(base))

    def drop(self, locations: Iterable[Location]) -> None:
        """State isn't constant."""
        for location in locations:
            self._bound.pop((id(location.owner), getattr(location, "name", "")), None)
            self._asked.pop((id(location.owner), count_names), None)

    def write(self, source: GuardSource) -> None:
        """The lines that ask whether all still is as it was."""
        if self._bound:
            source.line("try:")
            for owner, table, name, value in self._bound.values():
                source.table(table, owner, name, value)
            source.line("except KeyError:")
            source.line("return False", 2)
        for question, about, answer in self._asked.values():
            self._write_question(source, question, about, answer)
        for table, names in self._names.values():
            source.refuse(f"[*{source.name(table, 'names')}] != {source.name(names, 'known')}")

    def _write_question(self, source: GuardSource, question: Callable, about: Any, answer: Any) -> None:
        if question is count_names:
            source.refuse(f"len({source.name(vars(about), 'names')}) & 255 != {answer}")
        else:
            asked = WRITTEN.get(question, f"{source.called(question)}({{}})").format(source.called(about))
            source.refuse(f"{asked} is not {source.called(answer)}")


def count_names(cls: type) -> int:
    """How many names a class has, as one of the numbers that Python makes once: whoever adds a method adds one."""
    return len(vars(cls)) & 255


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
        is_plain = name in vars(owner) or "__getattr__" not in vars(owner)
        return [of_table(vars(owner), name)] if is_plain and type(owner) is ModuleType else None
    if type(owner) is type and not hasattr(type, name):
        return of_class(owner, name)
    return None


def imported(function: FunctionType) -> list[str]:
    """The modules that the `import` statements in a function, and in those inside it, name: `a.b` of `from .b import c`."""
    package = function.__globals__.get("__package__") or ""
    return [_absolute(name, level, package) for code in codes_in(function.__code__) for level, name in _imports(code)]


def _imports(code: CodeType) -> Iterator[tuple[int, str]]:
    """The dots and the name of each import: they are loaded with what it takes, which is what stands between them."""
    if has_instruction(code, "IMPORT_NAME"):
        constants = [0, 0]
        for instruction in dis.get_instructions(code):
            if instruction.opname == "LOAD_CONST":
                constants.append(instruction.argval)
            elif instruction.opname == "IMPORT_NAME":
                yield constants[-2], instruction.argval


def _absolute(name: str, level: int, package: str) -> str:
    return resolve_name("." * level + name, package) if level and package else name
