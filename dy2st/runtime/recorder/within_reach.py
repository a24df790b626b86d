"""What code of the user's that Python calls can get at by name, what that holds, and what of it the code has changed.

A hook such as `__eq__` may change something in a hundred ways, of which many show no call: `S.l += [1]`, `map(log.append, x)`,
`table[key]` of a defaultdict, `for x in kept_iterator`. So what it can reach is compared, before it runs and after. This runs
inside of Python's own hook, which sees nothing of it.
"""

from __future__ import annotations

import gc
import io
import itertools
from array import array
from collections.abc import Iterable
from functools import partial
from itertools import islice
from random import Random
from types import BuiltinMethodType, CodeType, FrameType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from ... import pytree
from ...garbage import is_young
from ...pytree import module_of, nodes
from ..heap.identity import SCALARS, same_object
from ..heap.journal import Item
from ..heap.markers import MISSING
from ..heap.staged_objects import is_staged_object
from ..proxies import Staged
from ..tensors.tensor import Tensor
from ..where.per_code import mentioned
from ..where.user_code import is_foreign
from .changed_outside import Holding, Written, holding_of, written_since
from .recorder import Recorder

MOST = 20_000  # objects that are looked at: reading a long list at each `==` would take too long
CLOSED = (Tensor, Staged, FunctionType)
ITERATED = ".0"  # what a comprehension goes through; the code around it is compared, too


class Reached(NamedTuple):
    """What code could get at when it began to run, with what that held."""

    variables: dict[str, object]  # of the functions around it
    globals: list[tuple[dict, str, object]]
    holdings: list[Holding]
    states: list[tuple[object, object]]  # of what C keeps


class Changes(NamedTuple):
    """What has changed since: places that can be put back, and whether something else has."""

    written: list[Written]
    is_kept_by_c: bool


def reached_by(rec: Recorder, code: CodeType, frame: FrameType) -> Reached:
    """What code that starts to run can get at."""
    names = mentioned(code)
    table = frame.f_globals
    named = [(table, name, table[name]) for name in (table if "globals" in names else names) if name in table]
    variables = {name: value for name, value in frame.f_locals.items() if name in code.co_freevars}
    own = [value for name, value in frame.f_locals.items() if name != ITERATED]
    roots = (*own, *(value for _, _, value in named))
    found = {id(value): value for value in islice(nodes(roots, lambda value: _parts(names, value)), MOST)}
    outside = [value for value in found.values() if value is not roots and _lives_on(rec, value)]
    holdings = [(value, holding_of(value)) for value in outside if _holds(value)]
    states = [(value, state) for value in outside if (state := _state_in_c(value)) is not None]
    return Reached(variables, named, holdings, states)


def changes_since(rec: Recorder, before: Reached, frame: FrameType) -> Changes:
    """What the code has changed, now that it returns, of what was there before the recording or, on a path, before that path."""
    now = frame.f_locals
    rebound = [name for name, value in before.variables.items() if not _is_same(value, now.get(name, MISSING))]
    stored = [
        (Item(table, name), value) for table, name, value in before.globals if not _is_same(value, table.get(name, MISSING))
    ]
    in_c = [value for value, state in before.states if _state_in_c(value) != state]
    written = [*stored, *((place, part) for place, part in written_since(before.holdings) if not _is_new(rec, place.owner))]
    return Changes(written, bool(rebound) or not all(_is_new(rec, value) for value in in_c))


def _is_new(rec: Recorder, value: object) -> bool:
    """Whether C has made something for the function, such as a class for which `__init_subclass__` is called."""
    return len(rec.frames) == 1 and is_young(value)


def _is_same(old: object, new: object) -> bool:
    return old is new or same_object(old, new)


def _parts(names: tuple[str, ...], value: Any) -> Iterable[object]:
    """What code that mentions these names can get at from a value."""
    cls = type(value)
    if cls in SCALARS or issubclass(cls, CLOSED) or is_staged_object(value):
        return ()
    if issubclass(cls, ModuleType):
        return [vars(value)[name] for name in names if name in vars(value)]
    if cls in (MethodType, BuiltinMethodType):
        return (value.__self__,)
    if cls is partial:
        return (value.func, *value.args, *value.keywords.values())
    if pytree.is_container(value):
        return (*islice(pytree.held_in(value), MOST), *_mentioned_in(names, value))
    if _is_iterator_of_c(value):
        return gc.get_referents(value)
    if issubclass(cls, type):
        return (*_of_class(names, value), *_of_class(names, cls))
    if is_foreign(module_of(cls)):
        return pytree.attributes_of(value).values()
    return _mentioned_in(names, value)


def _mentioned_in(names: tuple[str, ...], value: object) -> list[object]:
    """The attributes of an object, and of its class, that are mentioned."""
    if not pytree.has_attributes(type(value)):
        return []
    fields = pytree.attributes_of(value)
    return [*(fields[name] for name in names if name in fields), *_of_class(names, type(value))]


def _of_class(names: tuple[str, ...], cls: type) -> list[object]:
    """The attributes of a class of the user's that are mentioned; a descriptor says nothing of itself."""
    users = [vars(base) for base in type.__dict__["__mro__"].__get__(cls) if not is_foreign(module_of(base))]
    return [table[name] for table in users for name in names if name in table]


def _lives_on(rec: Recorder, value: object) -> bool:
    """Whether a value is there when this Block of the Program is over."""
    if type(value) in SCALARS or issubclass(type(value), (*CLOSED, ModuleType)) or is_staged_object(value):
        return False
    is_new = rec.heap.is_local(value) if len(rec.frames) > 1 else rec.heap.birth(value) is not None
    return not is_new and rec.heap.staged(value) is None


def _holds(value: object) -> bool:
    """Whether what a value holds can be compared, and put back."""
    if pytree.is_container(value):
        return not pytree.is_frozen(type(value))
    if isinstance(value, type | MethodType):
        return False
    return bool(type(value).__dictoffset__)


def _is_iterator_of_c(value: object) -> bool:
    """Whether an iterator is one of Python's own."""
    cls = type(value)
    return hasattr(cls, "__next__") and module_of(cls) in ("builtins", "itertools", "_collections", "collections")


def _state_in_c(value: Any) -> object:
    """What C keeps of an object, as far as it can be asked without changing that; None for what has no such state."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.tobytes()
    if isinstance(value, bytearray | array):
        return bytes(value)
    if isinstance(value, io.StringIO | io.BytesIO):
        return None if value.closed else (value.getvalue(), value.tell())
    if isinstance(value, Random):
        return value.getstate()
    if isinstance(value, GeneratorType):
        return value.gi_frame is not None and value.gi_frame.f_lasti
    if isinstance(value, type):
        return [(name, id(part)) for name, part in type.__dict__["__dict__"].__get__(value).items() if name[:2] != "__"]
    if _is_iterator_of_c(value):
        hint = getattr(value, "__length_hint__", None)
        return repr(value) if isinstance(value, itertools.count) else hint and hint()
    return None
