"""The keys of dicts, wherever these lie: the type that tells them, and the Value of that type.

    class Box{v: dict<str, sum<int | float32[2]>>}              what the Program says of Box({"a": x, "b": n})
    class Box{v: {"a": float32[2], "b": int}}                   what is known of it: an ObjectType, with a RecordType in it
    tuple Object_Box<tuple Object_dict<float32[2], int>>        what stands for it

Dicts that one place may hold, on two paths or as items of a list, have the same keys in one order. Nothing tells those of others.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import TYPE_CHECKING, Any

from ...ir.core import Value
from ...ir.join import alternatives, kind
from ...ir.spoken import spoken_type
from ...ir.types import NEVER, ClassType, DictType, ListType, RecordType, SequenceType, SumType, TupleType, Type
from .pure_types import ObjectType, is_boxed, joined
from .refusals import refuse
from .state import Content, Fields, Listed
from .things import Bundle, Choice, KnownSum, Location, Thing, Undefined

if TYPE_CHECKING:
    from .conversions import Conversions

_UNTOLD = (
    "nothing tells the keys of a dict here: they follow the path, or it lies in a list of unknown length; give it the same keys, "
    "in one order, on each path, or keep what is under each key in a list of its own"
)


def described(walk: Conversions, thing: Thing, type_: Type, inside: tuple[Thing, ...] = ()) -> Type:
    """The type of a thing with the fields of its objects and the keys of its dicts, where they are known.

    inside: the objects in which it lies. ValuesError: it is one of them.
    """
    if not walk.types.holds_dicts(type_):
        return walk.types.with_fields(type_)
    if thing in inside:
        raise refuse(walk.at, f"nothing stands for {spoken_type(type_)} that holds itself; keep numbers that tell which is which")
    if isinstance(thing, Choice):
        return together([described(walk, part, type_, inside) for part in (thing.then, thing.orelse)])
    if isinstance(thing, Bundle):
        return type_.with_parts([described(walk, part, t, inside) for part, t in zip(thing.things, type_.parts())])
    if isinstance(thing, KnownSum):
        return _of_sum(walk, thing, type_, inside)
    return described_content(walk, walk.state.contents[thing], type_, (*inside, thing)) if isinstance(thing, Location) else type_


def described_content(walk: Conversions, content: Content, type_: Type, inside: tuple[Thing, ...] = ()) -> Type:
    """The same of what lies in an object of such a type."""
    if isinstance(content, Listed) and isinstance(type_, ListType):
        return ListType(together(described(walk, thing, thing.type, inside) for thing in content.things))
    if isinstance(content, Fields) and isinstance(type_, ClassType):
        fields = walk.all_fields(content, type_).things.items()
        return ObjectType(type_.name, tuple((name, described(walk, thing, thing.type, inside)) for name, thing in fields))
    if isinstance(content, Fields) and isinstance(type_, DictType):
        types = tuple(described(walk, thing, thing.type, inside) for thing in content.things.values())
        return RecordType(type_.key, type_.value, tuple(content.things), types)
    return type_


def _of_sum(walk: Conversions, thing: KnownSum, type_: Type, inside: tuple[Thing, ...]) -> Type:
    """A sum without the alternatives that it never is, where nothing tells the keys of these."""
    found = {k: described(walk, part, type_.parts()[k], inside) for k, part in sorted(thing.parts.items())}
    left = {k: t for k, t in enumerate(type_.parts()) if k in found or not walk.types.holds_dicts(t)}
    if len(left) < len(type_.parts()):
        left = {k: left[k] for k in found}
    types = tuple(found.get(k, t) for k, t in left.items())
    return SumType(types) if len(types) > 1 else types[0]


def together(types: Iterable[Type]) -> Type:
    """The type of what is of one of these types, neither of which is converted; a dict loses its keys where they differ."""
    nothing: Type = NEVER
    return reduce(_together, types, nothing)


def _together(a: Type, b: Type) -> Type:
    if a == b or not (a.holds(DictType, ObjectType) or b.holds(DictType, ObjectType)):
        return joined(a, b)
    merged: dict[Any, Type] = {}
    for type_ in (*alternatives(a), *alternatives(b)):
        key = kind(type_)
        merged[key] = _of_one_kind(merged[key], type_) if key in merged else type_
    return SumType(tuple(merged[key] for key in sorted(merged))) if len(merged) > 1 else next(iter(merged.values()))


def _of_one_kind(a: Type, b: Type) -> Type:
    if isinstance(a, RecordType) and isinstance(b, RecordType) and _keys(a) == _keys(b):
        return RecordType(joined(a.key, b.key), joined(a.value, b.value), a.names, tuple(map(_together, a.types, b.types)))
    if isinstance(a, ListType | SequenceType | TupleType | ClassType):
        return a.with_parts(list(map(_together, a.parts(), b.parts())))
    return joined(_without_keys(a), _without_keys(b))


def _keys(type_: RecordType) -> list[str]:
    """The keys in order; 1, 1.0 and True are three."""
    return list(map(repr, type_.names))


def _without_keys(type_: Type) -> Type:
    return type_.as_dict() if isinstance(type_, RecordType) else type_


# --- the Value -----------------------------------------------------------------------------------------------------------


def told(walk: Conversions, thing: Thing, type_: Type) -> Value:
    """A thing as one Value of a type that tells the keys of dicts. ValuesError: it doesn't tell those of this one."""
    if isinstance(thing, Undefined):
        return walk.undef(walk.types.of(type_))
    if not type_.holds(DictType, ObjectType):
        return walk.pure(walk.fitted(thing, type_))
    if isinstance(thing, Choice):
        (found,) = walk.chosen(thing, lambda part: [told(walk, part, type_)])
        return walk.pure(found)
    if isinstance(thing.type, SumType):
        return told_sum(walk, walk.apart(thing), type_)
    if isinstance(type_, SumType):
        return _alternative(walk, thing, thing.type, type_)
    if isinstance(thing, Bundle):
        return walk.tuple_of(thing.type, [told(walk, part, t) for part, t in zip(thing.things, type_.parts())])
    assert isinstance(thing, Location), thing
    return told_content(walk, walk.state.contents[thing], type_)


def told_content(walk: Conversions, content: Content, type_: Type) -> Value:
    """The same of what an object of such a type holds."""
    if isinstance(content, Listed) and isinstance(type_, ListType):
        items = [told(walk, thing, type_.elem) for thing in content.things]
        return walk.make("sequence.new", items, walk.types.of(type_))
    if isinstance(content, Fields) and isinstance(type_, ClassType):
        types = dict(type_.fields or ())
        fields = walk.all_fields(content, type_).things
        return _tuple_of(walk, walk.types.of(type_), [told(walk, thing, types[name]) for name, thing in fields.items()])
    if isinstance(content, Fields) and isinstance(type_, RecordType):
        walk.refuse_unsure(content)
        items = [told(walk, thing, t) for thing, t in zip(content.things.values(), type_.types)]
        return _tuple_of(walk, walk.types.of(type_), items)
    raise refuse(walk.at, _UNTOLD)


def told_sum(walk: Conversions, thing: KnownSum, type_: Type) -> Value:
    """A sum, alternative by alternative, as one of a type that tells the keys of dicts."""
    declared = thing.type.alternatives
    (found,) = walk.by_tag(thing, lambda k: [_alternative(walk, thing.parts[k], declared[k], type_)])
    return walk.pure(found)


def _alternative(walk: Conversions, thing: Thing, declared: Type, type_: Type) -> Value:
    """A thing as an alternative of a sum, or as the only thing that it is."""
    if not isinstance(type_, SumType):
        return told(walk, thing, type_)
    pure = walk.types.of(type_)
    assert isinstance(pure, SumType)
    index = [kind(t) for t in type_.alternatives].index(kind(declared))
    value = told(walk, thing, type_.alternatives[index])
    if is_boxed(pure.alternatives[index]) and not is_boxed(value.type):
        value = _tuple_of(walk, pure.alternatives[index], [value])
    return walk.make("sum.make", [value], pure, {"index": index})


def _tuple_of(walk: Conversions, pure: Type, values: list[Value]) -> Value:
    assert isinstance(pure, TupleType)
    return walk.tuple_of(pure, values)
