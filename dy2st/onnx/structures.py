"""Types as JSON that also tells the keys of dicts and the fields of objects: enough to put values together from their leaves.

    "float32[2,3]"   {"list": T}   {"tuple": [T, ...]}   {"dict": [[key, T], ...]}   {"object": name, "fields": [[name, T], ...]}
"""

from __future__ import annotations

from typing import Any

from ..errors import ModelFileError
from ..ir.types import NEVER, ClassType, ListType, RecordType, TupleType, Type
from ..saving.typed import read_type


def structure(type_: Type) -> Any:
    """The JSON of a type."""
    if isinstance(type_, ListType):
        return {"list": structure(type_.elem)}
    if isinstance(type_, TupleType) and not type_.name:
        return {"tuple": [structure(elem) for elem in type_.elems]}
    if isinstance(type_, RecordType):
        return {"dict": [[name, structure(part)] for name, part in zip(type_.names, type_.types)]}
    if isinstance(type_, ClassType):
        return {"object": type_.name, "fields": [[name, structure(part)] for name, part in type_.fields or ()]}
    return str(type_)


def read_structure(tree: Any) -> Type:
    """The type that its JSON tells. ModelFileError: it is none."""
    if isinstance(tree, str):
        return read_type(tree, "the model's metadata")
    if "list" in tree:
        return ListType(read_structure(tree["list"]))
    if "tuple" in tree:
        return TupleType(tuple(map(read_structure, tree["tuple"])))
    if "object" in tree:
        return ClassType(str(tree["object"]), tuple((str(name), read_structure(part)) for name, part in tree["fields"]))
    if "dict" not in tree:
        raise ModelFileError(f"the model's metadata tells of a type {tree!r}, which isn't one")
    names, types = tuple(name for name, _ in tree["dict"]), tuple(read_structure(part) for _, part in tree["dict"])
    return RecordType(NEVER, NEVER, names, types)  # what all keys and values have in common isn't asked for
