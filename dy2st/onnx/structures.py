"""Types as JSON that also tells the keys of dicts: enough to put values together from their leaves.

A type is its text, as a Program has it, unless there are dicts in it:

    {"list": T}   {"sequence": T}   {"tuple": [T, ...], "name": text, "fields": [text, ...]}   {"sum": [T, ...]}
    {"dict": [[key, T], ...]}       {"object": name, "fields": [[name, T], ...]}

A key is a constant: as JSON has it, or {"literal": text}, as a Program has it: (1, "a"), inf.
"""

from __future__ import annotations

import math
from typing import Any

from ..errors import ModelFileError
from ..ir.lexer import Tokens
from ..ir.literal import LiteralReader, write_literal
from ..ir.native import Atom
from ..ir.types import NEVER, ClassType, ListType, RecordType, SequenceType, SumType, TupleType, Type
from ..saving.typed import read_type

_OF_ONE: dict[str, type[ListType | SequenceType]] = {"list": ListType, "sequence": SequenceType}


def structure(type_: Type) -> Any:
    """The JSON of a type."""
    if not type_.holds(RecordType):
        return str(type_)
    parts = [structure(part) for part in type_.parts()]
    if isinstance(type_, RecordType):
        return {"dict": [[constant(name), structure(part)] for name, part in zip(type_.names, type_.types)]}
    if isinstance(type_, ClassType):
        return {"object": type_.name, "fields": [[name, part] for (name, _), part in zip(type_.fields or (), parts)]}
    if isinstance(type_, TupleType):
        return {"tuple": parts, "name": type_.name, "fields": [*type_.fields]}
    if isinstance(type_, SumType):
        return {"sum": parts}
    return {"list" if isinstance(type_, ListType) else "sequence": parts[0]}


def read_structure(tree: Any) -> Type:
    """The type that its JSON tells. ModelFileError: it is none."""
    if isinstance(tree, str):
        return read_type(tree, "the model's metadata")
    for key, cls in _OF_ONE.items():
        if key in tree:
            return cls(read_structure(tree[key]))
    if "sum" in tree:
        return SumType(tuple(map(read_structure, tree["sum"])))
    if "tuple" in tree:
        return TupleType(tuple(map(read_structure, tree["tuple"])), str(tree["name"]), tuple(map(str, tree["fields"])))
    if "object" in tree:
        return ClassType(str(tree["object"]), tuple((str(name), read_structure(part)) for name, part in tree["fields"]))
    if "dict" not in tree:
        raise ModelFileError(f"the model's metadata tells of a type {tree!r}, which isn't one")
    names, types = tuple(read_constant(name) for name, _ in tree["dict"]), tuple(read_structure(part) for _, part in tree["dict"])
    return RecordType(NEVER, NEVER, names, types)  # what all keys and values have in common isn't asked for


def constant(value: Any) -> Any:
    """The JSON of a number, a text, None, a tuple of these, or a Python object that is known by its name."""
    if isinstance(value, Atom):
        return {"atom": value.text}
    is_number = isinstance(value, float) and math.isfinite(value)
    return value if value is None or is_number or isinstance(value, int | str) else {"literal": write_literal(value)}


def read_constant(tree: Any) -> Any:
    """The constant that its JSON tells. ValueError, TypeError or KeyError: it is none."""
    if isinstance(tree, dict) and "atom" in tree:
        return Atom(str(tree["atom"]))
    value = LiteralReader().read(Tokens(tree["literal"])) if isinstance(tree, dict) else tree
    hash(value)
    return value
