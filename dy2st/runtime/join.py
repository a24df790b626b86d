"""Join: what a name or a location holds where two paths meet.

Equal Python values stay Python, tuples join element by element, objects stay themselves, and what differs becomes a Value of the
joined type (`ir.join`). `docs/architecture.md` and the design's section 4 have the rules.
"""

from __future__ import annotations

from types import MethodType
from typing import Any

from ..ir.join import join_types
from .heap import join_shared
from .journal import same_constant
from .markers import no_value
from .plans import DictParts, Leaf, ListParts, MethodParts, ObjectParts, Plan, Same, TupleParts
from .proxies import Staged
from .tensor import Tensor

MUTABLE = (list, dict, set)


def join(rec: Any, a: Any, b: Any, name: str = "", merge: bool = True, exact: bool = False) -> Plan:
    """The Plan for a value that is `a` on one path and `b` on the other; both paths' Blocks can still be appended to.

    merge: both paths are trials of one `if`, so that objects born in them may be merged into one; in a loop they may not.
    exact: nothing is converted; a number and a tensor become a sum.
    """
    if rec.is_absent(a) or rec.is_absent(b):
        return alone(rec, a if rec.is_absent(b) else b, name, merge)
    if same(a, b) and rec.is_visible(a):
        return Same(a)
    if type(a) is type(b):
        plan = _parts(rec, a, b, name, merge, exact)
        if plan is not None:
            return plan
    return Leaf((join_shared if exact else join_types)(rec.type_of(a), rec.type_of(b)), name)


def alone(rec: Any, value: Any, name: str = "", merge: bool = True) -> Plan:
    """The Plan for a value that only one path brings."""
    if value is no_value or rec.is_visible(value):
        return Same(value)
    if isinstance(value, Tensor | Staged):
        return Leaf(rec.type_of(value), name)
    plan = _parts(rec, value, value, name, merge)
    return plan if plan is not None else Leaf(rec.type_of(value), name)


def same(a: Any, b: Any) -> bool:
    """Whether two Python-level values are one: the same object, Value or constant."""
    if a is b or same_constant(a, b):
        return True
    if isinstance(a, Staged) and isinstance(b, Staged):
        return a.value is b.value
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return a._data is b._data
    if type(a) is tuple and type(b) is tuple:
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return (
        type(a) is type(b) and getattr(a, "__func__", None) is not None and a.__func__ is b.__func__ and a.__self__ is b.__self__
    )


def _parts(rec: Any, a: Any, b: Any, name: str, merge: bool, exact: bool = False) -> Plan | None:
    """The Plan of a structure joined part by part, or None where `a` and `b` have no common structure."""

    def children(xs, ys, keys):
        return [join(rec, x, y, f"{name}.{k}" if name else "", merge, exact) for x, y, k in zip(xs, ys, keys)]

    if isinstance(a, tuple):
        return TupleParts(children(a, b, range(len(a))), type(a)) if len(a) == len(b) else None
    if isinstance(a, MethodType):
        return MethodParts(children([a.__self__], [b.__self__], ["self"]), a.__func__) if a.__func__ is b.__func__ else None
    if _are_merged(rec, a, b, merge):
        for one in (a, b):
            if not (merge and rec.is_fresh(one)):
                rec.heap.freeze(one)
        return ObjectParts(children(vars(a).values(), [vars(b)[k] for k in vars(a)], vars(a)), type(a), tuple(vars(a)), True)
    if not merge or not (rec.is_fresh(a) and rec.is_fresh(b)) or rec.heap.stands_for_either(a, b):
        return None
    if type(a) is list:
        return ListParts(children(a, b, range(len(a)))) if len(a) == len(b) else None
    if type(a) is dict:
        return DictParts(children(a.values(), [b[k] for k in a], a), tuple(a)) if list(a) == list(b) else None
    if type(a) in MUTABLE or not hasattr(a, "__dict__") or callable(a) or list(vars(a)) != list(vars(b)):
        return None
    return ObjectParts(children(vars(a).values(), vars(b).values(), vars(a)), type(a), tuple(vars(a)))


def _are_merged(rec: Any, a: Any, b: Any, merge: bool) -> bool:
    """Whether two objects of one class, one of them born on its path, can be joined field by field.

    The other one may have further names, so neither it nor the joined object may be changed from here on: both are frozen.
    """
    if type(a) in MUTABLE or isinstance(a, type) or callable(a) or not hasattr(a, "__dict__") or vars(a).keys() != vars(b).keys():
        return False
    if rec.heap.birth(a) is None or rec.heap.birth(b) is None or (merge and rec.is_fresh(a) and rec.is_fresh(b)):
        return False
    return rec.is_fresh(a) or rec.is_fresh(b)


def rise(rec: Any, plan: Plan, seen: Any, out: Any, name: str = "") -> Plan:
    """The Plan of a loop-carried value after one more trial: the body was given `seen` (by `plan`) and left `out`."""
    if rec.is_absent(out):
        return plan
    if isinstance(plan, Leaf):
        risen = join_types(plan.type, rec.type_of(out))
        return plan if risen == plan.type else Leaf(risen, name)
    if isinstance(plan, TupleParts) and isinstance(out, tuple) and type(out) is plan.cls and len(out) == len(plan.children):
        parts = [rise(rec, p, s, o, name) for p, s, o in zip(plan.children, seen, out)]
        return plan if all(p is q for p, q in zip(parts, plan.children)) else TupleParts(parts, plan.cls)
    if isinstance(plan, Same) and same(plan.value, out):
        return plan
    if isinstance(plan, ObjectParts) and type(out) is plan.cls and set(vars(out)) == set(plan.fields) and rec.is_fresh(out):
        pairs = zip(plan.children, plan.take(seen), plan.take(out))
        fields = [rise(rec, p, s, o, name) for p, s, o in pairs]
        return plan if all(p is q for p, q in zip(fields, plan.children)) else ObjectParts(fields, plan.cls, plan.fields, True)
    return join(rec, seen, out, name, merge=False)
