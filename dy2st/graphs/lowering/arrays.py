"""Values in native form (`dy2st.ir.native`), without lists, dicts and objects, as the arrays of their leaves; there and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...dtypes import DTYPES
from ...ir.native import UNBOUND, Atom, Record, blank, matches
from ...ir.types import BOOL, FLOAT, INT, NUMBER, STR, AtomType, SequenceType, SumType, TensorType, TupleType, Type, UnboundType
from .coercion import KINDS
from .leaves import Leaf, columns_of, is_complex, leaves_of
from .values import Sequence

_DTYPES: dict[Type, Any] = {INT: np.int64, FLOAT: np.float64, BOOL: np.bool_, STR: object}


def flattened(type_: Type, value: Any) -> list[Any]:
    """The arrays of a value's leaves; those of a sequence of tensors are a list."""
    if isinstance(type_, TensorType):
        array = np.asarray(value)
        return [array.real.copy(), array.imag.copy()] if is_complex(type_) else [array]
    if type_ in _DTYPES:
        return [np.asarray(value, _DTYPES[type_])]
    if type_ == NUMBER:
        kind = {bool: BOOL, int: INT, float: FLOAT}[type(value)]
        return [np.asarray(KINDS[kind]), np.asarray(0 if kind == FLOAT else int(value)), np.asarray(float(value))]
    if isinstance(type_, TupleType):
        return [array for elem, part in zip(type_.elems, value) for array in flattened(elem, part)]
    if isinstance(type_, SumType):
        place = next(k for k, part in enumerate(type_.alternatives) if matches(part, value))
        parts = [flattened(part, value if k == place else blank(part)) for k, part in enumerate(type_.alternatives)]
        return [np.asarray(place), *(array for part in parts for array in part)]
    if isinstance(type_, SequenceType):
        return _columns(type_.elem, [flattened(type_.elem, item) for item in value])
    return []


def _columns(elem: Type, items: list[list[Any]]) -> list[Any]:
    found: list[Any] = []
    for k, leaf in enumerate(leaves_of(elem)):
        rows = [item[k] for item in items]
        if leaf.is_column:
            lengths, flat = columns_of(leaf)
            found += [np.asarray([len(row) for row in rows], np.int64), _joined(flat, rows)]
        else:
            found.append(_stacked(columns_of(leaf)[0], rows))
    return found or [np.asarray(len(items))]


def _empty(leaf: Leaf) -> Any:
    if isinstance(leaf.type, Sequence):
        return []
    dtype = object if leaf.type.dtype == "string" else DTYPES[leaf.type.dtype].numpy
    return np.zeros([0, *(dim if isinstance(dim, int) else 0 for dim in leaf.row.shape or ())], dtype)


def _stacked(leaf: Leaf, rows: list[Any]) -> Any:
    if isinstance(leaf.type, Sequence):
        return rows
    return np.stack(rows) if rows else _empty(leaf)


def _joined(leaf: Leaf, rows: list[Any]) -> Any:
    if isinstance(leaf.type, Sequence):
        return [item for row in rows for item in row]
    return np.concatenate([_empty(leaf), *rows])


# --- back ----------------------------------------------------------------------------------------------------------------


def rebuilt(type_: Type, arrays: list[Any]) -> Any:
    """The value whose leaves are these arrays; what has no leaves is made of its type."""
    rest = iter(arrays)
    return _taken(type_, rest)


def _taken(type_: Type, rest: Iterator[Any]) -> Any:
    if is_complex(type_):
        real, imag = next(rest), next(rest)
        whole = np.empty(real.shape, DTYPES[type_.dtype].numpy)  # type: ignore[attr-defined]
        whole.real, whole.imag = real, imag
        return whole
    if isinstance(type_, TensorType):
        return next(rest)
    if type_ in _DTYPES:
        return np.asarray(next(rest)).item()  # onnxruntime gives a str for a text
    if type_ == NUMBER:
        kind, whole, real = (next(rest).item() for _ in range(3))
        return real if kind == KINDS[FLOAT] else bool(whole) if kind == KINDS[BOOL] else whole
    if isinstance(type_, TupleType):
        values = [_taken(elem, rest) for elem in type_.elems]
        return Record.of(type_.name, type_.fields, values) if type_.name else tuple(values)
    if isinstance(type_, SumType):
        place = next(rest).item()
        return [_taken(part, rest) for part in type_.alternatives][place]
    if isinstance(type_, SequenceType):
        return tuple(_rows(type_.elem, rest))
    if isinstance(type_, AtomType):
        return Atom(type_.text)
    return UNBOUND if isinstance(type_, UnboundType) else None


def _rows(elem: Type, rest: Iterator[Any]) -> list[Any]:
    """The items of a sequence, from the columns that come next."""
    parts: list[Any] = []
    for leaf in leaves_of(elem):
        if leaf.is_column:
            lengths, flat = next(rest), next(rest)
            ends = np.cumsum(lengths)
            parts.append([flat[end - length : end] for end, length in zip(ends, lengths)])
        else:
            parts.append(next(rest))
    if not parts:
        return [_taken(elem, iter(())) for _ in range(int(next(rest)))]
    return [_taken(elem, iter([part[k] for part in parts])) for k in range(len(parts[0]))]
