"""Python's built-ins on staged values; on Python values each is the built-in itself."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import Any

from ...ops.registry import lookup
from ..journal import MISSING
from ..proxies import Staged, StagedContainer, StagedDict, StagedList, StagedSet, StagedStr, StagedSum
from ..static import current_recorder
from ..tensor import Tensor
from .gathering import each, fold, gathered
from .introspection import convert_delattr, convert_getattr, convert_hasattr, convert_isinstance, convert_setattr, convert_type
from .iteration import Backwards, Enumeration, Iteration, StagedRange, Zipped, convert_iter, staged_iteration, staged_range
from .logical import convert_logical_and, convert_logical_not, convert_logical_or
from .mapping import convert_filter, convert_map, convert_reduce
from .ordering import convert_max, convert_min, convert_sorted
from .text import builtin_format, convert_print, convert_repr, convert_str
from .unpacking import parts_for, target_of


def _resolved(value: Any) -> Any:
    """A list, dict or set that is known only at run time, in place of the Python object that denotes it."""
    rec = current_recorder()
    return value if rec is None else rec.heap.resolve(value)


def _is_run_time(value: Any) -> bool:
    return isinstance(value, Staged) or (isinstance(value, Tensor) and current_recorder() is not None)


def _each(value: Any, function: Callable) -> Any:
    rec = current_recorder()
    assert rec is not None
    return rec.on_alternatives(value, function)


def convert_len(value: Any) -> Any:
    value = _resolved(value)
    if isinstance(value, StagedSum):
        return _each(value, convert_len)
    if isinstance(value, StagedContainer):
        return value.length()
    if isinstance(value, StagedStr):
        return lookup("str.len")(value)
    if isinstance(value, Tensor):
        if value.type.rank == 0:
            raise TypeError("len() of a 0-D tensor")
        return value.shape[0]
    if isinstance(value, StagedRange):
        return value.length
    method = getattr(type(value), "__len__", None)
    rec = current_recorder()
    if rec is not None and method is not None and type(value).__module__ != "builtins":
        return rec.convert_call(value.__len__)()
    return len(value)


def _cast(python: type, dtype: str) -> Callable:
    def cast(value: Any = MISSING, *rest: Any) -> Any:
        if value is MISSING:
            return python()
        if isinstance(value, StagedSum):
            return _each(value, cast)
        if isinstance(value, Tensor) and _is_run_time(value):
            return _cast_tensor(value, python, dtype)
        return lookup(f"py.{python.__name__}")(value) if isinstance(value, Staged) else python(value, *rest)

    return cast


def _cast_tensor(value: Tensor, python: type, dtype: str) -> Any:
    """A tensor of one element gives a scalar; of more, the elementwise cast that Paddle gives, with a warning."""
    shape = value.type.shape
    if shape is not None and all(d == 1 for d in shape):
        return lookup(f"py.{python.__name__}")(lookup("py.item")(value))
    from ...errors import Dy2stWarning
    from ..warn import warn_at

    rec = current_recorder()
    assert rec is not None
    warn_at(
        rec.here(), f"{python.__name__}(x) of a tensor that may have many elements is taken as x.astype('{dtype}')", Dy2stWarning
    )
    return lookup("cast")(value, dtype=dtype)


convert_int = _cast(int, "int64")
convert_float = _cast(float, "float32")


def convert_bool(value: Any = False) -> Any:
    rec = current_recorder()
    return bool(value) if rec is None else rec.truth(value)


def convert_range(*bounds: Any) -> Any:
    if not any(_is_run_time(b) for b in bounds):
        return range(*bounds)
    start, stop, step = {1: (0, *bounds[:1], 1), 2: (*bounds, 1), 3: bounds}[len(bounds)]
    return staged_range(start, stop, step)


def _iteration(value: Any) -> Iteration | None:
    rec = current_recorder()
    if isinstance(value, Iteration):
        return value
    return None if rec is None else staged_iteration(rec, value)


def convert_enumerate(iterable: Any, start: Any = 0) -> Any:
    found = _iteration(iterable)
    if found is None:
        return enumerate(iterable, start)
    return Enumeration(found, start)


def convert_zip(*iterables: Any, strict: bool = False) -> Any:
    if not any(_iteration(x) is not None for x in iterables):
        return zip(*iterables, strict=strict)
    rec = current_recorder()
    return Zipped([_iteration(x) or convert_iter(rec.new(list(x)) if rec is not None else list(x)) for x in iterables])


def convert_reversed(sequence: Any) -> Any:
    found = _iteration(sequence)
    return reversed(sequence) if found is None else Backwards(found)


def _collect(python: type) -> Callable:
    def collect(*args: Any) -> Any:
        rec = current_recorder()
        value = _resolved(args[0]) if args else None
        if isinstance(value, StagedList) and python is list:
            return value.copy()
        if isinstance(value, StagedDict | StagedSet) and python is type(value):
            return value.copy()
        found = _iteration(value) if rec is not None and not isinstance(value, dict) else None
        if found is not None and python in (list, tuple):
            assert rec is not None
            if found.is_staged:
                items = gathered(rec, found)
                return items if python is list else _as_tuple(rec, items)
            return rec.new(python(found)) if python is list else python(found)
        if found is not None and python is set and found.is_staged:
            made = rec.new(set())
            each(found, lambda item: rec.convert_call(made.add)(item))
            return made
        made = python(*args)
        return made if rec is None or python is tuple else rec.new(made)

    return collect


convert_list = _collect(list)


def _as_tuple(rec: Any, items: list) -> Any:
    return tuple(items) if rec.heap.staged(items) is None else lookup("sequence.from_list")(items)


def convert_dict(*args: Any, **kwargs: Any) -> Any:
    rec = current_recorder()
    value = _resolved(args[0]) if args else None
    if isinstance(value, StagedDict) and not kwargs:
        return value.copy()
    found = _iteration(value) if rec is not None and not isinstance(value, dict) else None
    if rec is not None and found is not None:
        made = rec.new({})
        each(found, lambda pair: rec.at(made).__setitem__(*parts_for(target_of("key, value"), pair)))
        for name, item in kwargs.items():
            rec.at(made)[name] = item
        return made
    made = dict(*args, **kwargs)
    return made if rec is None else rec.new(made)


def convert_sum(iterable: Any, start: Any = 0) -> Any:
    found = _iteration(_resolved(iterable))
    return sum(iterable, start) if found is None else fold(found, start, lambda total, item: total + item)


def _quantifier(python: Callable, combine: Callable) -> Callable:
    """`any` and `all`: nothing behind the item that decides is looked at."""

    def quantifier(iterable: Any) -> Any:
        found = _iteration(_resolved(iterable))
        if current_recorder() is None or (found is None and not isinstance(iterable, tuple)):
            return python(iterable)
        if found is None:
            found = convert_iter(iterable)
        if found.is_staged:
            going = convert_logical_not if python is any else convert_bool
            return fold(found, python(()), lambda known, item: convert_bool(combine(known, lambda: item)), going)
        items = list(found)
        return convert_bool(combine(items[0], *(lambda x=x: x for x in items[1:]))) if items else python(())

    return quantifier


def convert_abs(value: Any) -> Any:
    return abs(value)


REPLACEMENTS: dict[Any, Callable] = {
    builtins.len: convert_len,
    builtins.int: convert_int,
    builtins.float: convert_float,
    builtins.bool: convert_bool,
    builtins.str: convert_str,
    builtins.repr: convert_repr,
    builtins.format: builtin_format,
    builtins.range: convert_range,
    builtins.enumerate: convert_enumerate,
    builtins.zip: convert_zip,
    builtins.reversed: convert_reversed,
    builtins.list: convert_list,
    builtins.tuple: _collect(tuple),
    builtins.set: _collect(set),
    builtins.dict: convert_dict,
    builtins.sorted: convert_sorted,
    builtins.min: convert_min,
    builtins.max: convert_max,
    builtins.map: convert_map,
    builtins.filter: convert_filter,
    functools.reduce: convert_reduce,
    builtins.sum: convert_sum,
    builtins.any: _quantifier(any, convert_logical_or),
    builtins.all: _quantifier(all, convert_logical_and),
    builtins.isinstance: convert_isinstance,
    builtins.type: convert_type,
    builtins.print: convert_print,
    builtins.setattr: convert_setattr,
    builtins.abs: convert_abs,
    builtins.round: round,
    builtins.divmod: divmod,
    builtins.super: super,
    builtins.getattr: convert_getattr,
    builtins.hasattr: convert_hasattr,
    builtins.delattr: convert_delattr,
    builtins.id: id,
    builtins.callable: callable,
    builtins.object: object,
    builtins.slice: slice,
}
