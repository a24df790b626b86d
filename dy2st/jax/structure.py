"""What a caller gets of the arrays of leaves: tuples and dicts as the function gives them, and lists as rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..graphs.lowering.leaves import holds_complex, is_complex, leaves_of
from ..ir.types import ClassType, ListType, RecordType, SequenceType, SumType, TupleType, Type
from ..passes.values.natives import stands_for

Found = tuple[Any, Any]  # an array, and the number of its rows, or None


def structured(type_: Type, original: Type, arrays: Sequence[Found]) -> Any:
    """The value of a type that arrays stand for, each with the number of its rows, or None. original: as that of a `Port`.

    structured(..., parse_type("list<float32[]>"), [(rows, count)])   # (rows, count)
    """
    return _taken(type_, original, iter(arrays))


def held(arrays: Sequence[Found]) -> Any:
    """What stands for a parameter or for state: its arrays, each in a tuple with the number of its rows where that is told."""
    parts = [_with_count(*found) for found in arrays]
    return parts[0] if len(parts) == 1 else tuple(parts)


def arrays_in(value: Any, type_: Type) -> list[Any]:
    """The arrays of the leaves of an input, or of what `held` gives; another number of them where these don't fit."""
    number = len(leaves_of(type_))
    if number == 1 and isinstance(type_, SequenceType) and isinstance(value, list):
        return [value]  # items, each with a shape of its own
    found = [x for part in jax.tree_util.tree_leaves(value) for x in apart(part, type_)]
    if len(found) == number:
        return found
    parts = [value] if number == 1 else [*value] if isinstance(value, tuple | list) else []
    sizes = [len(jax.tree_util.tree_leaves(x)) for x in parts]
    is_held = len(parts) == number and all(size == (2 if isinstance(x, tuple) else 1) for x, size in zip(parts, sizes))
    return parts if is_held else found


def apart(x: Any, type_: Type) -> list[Any]:
    """An array of an input; of complex numbers, where the type has any, the real and the imaginary part."""
    return [x.real, x.imag] if np.iscomplexobj(x) and holds_complex(type_) else [x]


def joined(type_: Type, arrays: Sequence[Any]) -> Any:
    """The one array of a tensor that leaves stand for."""
    return lax.complex(*map(jnp.asarray, arrays)) if is_complex(type_) else arrays[0]


def _taken(type_: Type, original: Type, rest: Iterator[Found]) -> Any:
    if isinstance(type_, TupleType):
        return _parts(type_, original, rest)
    if isinstance(type_, SumType):
        return _alternatives(type_, original, rest)
    found = [next(rest) for _ in leaves_of(type_)]
    if isinstance(type_, SequenceType):
        return _rows(type_, original, found)
    if is_complex(type_):
        return joined(type_, [data for data, _ in found])
    return held(found) if found else None


def _parts(type_: TupleType, original: Type, rest: Iterator[Found]) -> Any:
    """A dict, an object as the dict of its attributes, or a tuple."""
    names: Sequence[Any] | None = None
    known: Sequence[Type] = original.elems if isinstance(original, TupleType) else type_.elems
    if isinstance(original, RecordType):
        names, known = original.names, original.types
    elif isinstance(original, ClassType) and original.fields is not None:
        names, known = [name for name, _ in original.fields], original.parts()
    parts = [_taken(part, of, rest) for part, of in zip(type_.elems, known)]
    return tuple(parts) if names is None else dict(zip(names, parts))


def _alternatives(type_: SumType, original: Type, rest: Iterator[Found]) -> tuple:
    """Which of the alternatives it is, and each of them that has arrays."""
    kind, _ = next(rest)
    known = original.alternatives if isinstance(original, SumType) else ()
    originals = [next((x for x in known if stands_for(part, x)), part) for part in type_.alternatives]
    return (kind, *(_taken(part, of, rest) for part, of in zip(type_.alternatives, originals) if leaves_of(part)))


def _rows(type_: SequenceType, original: Type, found: list[Found]) -> tuple[Any, Any]:
    """Rows, and how many are there: of tuples and dicts, a tuple or a dict of rows."""
    counts = [count for _, count in found if count is not None]
    length = counts[0] if counts else _length(found[0][0])
    columns = [data for data, _ in found]
    if len(columns) != len(leaves_of(type_.elem)):  # of lists in a list, their lengths come first
        return held([(data, None) for data in columns]), length
    elem = original.elem if isinstance(original, ListType | SequenceType) else type_.elem
    return structured(type_.elem, elem, [(data, None) for data in columns]), length


def each(change: Callable[..., Any], leaf: Any, *given: Any) -> Any:
    """What `change` makes of a leaf; where that is a list of items with shapes of their own, of each of them."""
    return [change(item, *given) for item in leaf] if isinstance(leaf, list) else change(leaf, *given)


def _with_count(data: Any, count: Any) -> Any:
    """An array, `(array, count)` where the number of its rows is told, or a list of these for items that are apart."""
    if isinstance(data, list):
        return [x if n is None else (x, n) for x, n in data]
    return data if count is None else (data, count)


def _length(data: Any) -> Any:
    """The number of rows of a list, or that number itself, of one that has no rows."""
    return np.asarray(len(data)) if isinstance(data, list) else np.asarray(data.shape[0]) if np.ndim(data) else data
