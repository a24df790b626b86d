"""Join: what a name or a location holds where two paths meet.

Equal Python values stay Python, tuples join element by element, objects stay themselves, and what differs becomes a Value of
the joined type (`ir.join`). A number that differs stays a Python number whose class follows the path: plain Python converts
none where paths meet. A tensor has one dtype: where dtypes meet they are promoted, which a JoinWarning tells. What has no
type in common becomes a sum, whose kind follows the path.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType, MethodType

from ...ir.join import alternatives, join_types, sequence_of
from ...ir.types import NUMERIC, ScalarType, TensorType, Type
from ...pytree import attributes_of, is_container, is_laid_out_in_c, is_object, parts_of, setting_of
from ..heap.elements import join_shared
from ..heap.identity import SCALARS, same_constant, same_object
from ..heap.markers import NEVER, is_absent, no_value
from ..heap.recording import Recording
from ..heap.staged_objects import is_staged_object, value_of
from ..proxies import Staged
from ..tensors.tensor import Tensor
from .plans import Again, ContainerParts, Leaf, MethodParts, ObjectParts, Parts, Plan, Same, TupleParts


class Merged(dict):
    """The objects that have been merged in one join of two paths: (id, id) -> (the two, their Plan).

    An object that meets a second partner can't be merged with both: it is made a Value, and the join begins anew.
    """

    def __init__(self) -> None:
        self._partners: dict[int, int] = {}

    def check(self, a: object, b: object) -> None:
        """Note a pair; MetAgain where one of the two has met another partner before."""
        for one, other in ((a, b), (b, a)):
            if self._partners.setdefault(id(one), id(other)) != id(other):
                raise MetAgain(one)


class MetAgain(Exception):
    """An object stands for different ones of the other path."""

    def __init__(self, obj: object):
        self.obj = obj


def join(rec: Recording, a: object, b: object, name: str = "", merged: Merged | None = None, exact: bool = False) -> Plan:
    """The Plan for a value that is `a` on one path and `b` on the other; both paths' Blocks can still be appended to.

    merged: given where both paths are trials of one `if`, so that objects born in them may be merged into one.
    exact: nothing is converted, as where the policy is exact; a number and a tensor become a sum.
    """
    if is_absent(a) or is_absent(b):
        return alone(rec, b if a is NEVER or not is_absent(b) else a, name, merged)  # one that doesn't arrive leaves nothing
    if same(a, b) and rec.is_visible(a):
        return Same(a)
    if type(a) is type(b):
        plan = _parts(rec, a, b, name, merged, exact)
        if plan is not None:
            return plan
    return leaf_of(rec, joined_type(rec, rec.type_of(a), rec.type_of(b), exact), name, a, b)


def leaf_of(rec: Recording, type_: Type, name: str, *values: object) -> Leaf:
    """The Plan for values that become one of this type; whether it is a tensor, and one of them a Python number."""
    is_tensor = _has(type_, TensorType) and not _has(type_, ScalarType)
    return Leaf(type_, name, is_tensor and any(_is_number(rec, value) for value in values if not is_absent(value)))


def _is_number(rec: Recording, value: object) -> bool:
    """Whether a value is a Python number on some path."""
    return value in rec.promoted or _has(rec.type_of(value), ScalarType)


def _has(type_: Type, kind: type[Type]) -> bool:
    """Whether there is a tensor, or a number, among the alternatives of a type."""
    return any(isinstance(each, kind) and (kind is TensorType or each in NUMERIC) for each in alternatives(type_))


def joined_type(rec: Recording, a: Type, b: Type, exact: bool = False) -> Type:
    """The type of what is an `a` on one path and a `b` on the other."""
    return (join_shared if exact or rec.facts.policy.exact else join_types)(a, b)


def alone(rec: Recording, value: object, name: str = "", merged: Merged | None = None) -> Plan:
    """The Plan for a value that only one path brings."""
    if value is no_value or rec.is_visible(value):
        return Same(value)
    if isinstance(value, Tensor | Staged) or is_staged_object(value):
        return leaf_of(rec, rec.type_of(value), name, value)
    plan = _parts(rec, value, value, name, merged)
    return plan if plan is not None else Leaf(rec.type_of(value), name)


def same(a: object, b: object) -> bool:
    """Whether two Python-level values are one: the same object, Value or constant."""
    if a is b or same_constant(a, b):
        return True
    if isinstance(a, Staged) and isinstance(b, Staged):
        return a._value is b._value
    if is_staged_object(a) and is_staged_object(b):
        return value_of(a) is value_of(b)
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return a._data is b._data
    if type(a) is tuple and type(b) is tuple:
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, FunctionType) and isinstance(b, FunctionType):
        return are_twins(a, b)
    if isinstance(a, MethodType) and isinstance(b, MethodType):
        return a.__func__ is b.__func__ and a.__self__ is b.__self__
    return False


def are_twins(a: FunctionType, b: FunctionType) -> bool:
    """Whether two functions, made by the same line at different times, do the same: they share code, cells and defaults."""

    def same_parts(xs: tuple | None, ys: tuple | None) -> bool:
        return len(xs or ()) == len(ys or ()) and all(x is y for x, y in zip(xs or (), ys or ()))

    return (
        a.__code__ is b.__code__
        and same_parts(a.__closure__, b.__closure__)
        and same_parts(a.__defaults__, b.__defaults__)
        and not (a.__kwdefaults__ or b.__kwdefaults__ or vars(a) or vars(b))
    )


def _parts(rec: Recording, a: object, b: object, name: str, merged: Merged | None, exact: bool = False) -> Plan | None:
    """The Plan of a structure joined part by part, or None where `a` and `b` have no common structure."""

    def children(xs: Iterable, ys: Iterable, keys: Iterable) -> list[Plan]:
        return [join(rec, x, y, f"{name}.{k}" if name else "", merged, exact) for x, y, k in zip(xs, ys, keys)]

    if isinstance(a, tuple) and isinstance(b, tuple):
        count = tuple.__len__(a)  # whatever a subclass says
        has_more = getattr(a, "__dict__", None) or getattr(b, "__dict__", None)
        is_all = count == tuple.__len__(b) and not has_more  # what tuples are
        return TupleParts(children(tuple.__iter__(a), tuple.__iter__(b), range(count)), type(a)) if is_all else None
    if isinstance(a, MethodType) and isinstance(b, MethodType):
        own = children([a.__self__], [b.__self__], ["self"]) if a.__func__ is b.__func__ else None
        return None if own is None else MethodParts(own, function=a.__func__)
    if merged is None or not (rec.heap.is_fresh(a) and rec.heap.is_fresh(b)) or rec.heap.stands_for_either(a, b):
        return None
    keys = _common_keys(a, b)
    if keys is None:
        return None
    merged.check(a, b)
    if (id(a), id(b)) in merged:
        return Again(merged[id(a), id(b)])
    plan: Parts = ContainerParts(like=a) if is_container(a) else ObjectParts(cls=type(a), fields=keys)
    merged[id(a), id(b)] = plan
    plan.children = children(plan.take(a), plan.take(b), keys)
    return plan


def _common_keys(a: object, b: object) -> tuple | None:
    """The keys and fields that two containers or objects of one class both have; None if they differ, and of sets."""
    if is_container(a):
        return None if isinstance(a, set | frozenset) else _common_places(a, b)
    if callable(a) or is_laid_out_in_c(type(a)) or not (hasattr(a, "__dict__") or is_object(a)):
        return None
    fields = tuple(attributes_of(a))
    return fields if fields == tuple(attributes_of(b)) else None


def _common_places(a: object, b: object) -> tuple | None:
    """The keys of items, and then the names of attributes, of two containers; None if they or the settings differ."""
    one, other = ([place for place, _ in parts_of(each)] for each in (a, b))
    have_same_settings = same(setting_of(a), setting_of(b)) and [*map(type, one)] == [*map(type, other)]
    keys = [[key for (key,) in places] for places in (one, other)]
    return tuple(keys[0]) if have_same_settings and all(map(_is_same_key, *keys)) else None


def _is_same_key(a: object, b: object) -> bool:
    """Whether two keys of dicts are equal and of one kind: 1 and True are equal, and each stays the key that it is."""
    is_constant = type(a) in SCALARS or type(a) in (tuple, frozenset)
    return same(a, b) or same_object(a, b) or (type(a) is type(b) and not is_constant and a == b)


def rise(rec: Recording, plan: Plan, seen: object, out: object, name: str = "") -> Plan:
    """The Plan of a loop-carried value after one more trial: the body was given `seen` (by `plan`) and left `out`."""
    if is_absent(out):
        return plan
    if isinstance(plan, Leaf):
        risen = joined_type(rec, plan.type, rec.type_of(out))
        leaf = leaf_of(rec, risen, name, seen, out)
        return plan if leaf == plan else leaf
    if isinstance(plan, TupleParts) and plan.suits(out):
        parts = [rise(rec, p, s, o, name) for p, s, o in zip(plan.children, plan.take(seen), plan.take(out))]
        return plan if all(p is q for p, q in zip(parts, plan.children)) else TupleParts(parts, plan.cls)
    if isinstance(plan, Same) and same(plan.value, out):
        return plan
    if type(seen) is tuple and type(out) is tuple and len(seen) != len(out):
        before, after = map(sequence_of, map(rec.type_of, (seen, out)))  # it may grow on and on
        return Leaf(joined_type(rec, before, after), name)
    return join(rec, seen, out, name)
