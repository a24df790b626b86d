"""The lattice of types: what a value is where two paths meet (`join_types`), and where a value may flow (`is_subtype`).

A join of two values converts tensors, never Python scalars: `float32[3]` with `int64[3]` is `float32[3]`. A number with a tensor
is a tensor. Whoever joins the values inserts the conversion. The items of a list, set, dict, instance or cell are shared by
reference and can't be converted on one path. There unequal dtypes become a sum: `list<float32[]>` with `list<int64[]>` is
`list<sum<float32[] | int64[]>>`.

Alternatives of one kind merge. A sum keeps one alternative per kind, in the order of the kinds' names, so that equal sums are
equal objects. Chains are bounded: nesting and the number of alternatives have limits, reported in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any

from .. import dtypes
from ..errors import EndlessTypeError
from .shape import join_shapes, shape_fits
from .types import (
    BOOL,
    INT,
    NEVER,
    NUMBER,
    NUMERIC,
    UNBOUND,
    AtomType,
    CellType,
    ClassType,
    DictType,
    ExceptionKind,
    ExceptionType,
    FunctionType,
    ListType,
    NeverType,
    RecordType,
    ScalarType,
    SequenceType,
    SetType,
    SumType,
    TensorType,
    TupleType,
    Type,
)

MAX_DEPTH = 16  # a type nested deeper than this comes from a loop that wraps its own result
MAX_LENGTHS = 4  # tuples of more lengths than this come from a loop that lets one grow: their length is forgotten
MAX_ALTERNATIVES = 32  # as many kinds in one sum come from a loop that makes a new kind each time

Kind = tuple[str, ...]


def join_types(a: Type, b: Type) -> Type:
    """The type of a value that is an `a` on one path and a `b` on the other; EndlessTypeError past the limits above."""
    if a == b:
        return a
    result = _join(a, b, exact=False)
    if depth(result) > MAX_DEPTH:
        raise EndlessTypeError(
            f"a value nested deeper than {MAX_DEPTH} levels: a loop or recursion that wraps its own result again and again has "
            "no type; append to a list instead"
        )
    return result


def join_all(types: Iterable[Type]) -> Type:
    """The join of any number of types; never for none."""
    nothing: Type = NEVER
    return reduce(join_types, types, nothing)


def alternatives(type_: Type) -> tuple[Type, ...]:
    """The alternatives of a sum; of never, none; of any other type, itself."""
    if isinstance(type_, SumType):
        return type_.alternatives
    return () if isinstance(type_, NeverType) else (type_,)


def map_tensors(type_: Type, change: Callable[[TensorType], Type]) -> Type:
    """The type with `change(tensor)` in place of each tensor type in it, in the order of `parts`."""
    if isinstance(type_, TensorType):
        return change(type_)
    return type_.with_parts([map_tensors(part, change) for part in type_.parts()])


def depth(type_: Type) -> int:
    """Levels of nesting: 0 for a scalar, tensor or atom; a sum adds no level of its own."""
    below = max(map(depth, type_.parts()), default=-1)
    return max(below, 0) if isinstance(type_, SumType) else below + 1


def kind(type_: Type, exact: bool = True) -> Kind:
    """What tells alternatives of one sum apart; with `exact`, tensors of different dtypes are of different kinds."""
    if isinstance(type_, ScalarType) and type_ in NUMERIC:
        return ("number",)
    if isinstance(type_, TensorType):
        return ("tensor", type_.dtype) if exact else ("tensor",)
    if isinstance(type_, TupleType):
        return ("tuple", f"{len(type_.elems):04}", type_.name, *type_.fields)
    if isinstance(type_, ClassType):
        return ("class", type_.name)
    if isinstance(type_, AtomType):
        return ("atom", type_.text)
    if isinstance(type_, FunctionType):
        return ("function", *map(str, type_.params))
    if isinstance(type_, DictType):
        return ("dict",)
    return (str(type_),) if isinstance(type_, ScalarType) else (type(type_).__name__.removesuffix("Type").lower(),)


# --- join -----------------------------------------------------------------------------------------------------------


def _join(a: Type, b: Type, exact: bool) -> Type:
    if a == b or b == NEVER:
        return a
    if a == NEVER:
        return b
    merged: dict[Kind, Type] = {}
    for type_ in (*alternatives(a), *alternatives(b)):
        key = kind(type_, exact)
        merged[key] = _join_kind(merged[key], type_, exact) if key in merged else type_
    if not exact and ("tensor",) in merged and ("number",) in merged:
        merged[("tensor",)] = _with_number(merged[("tensor",)], merged.pop(("number",)))  # type: ignore[arg-type]
    if ("sequence",) in merged or len(_plain_tuples(merged)) > MAX_LENGTHS:
        _absorb_tuples(merged)
    if len(merged) == 1:
        return next(iter(merged.values()))
    if len(merged) > MAX_ALTERNATIVES:
        raise EndlessTypeError(f"a value of more than {MAX_ALTERNATIVES} kinds {_endless(a, b, merged.values())}")
    return SumType(tuple(merged[key] for key in sorted(merged)))


def _endless(a: Type, b: Type, kinds: Iterable[Type]) -> str:
    """Why a value has kinds without end, and what to write instead."""
    names = [type_.text.partition(" #")[0] for type_ in kinds if isinstance(type_, AtomType)]
    common = max(names, key=names.count, default="")
    if len(names) > MAX_ALTERNATIVES // 2 and len(set(names)) < len(names):
        if common.endswith(" object"):
            return (
                f"({common}, made anew each time): a Program can't compute such an object; keep the values that go into it, or "
                "append its parts to a list instead"
            )
        return (
            f"({common}, made anew each time): a Program can't keep a function that calls itself, has "
            "attributes, or uses a variable around it that may be stored again; hand that over as a default, lambda v, i=i: ..., "
            "or keep the values that go into it, and make it where it is called"
        )
    told = f"({_brief(a)} where it was {_brief(b)})"
    return f"{told}: a loop that makes a new kind of value each time has no type; grow a list instead"


def _join_kind(a: Type, b: Type, exact: bool) -> Type:
    """Join two types of one kind."""
    if a == b:
        return a
    if isinstance(a, TensorType) and isinstance(b, TensorType):
        return TensorType(dtypes.promote(a.dtype, b.dtype), join_shapes(a.shape, b.shape))
    if isinstance(a, ClassType) and isinstance(b, ClassType):
        return ClassType(a.name, None if a.fields is None or b.fields is None else _join_fields(a.fields, b.fields))
    if isinstance(a, ExceptionType) and isinstance(b, ExceptionType):
        return exception_type([*a.kinds, *b.kinds])
    if isinstance(a, ScalarType):
        return NUMBER
    if isinstance(a, DictType) and isinstance(b, DictType):
        return _join_dicts(a, b)
    exact = exact or not isinstance(a, TupleType)
    return a.with_parts([_join(x, y, exact) for x, y in zip(a.parts(), b.parts())])


def _join_dicts(a: DictType, b: DictType) -> DictType:
    """A record only of two records: of another dict it isn't known which key has which type."""
    key = _join(a.key, b.key, exact=True)
    if isinstance(a, RecordType) and isinstance(b, RecordType):
        names = dict.fromkeys((*a.names, *b.names))
        return record_type(key, {name: _join(a.at(name), b.at(name), exact=True) for name in names})
    return DictType(key, _join(a.value, b.value, exact=True))


def record_type(key: Type, held: Mapping[Any, Type]) -> RecordType:
    """The type of a dict that holds a value of such a type under each key; equal ones have their keys in one order."""
    names = sorted(held, key=lambda name: (type(name).__name__, repr(name)))
    value: Type = NEVER
    for type_ in held.values():
        value = _join(value, type_, exact=True)
    return RecordType(key, value, tuple(names), tuple(held[name] for name in names))


def without_records(type_: Type) -> Type:
    """The type as a Program has it, where a dict has one type for all its values."""
    if isinstance(type_, RecordType):
        return DictType(without_records(type_.key), without_records(type_.value))
    return type_.with_parts([without_records(part) for part in type_.parts()]) if type_.holds(RecordType) else type_


def exception_type(kinds: Iterable[ExceptionKind]) -> ExceptionType:
    """An exception of one of these kinds; those of one class with as many arguments are one."""
    merged: dict[tuple[str, int], ExceptionKind] = {}
    for kind_ in kinds:
        key = _key(kind_)
        merged[key] = _join_exceptions(merged[key], kind_) if key in merged else kind_
    return ExceptionType(tuple(merged[key] for key in sorted(merged)))


def _key(kind_: ExceptionKind) -> tuple[str, int]:
    """What tells kinds of exceptions apart."""
    return kind_.name, -1 if kind_.args is None else len(kind_.args)


def _join_exceptions(a: ExceptionKind, b: ExceptionKind) -> ExceptionKind:
    """Two kinds of one class with as many arguments; an attribute that one of them lacks isn't known."""
    args = None if a.args is None else tuple(_join(x, y, exact=True) for x, y in zip(a.args, b.args or ()))
    others = dict(b.fields)
    return ExceptionKind(a.name, args, tuple((n, _join(t, others[n], exact=True)) for n, t in a.fields if n in others))


def _plain_tuples(merged: dict[Kind, Type]) -> list[Kind]:
    return [key for key, type_ in merged.items() if isinstance(type_, TupleType) and not type_.name]


def _absorb_tuples(merged: dict[Kind, Type]) -> None:
    """A tuple of known length beside one of unknown length, or beside many lengths, is one of unknown length."""
    for key in _plain_tuples(merged):
        merged["sequence",] = _join(merged.get(("sequence",), NEVER), sequence_of(merged.pop(key)), exact=True)


def sequence_of(tuple_: Type) -> Type:
    """The type of a tuple whose length is forgotten."""
    elem: Type = NEVER
    for type_ in tuple_.parts():
        elem = _join(elem, type_, exact=True)
    return SequenceType(elem)


def _join_fields(a: tuple[tuple[str, Type], ...], b: tuple[tuple[str, Type], ...]) -> tuple[tuple[str, Type], ...]:
    """Fields of either side; one that a side lacks is unbound there. The order is the common one, or else by name."""
    left, right = dict(a), dict(b)
    names = list(left) if list(left) == list(right) else sorted({**left, **right})
    return tuple((n, _join(left.get(n, UNBOUND), right.get(n, UNBOUND), exact=True)) for n in names)


def _with_number(tensor: TensorType, number: Type) -> TensorType:
    """A Python number where a tensor is on the other path: the number is weak, it lifts the dtype only to its own class."""
    dtype = tensor.dtype
    if number == INT and dtype == "bool":
        dtype = "int64"
    elif number not in (BOOL, INT) and not dtypes.has_gradient(dtype):
        dtype = dtypes.get_default_dtype()
    return TensorType(dtype, join_shapes(tensor.shape, ()))


def _brief(type_: Type) -> str:
    text = str(type_)
    return text if len(text) <= 60 else text[:57] + "..."


# --- subtypes -------------------------------------------------------------------------------------------------------


def is_subtype(a: Type, b: Type) -> bool:
    """Whether a value of type `a` may stand, unconverted, where `b` is declared.

    Containers are covariant: a Program declares a container at its widest type where it is made, so a narrower view is only ever
    read through.
    """
    if a == b or a == NEVER:
        return True
    if isinstance(a, SumType):
        return all(is_subtype(t, b) for t in a.alternatives)
    if isinstance(b, SumType):
        return any(is_subtype(a, t) for t in b.alternatives)
    if b == NUMBER:
        return a in NUMERIC
    if isinstance(a, TensorType) and isinstance(b, TensorType):
        return a.dtype == b.dtype and shape_fits(a.shape, b.shape)
    if isinstance(a, TupleType) and isinstance(b, TupleType):
        return kind(a) == kind(b) and all(map(is_subtype, a.elems, b.elems))
    if isinstance(a, TupleType) and isinstance(b, SequenceType):
        return not a.name and all(is_subtype(t, b.elem) for t in a.elems)
    if isinstance(a, ClassType) and isinstance(b, ClassType):
        any_fields = a.fields is None or b.fields is None
        return a.name == b.name and (any_fields or _fields_fit(dict(a.fields or ()), dict(b.fields or ())))
    if isinstance(a, FunctionType) and isinstance(b, FunctionType):
        fits = len(a.params) == len(b.params) and all(map(is_subtype, b.params, a.params))
        return fits and is_subtype(a.result, b.result)
    if isinstance(a, ExceptionType) and isinstance(b, ExceptionType):
        return _kinds_fit(a.kinds, b.kinds)
    if isinstance(b, RecordType):
        return isinstance(a, RecordType) and set(a.names) <= set(b.names) and all(is_subtype(a.at(n), b.at(n)) for n in a.names)
    if isinstance(a, DictType) and isinstance(b, DictType):
        return is_subtype(a.key, b.key) and is_subtype(a.value, b.value)
    if type(a) is type(b) and isinstance(a, (ListType, SetType, SequenceType, CellType)):
        return all(map(is_subtype, a.parts(), b.parts()))
    return False


def _kinds_fit(given: tuple[ExceptionKind, ...], declared: tuple[ExceptionKind, ...]) -> bool:
    """Each kind that is given is one of the declared, with the attributes that are known of that one."""
    known = {_key(kind_): kind_ for kind_ in declared}
    return all(_key(kind_) in known and _kind_fits(kind_, known[_key(kind_)]) for kind_ in given)


def _kind_fits(given: ExceptionKind, declared: ExceptionKind) -> bool:
    fields = dict(given.fields)
    has_fields = all(name in fields and is_subtype(fields[name], type_) for name, type_ in declared.fields)
    return has_fields and all(map(is_subtype, given.args or (), declared.args or ()))


def _fields_fit(given: dict[str, Type], declared: dict[str, Type]) -> bool:
    return given.keys() <= declared.keys() and all(is_subtype(given.get(n, UNBOUND), t) for n, t in declared.items())
