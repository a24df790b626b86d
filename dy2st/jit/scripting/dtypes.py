"""The dtypes of the Tensors in a type.

A Tensor has no dtype in a hint. Each position in a hint where a Tensor may stand takes its dtype from the values that are passed.
Before any are, it has the default dtype.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...dtypes import get_default_dtype
from ...ir.join import alternatives, map_tensors
from ...ir.types import (
    NEVER,
    ClassType,
    DictType,
    ListType,
    RecordType,
    SetType,
    SumType,
    TensorType,
    TupleType,
    Type,
    parse_type,
)
from ...runtime.tensors.tensor import Tensor
from ..interface.errors import ScriptTypeError

ANY = "any"  # the dtype of a Tensor in a hint, until a value tells it


def tensors_in(type_: Type) -> Iterator[TensorType]:
    """The positions in a type where a Tensor may stand."""
    if isinstance(type_, TensorType):
        yield type_
    for part in type_.parts():
        yield from tensors_in(part)


def with_dtypes(type_: Type, dtypes: Iterator[str]) -> Type:
    """The type with a dtype for each position where a Tensor may stand."""

    def given(_: TensorType) -> Type:
        dtype = next(dtypes)
        return parse_type(dtype) if "[" in dtype else TensorType(dtype)

    return map_tensors(type_, given)


def given_dtypes(type_: Type, value: Any, where: str) -> Iterator[str]:
    """The dtype and rank of the Tensor at each position of a type, `float32[?,?]`; the default dtype where there is none."""
    if isinstance(type_, TensorType):
        known = isinstance(value, Tensor | np.ndarray)
        yield f"{value.dtype.name}[{','.join('?' * len(value.shape))}]" if known else get_default_dtype()
    elif isinstance(type_, ListType | SetType | DictType):
        if next(tensors_in(type_), None) is None:
            return
        elem, items = (type_.value, list(value.values())) if isinstance(type_, DictType) else (type_.elem, list(value or ()))
        found = {tuple(given_dtypes(elem, item, where)) for item in items}
        if len(found) > 1:
            found = set(map(of_any_rank, found))
        if len(found) > 1:
            raise ScriptTypeError(f"argument {where} holds tensors of different dtypes: cast them to one")
        yield from found.pop() if found else (get_default_dtype() for _ in tensors_in(elem))
    elif isinstance(type_, TupleType):
        for part, item in zip(type_.elems, value if value is not None else [None] * len(type_.elems)):
            yield from given_dtypes(part, item, where)
    elif isinstance(type_, ClassType):
        for name, part in type_.fields or ():
            yield from given_dtypes(part, getattr(value, name, None), where)
    elif isinstance(type_, SumType):
        for part in type_.alternatives:
            yield from given_dtypes(part, value, where) if value is not None else (get_default_dtype() for _ in tensors_in(part))


def staged_dtypes(type_: Type, own: Type) -> Iterator[str]:
    """The same of a value that only a Program knows, whose type is `own`: `float32` where the number of axes isn't known."""
    if isinstance(own, RecordType):
        own = own.as_dict()
    if isinstance(type_, TensorType):
        if not isinstance(own, TensorType):
            yield get_default_dtype()
        else:
            yield own.dtype if own.shape is None else f"{own.dtype}[{','.join('?' * len(own.shape))}]"
    elif isinstance(type_, SumType):
        for part in type_.alternatives:
            yield from staged_dtypes(part, next((a for a in alternatives(own) if isinstance(a, type(part))), NEVER))
    else:
        parts, owns = type_.parts(), own.parts()
        for part, inner in zip(parts, owns if len(owns) == len(parts) else [NEVER] * len(parts)):
            yield from staged_dtypes(part, inner)


def default_types(type_: Type) -> Type:
    """A type with the default dtype wherever a Tensor may stand."""
    return with_dtypes(type_, itertools.repeat(get_default_dtype()))


def general(type_: Type) -> Type:
    """A type with Tensors of any dtype and shape."""
    return with_dtypes(type_, itertools.repeat(ANY))


def of_any_rank(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The dtypes without the ranks."""
    return tuple(kind.partition("[")[0] for kind in kinds)
