"""How a value crosses the edge of a Block: which parts stay Python, which become Values, and how it is put together again.

A Plan is made where two paths meet (`join.py`). `lower` gives the Values that one path yields, in the Block that is open;
`rebuild` makes the joined Python value from the results. A Plan with no leaf costs nothing at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import MethodType

from ...ir.core import Value
from ...ir.types import Type
from ...pytree import attributes_of, items_of, rebuilt, set_attributes
from ..heap.markers import is_absent
from ..heap.recording import Recording


class Plan:
    """Base of the plans."""

    def leaves(self) -> Iterator[Type]:
        return iter(())

    def lower(self, rec: Recording, value: object) -> list[Value]:
        return []

    def rebuild(self, rec: Recording, values: Iterator[Value]) -> object:
        raise NotImplementedError


@dataclass
class Same(Plan):
    """The same Python object, or the same Value of an outer Block, on every path."""

    value: object

    def rebuild(self, rec: Recording, values: Iterator[Value]) -> object:
        return self.value


@dataclass
class Leaf(Plan):
    """One Value of type `type`. is_promoted: a tensor, which is a Python number on some path."""

    type: Type
    name: str = ""
    is_promoted: bool = False

    def leaves(self) -> Iterator[Type]:
        yield self.type

    def lower(self, rec: Recording, value: object) -> list[Value]:
        return [rec.coerce(value, self.type)]

    def rebuild(self, rec: Recording, values: Iterator[Value]) -> object:
        value = next(values)
        value.name = value.name or self.name
        if self.is_promoted:
            rec.promoted.add(value)
        return rec.wrap(value)


@dataclass
class Parts(Plan):
    """A structure whose parts are planned one by one; `take` splits a value, `make` builds the joined one."""

    children: list[Plan] = field(default_factory=list)
    made: object = field(default=None, init=False, repr=False)  # what `rebuild` made

    def take(self, value: object) -> list:
        raise NotImplementedError

    def make(self, rec: Recording, parts: list) -> object:
        raise NotImplementedError

    def leaves(self) -> Iterator[Type]:
        for child in self.children:
            yield from child.leaves()

    def lower(self, rec: Recording, value: object) -> list[Value]:
        parts = [value] * len(self.children) if is_absent(value) else self.take(value)
        return [v for child, part in zip(self.children, parts) for v in child.lower(rec, part)]

    def rebuild(self, rec: Recording, values: Iterator[Value]) -> object:
        self.made = self.make(rec, [child.rebuild(rec, values) for child in self.children])
        return self.made


@dataclass
class Again(Plan):
    """The same object as the one that `first` makes."""

    first: Parts

    def rebuild(self, rec: Recording, values: Iterator[Value]) -> object:
        return self.first.made


@dataclass
class TupleParts(Parts):
    """A tuple or namedtuple of class `cls`."""

    cls: type = tuple

    def take(self, value: object) -> list:
        assert isinstance(value, tuple)
        return [*tuple.__iter__(value)]  # whatever a subclass says

    def suits(self, value: object) -> bool:
        """Whether a value has these parts."""
        return isinstance(value, tuple) and type(value) is self.cls and tuple.__len__(value) == len(self.children)

    def make(self, rec: Recording, parts: list) -> object:
        return self.cls(*parts) if hasattr(self.cls, "_fields") else tuple.__new__(self.cls, parts)


@dataclass
class MethodParts(Parts):
    """A bound method: its object is the part."""

    function: Callable = field(kw_only=True)

    def take(self, value: object) -> list:
        assert isinstance(value, MethodType)
        return [value.__self__]

    def suits(self, value: object) -> bool:
        """Whether a value has this part."""
        return isinstance(value, MethodType) and value.__func__ is self.function

    def make(self, rec: Recording, parts: list) -> object:
        return MethodType(self.function, parts[0])


@dataclass
class ContainerParts(Parts):
    """Containers of one class with the same keys and attributes, each born on its own path: one new container stands for all.

    like: one of them.
    """

    like: object = field(kw_only=True, repr=False)

    def take(self, value: object) -> list:
        return items_of(value)

    def make(self, rec: Recording, parts: list) -> object:
        return rec.new(rebuilt(self.like, parts))


@dataclass
class ObjectParts(Parts):
    """Objects of one class with the same attributes, each born on its own path: one new object stands for all."""

    cls: type = object
    fields: tuple[str, ...] = ()

    def take(self, value: object) -> list:
        held = attributes_of(value)
        return [held[f] for f in self.fields]

    def make(self, rec: Recording, parts: list) -> object:
        made: object = object.__new__(self.cls)
        set_attributes(made, dict(zip(self.fields, parts)))
        return rec.new(made)
