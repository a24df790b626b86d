"""What a `Status` tells, as JSON: `jax.export` keeps it beside the computation, and another process raises the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import ModelFileError
from ..graphs.lowering.faults import Detail, ErrorEntry
from ..ir.core import Loc
from ..ir.types import Type
from ..passes.values.texts import MadeText, makes_texts
from ..saving.attributes import decode, encode, of_plain, plain
from ..saving.locations import file_name
from ..saving.typed import read_type
from ..saving.untrusted import expect, parse_json
from .lowering.codes import know
from .lowering.forms import Form
from .lowering.texts import Codes, Either, Known, Recipe

_WHERE = "status"
_CLASSES: dict[str, Any] = {x.__name__: x for x in (Detail, ErrorEntry, MadeText, Form, Known, Recipe, Either, Codes)}


def written(entries: Iterable[ErrorEntry], forms: Mapping[int, Form], texts: Iterable[str]) -> bytes:
    """The JSON of the exceptions, of what details of messages are, and of the texts whose numbers a computation gives."""
    tree = encode((tuple(entries), dict(forms), tuple(sorted(texts))), _leaf)
    return json.dumps(tree, ensure_ascii=True, separators=(",", ":")).encode()


def read(data: bytes | bytearray) -> tuple[tuple[ErrorEntry, ...], dict[int, Form], tuple[str, ...]]:
    """What `written` was given. ModelFileError: this is something else."""
    found = decode(parse_json(bytes(data), _WHERE), _WHERE, _of_leaf, keys=(str, int))
    entries, forms, texts = expect(found, tuple, _WHERE)
    know(texts)
    return entries, forms, texts


def _leaf(value: Any) -> Any:
    kind = type(value)
    if kind.__name__ in _CLASSES and isinstance(value, _CLASSES[kind.__name__]):
        return {kind.__name__: [encode(getattr(value, field.name), _leaf) for field in fields(value)]}
    if isinstance(value, Loc):
        return {"loc": [file_name(value), value.line, value.function, value.column, value.caller and _leaf(value.caller)]}
    if isinstance(value, Type):
        return {"type": str(value)}
    return {"dtype": value.name} if isinstance(value, np.dtype) else plain(value)


def _of_leaf(tag: str, body: Any, where: str) -> Any:
    if tag == "type":
        return read_type(body, where)
    if tag == "dtype":
        return np.dtype(object) if body == "object" else as_dtype(expect(body, str, where)).numpy
    if tag != "loc" and tag not in _CLASSES:
        return of_plain(tag, body, where)
    parts = decode(expect(body, list, where), where, _of_leaf, keys=(str, int))
    try:
        made = Loc(*parts) if tag == "loc" else _CLASSES[tag](*parts)
    except TypeError:
        raise ModelFileError(f"{where}: {len(parts)} values make no {tag}") from None
    if isinstance(made, Recipe | MadeText) and not makes_texts(made.operator):
        raise ModelFileError(f"{where}: {made.operator!r} makes no text")
    return made
