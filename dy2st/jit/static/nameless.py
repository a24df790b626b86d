"""Results that only the process that staged the Program knows: a file can't hold them."""

from __future__ import annotations

from enum import Enum
from typing import Any

from ...errors import ConversionError
from ...ir.core import Operation
from ...ir.types import AtomType, ClassType, DictType, SetType, SumType, TupleType, Type
from ...runtime.library import Kept
from ...runtime.pythons import FACTORIES, NAMED
from ...runtime.where.tracebacks import lead_through
from .concrete import ConcreteProgram


def refuse_nameless(concrete: ConcreteProgram) -> None:
    """ConversionError where a result is, or holds, what this process can give back, and no other."""
    end = concrete.program.entry.block.terminator
    assert end is not None
    pending = list(concrete.result_types)
    while pending:
        type_ = pending.pop()
        pending.extend(part for part in type_.parts() if not _is_factory(type_, part))
        if isinstance(type_, AtomType):
            kept = f"the result may be the Python object {type_.text}, which a file can't hold"
            raise refusal(end, f"{kept}; return its fields, or make a new object on each path")
        if (key := _object_key(type_, concrete.staged.objects)) is not None:
            kept = f"the result holds a dict or set by objects of class {key}, which come back from a file without their hash"
            raise refusal(end, f"{kept}; use a text, a number or a tuple for a key")
        if isinstance(type_, ClassType) and type_.name == object.__name__:
            kept = "the result holds an object(), which a file can't hold: it is known by nothing but itself"
            raise refusal(end, f"{kept}; return a number or a text in its place")
        if isinstance(type_, ClassType) and _is_callable(concrete.staged.objects.get(f"class {type_.name}")):
            kept = f"the result holds a function, {type_.name}, which a file can't hold"
            raise refusal(end, f"{kept}; return the values that it needs")


def _object_key(type_: Type, objects: dict) -> str | None:
    """The class of objects that are keys of a dict, or in a set; None where there are none, or only members of Enums."""
    keys = [type_.key] if isinstance(type_, DictType) else [type_.elem] if isinstance(type_, SetType) else []
    while keys:
        key = keys.pop()
        cls = objects.get(f"class {key.name}") if isinstance(key, ClassType) else None
        if isinstance(cls, type) and not issubclass(cls, Enum):
            return cls.__name__
        keys.extend(key.parts() if isinstance(key, SumType | TupleType) else ())
    return None


def refusal(op: Operation, text: str) -> ConversionError:
    """What is raised at the user's line of an Operation."""
    return lead_through(op.loc, ConversionError(f"{op.loc}: {text}"))


def _is_callable(cls: Any) -> bool:
    """Whether objects of a class stand for partials or closures."""
    return isinstance(cls, type) and issubclass(cls, Kept)


def _is_factory(owner: Type, part: Type) -> bool:
    """Whether a part of a result is what makes a defaultdict's values, and one of Python's own: any process knows it by name."""
    if not isinstance(owner, ClassType) or not isinstance(part, AtomType) or part.text not in FACTORIES:
        return False
    return owner.name in NAMED or {"_items", "default_factory"} <= {name for name, _ in owner.fields or ()}
