"""`list`, `tuple`, `set` and `dict` of anything that can be iterated."""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import Any

from ....ops.registry import lookup
from ....python_library import MEASURES_TUPLES
from ...heap.own_attributes import has_special
from ...heap.staged_objects import contents
from ...library.base import name_in_c
from ...library.length_hints import length_hint
from ...proxies import Staged, StagedDict, StagedList, StagedNumber, StagedSet, StagedSum, StagedTuple
from ...recorder.recorder import Recorder, current_recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user
from ...where.user_code import is_users_function
from ..operations.access import new
from ..operations.ifelse import convert_ifelse
from ..operations.item_sources import Consumption, Iteration, Stepped, refuse_untraceable, says_length
from ..operations.structures import is_staged_in, known_class
from ..operations.sums import of_each_kind
from .entries import convert_iter, entries_of, refuse_uniterable, staged_iteration
from .gathering import each, gathered


def iteration_of(value: Any, is_measured: bool = False) -> Iteration | None:
    """The Iteration over what Python can't iterate by itself; None for everything else.

    is_measured: Python makes a list or tuple of it, and asks how long that will be.
    """
    rec = current_recorder()
    if rec is not None:
        refuse_untraceable(rec, value)
    if isinstance(value, Iteration):
        return value
    if rec is None:
        return None
    return staged_iteration(rec, rec.heap.resolve(value)) or _of_an_object(rec, value, is_measured)


def _of_an_object(rec: Recorder, value: Any, is_measured: bool) -> Iteration | None:
    """The Iteration that the `__iter__` of a class of the user's gives: it may read what only the Program knows."""
    if not isinstance(getattr(type(value), "__iter__", None), FunctionType):
        return None
    iteration = convert_iter(value)
    if is_measured and says_length(value):
        rec.convert_call(length_hint)(value)
    if isinstance(iteration, Consumption) and not isinstance(iteration, Stepped):
        return staged_iteration(rec, rec.new(list(iteration)))
    return iteration


def says_its_items(value: Any) -> bool:
    """Whether an `__iter__` of the user's gives the items: asking for them runs it, and they may have no end."""
    return is_users_function(getattr(type(value), "__iter__", None))


def is_users_iterator(value: Any) -> bool:
    """Whether code of the user's gives each item: it isn't asked for more of them than there are beside it."""
    return not isinstance(value, Iteration) and isinstance(getattr(type(value), "__next__", None), FunctionType)


def lazily(value: Any) -> Iteration | None:
    """As `iteration_of`, for what goes on reading while a loop runs: a dict or set may become a Value meanwhile.

    An iterator of the user's may be asked by others, too: each item only when it is wanted.
    """
    rec = current_recorder()
    if rec is None or is_users_iterator(value):
        return None
    return entries_of(rec, value) or iteration_of(value)


def _of_keys(value: Any) -> Iteration | None:
    """The Iteration over what has keys that Python can't hash by itself; None for everything else."""
    iteration = iteration_of(value)
    return convert_iter(value) if iteration is None and is_staged_in(value) else iteration


def convert_list(*args: Any) -> Any:
    """`list(iterable)`"""
    rec = current_recorder()
    if rec is None or len(args) > 1:
        return as_the_user(list, *args)
    return listed(rec, args[0] if args else (), is_measured=True)


def listed(rec: Recorder, iterable: Any, is_measured: bool = False) -> Any:
    """The items in a new list. is_measured: as in `iteration_of`."""
    value = rec.heap.resolve(iterable)
    if isinstance(value, StagedList):
        return value.copy()
    if isinstance(value, StagedTuple):
        return value.to_list()
    iteration = iteration_of(value, is_measured)
    return rec.new(as_the_user(list, value)) if iteration is None else gathered(rec, iteration)


def convert_star(iterable: Any, is_listed: bool = True, is_measured: bool = True) -> Any:
    """What `*iterable` puts into a display or a call: its items; or, where only the Program knows them, what stands for them.

    is_listed: they go into a list, tuple or call, and not into a set. is_measured: Python asks how many they are.
    """
    rec = current_recorder()
    if rec is None:
        return iterable
    resolved = rec.heap.resolve(iterable)
    words = "argument after * must be an iterable, not {}" if is_listed else "'{}' object is not iterable"
    refuse_uniterable(rec, resolved, words)
    if type(iterable) in (list, tuple) and resolved is iterable:
        return iterable
    if not isinstance(resolved, StagedList | StagedTuple):
        iteration = convert_iter(iterable)
        if is_listed and is_measured and says_length(iterable):
            rec.convert_call(length_hint)(iterable)
        return gathered(rec, iteration)
    items = rec.new([])
    rec.heap.adopt(items, convert_list(iterable))
    return items


def convert_merge(*dicts: Any) -> Any:
    """`{**a, **b}`"""
    rec = current_recorder()
    made: dict = {} if rec is None else rec.heap.born_here({})
    for each_ in dicts:
        if rec is None:
            as_the_user(made.update, each_)
        elif isinstance(each_, StagedSum | StagedNumber):
            of_each_kind(rec, each_, lambda x: _merge(rec, made, x))
        else:
            _merge(rec, made, each_)
    return made


def _merge(rec: Recorder, made: dict, mapping: Any) -> None:
    """Put in what a mapping holds. TypeError: it is none."""
    cls = known_class(rec.heap.resolve(mapping))
    if not hasattr(cls, "keys"):
        raise TypeError(f"{name_in_c(cls)!r} object is not a mapping")
    rec.convert_call(made.update)(mapping)


def convert_tuple(*args: Any) -> Any:
    """`tuple(iterable)`; one whose length is known only at run time is a sequence."""
    rec = current_recorder()
    if rec is None or len(args) != 1:
        return as_the_user(tuple, *args)
    if isinstance(args[0], StagedTuple):
        return args[0]
    iteration = iteration_of(args[0], is_measured=MEASURES_TUPLES)
    if iteration is None:
        return as_the_user(tuple, args[0])
    items: Any = rec.heap.resolve(gathered(rec, iteration))
    return lookup("sequence.from_list")(items) if isinstance(items, StagedList) else tuple(items)


def convert_fromkeys(keys: Any, value: Any = None) -> Any:
    """`dict.fromkeys(keys, value)`"""
    rec = current_recorder()
    iteration = _of_keys(keys)
    if rec is None or iteration is None:
        return new(as_the_user(dict.fromkeys, keys, value))
    made = rec.new({})
    each(iteration, lambda key: rec.at(made).__setitem__(key, value))
    return made


def convert_set(*args: Any) -> Any:
    """`set(iterable)`"""
    rec = current_recorder()
    if rec is None or len(args) > 1:
        return as_the_user(set, *args)
    value = rec.heap.resolve(args[0]) if args else ()
    if isinstance(value, StagedSet):
        return value.copy()
    iteration = _of_keys(value)
    if iteration is None:
        return rec.new(as_the_user(set, value))
    made: set = rec.heap.born_here(set())
    each(iteration, lambda item: rec.convert_call(made.add)(item))
    return made


def is_other_mapping(value: Any) -> bool:
    """Whether a value is no dict, but has keys, by which Python's dict reads it."""
    return not isinstance(value, dict | Staged | Iteration | type | ModuleType) and hasattr(type(value), "keys")


def by_keys(rec: Recorder, mapping: Any) -> dict:
    """What a mapping holds, in a new dict."""
    made: dict = rec.heap.born_here({})

    def take(key: Any) -> None:
        rec.at(made)[key] = rec.at(mapping)[key]

    each(convert_iter(rec.convert_call(mapping.keys)()), take)
    return made


def _entry(rec: Recorder, iteration: Iteration, pair: Any) -> tuple:
    """The key and the value of an item that goes into a dict. TypeError, ValueError: in Python's words."""
    position = getattr(iteration, "position", 0)  # which a generation doesn't know
    number = lookup("py.str")(position) if isinstance(position, Staged) else str(position)
    words = "cannot convert dictionary update sequence element #" + number + " to a sequence"
    if isinstance(pair, StagedSum | StagedNumber):
        return of_each_kind(rec, pair, lambda x: _entry(rec, iteration, x))
    is_scalar = isinstance(pair, Tensor) and pair.type.rank == 0
    if is_scalar or not has_special(known_class(rec.heap.resolve(pair)), "__iter__"):
        raise TypeError(words)
    items = rec.convert_call(list)(pair)
    count = rec.convert_call(len)(items)

    def refuse() -> None:
        spelled = lookup("py.str")(count) if isinstance(count, Staged) else str(count)
        raise ValueError("dictionary update sequence element #" + number + " has length " + spelled + "; 2 is required")

    convert_ifelse(count != 2, refuse, lambda: None)
    return rec.at(items)[0], rec.at(items)[1]


def convert_dict(*args: Any, **kwargs: Any) -> Any:
    """`dict(mapping or pairs, key=value, ...)`"""
    rec = current_recorder()
    if len(args) > 1:
        return as_the_user(dict, *args)
    value = rec.heap.resolve(contents(rec.heap.resolve(args[0]))) if args and rec is not None else None
    if rec is not None and isinstance(value, StagedSum):
        return rec.on_alternatives(value, lambda x: convert_dict(x, **kwargs))
    if isinstance(value, StagedDict):
        made = value.copy()
    elif rec is not None and is_other_mapping(value):
        made = by_keys(rec, value)
    else:
        iteration = None if isinstance(value, dict) else _of_keys(value)
        if rec is None or iteration is None:
            made = as_the_user(dict, *(args if rec is None or value is None else (value,)), **kwargs)
            return made if rec is None else rec.new(made)
        made = rec.new({})
        if hasattr(value, "keys"):
            keys = convert_iter(rec.convert_call(value.keys)())
            each(keys, lambda key: rec.at(made).__setitem__(key, rec.at(value)[key]))
        else:
            each(iteration, lambda pair: rec.at(made).__setitem__(*_entry(rec, iteration, pair)))
    for name, item in kwargs.items():
        rec.at(made)[name] = item  # type: ignore[union-attr]
    return made
