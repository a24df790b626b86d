"""Python's built-ins on staged values; on Python values each is the built-in itself."""

from __future__ import annotations

import builtins
import functools
import itertools
import operator
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from ....errors import ConversionError, Dy2stError
from ....ops.registry import lookup
from ....pytree import module_of
from ...heap.identity import SCALARS
from ...heap.own_attributes import has_special
from ...proxies import StagedContainer, StagedNumber, StagedStr, StagedSum, exact_index, on_kinds, own_index
from ...recorder.recorder import Recorder, current_recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user, speaks_for_the_user
from ...where.user_code import user_loc
from ..iteration.collecting import (
    convert_dict,
    convert_fromkeys,
    convert_list,
    convert_set,
    convert_tuple,
    is_users_iterator,
    iteration_of,
    lazily,
    says_its_items,
)
from ..iteration.cursors import builtin_iter, convert_next
from ..iteration.entries import convert_iter, entries_to_reverse, refuse_uniterable
from ..iteration.gathering import fold
from ..iteration.generation import Generation
from ..iteration.generators import Alongside, Numbered
from ..iteration.pulling import (
    Cursor,
    Equally,
    Together,
    is_pulled,
    numbered,
    one_by_one,
    position_in,
    raise_unequal,
    reversed_class,
)
from ..iteration.zip_and_enumerate import Backwards, Enumeration, Zipped
from ..operations.access import at, new, of_class
from ..operations.casts import convert_bool, convert_float, convert_int
from ..operations.ifelse import convert_ifelse
from ..operations.item_sources import Consumption, Iteration, Stepped, note_made
from ..operations.logical import convert_logical_and, convert_logical_not, convert_logical_or
from ..operations.operators import convert_operator, convert_unary, overloads
from ..operations.ranges import StagedRange, staged_range
from ..operations.structures import holds_scalars, is_run_time, known_class
from ..operations.sums import instead, of_each_kind
from . import collections_, contextlib_, copying, dataclasses_, eval_, frames, itertools_, operator_, weak_references
from .functools_ import convert_partial
from .introspection import (
    convert_delattr,
    convert_dir,
    convert_getattr,
    convert_hasattr,
    convert_isinstance,
    convert_object_delattr,
    convert_object_setattr,
    convert_setattr,
    convert_type,
    convert_vars,
)
from .mapping import convert_filter, convert_map, convert_reduce
from .ordering import convert_max, convert_min, convert_sorted
from .refused import of_object
from .text import builtin_format, convert_ascii, convert_print, convert_repr, convert_str
from .text_builtins import known_only, spelling
from .wrong_arguments import in_pythons_words

ENDLESS = (itertools.count, itertools.cycle, itertools.repeat)


def _resolved(value: Any) -> Any:
    """A list, dict or set that is known only at run time, in place of the Python object that denotes it."""
    rec = current_recorder()
    return value if rec is None else rec.heap.resolve(value)


SIZED = (list, tuple, dict, set, str)


def convert_len(value: Any) -> Any:
    rec = current_recorder()
    if rec is None:
        return as_the_user(len, value)
    value = rec.heap.resolve(value)
    if type(value) in SIZED:
        return len(value)
    if isinstance(value, StagedSum):
        return rec.on_alternatives(value, convert_len)
    if isinstance(value, StagedContainer):
        return value.length()
    if isinstance(value, StagedStr):
        return lookup("str.len")(value)
    if isinstance(value, Tensor):
        if value.type.rank == 0:
            raise TypeError("len() of a 0-d tensor")
        if value in rec.promoted:
            rec.promoted.refuse(rec.here(), "len")
        return value.shape[0]
    if isinstance(value, StagedRange):
        return value.length
    if has_special(type(value), "__len__") and module_of(type(value)) != "builtins":
        return _checked_length(exact_index(rec.convert_call(of_class(value, "__len__"))()))
    return as_the_user(len, value)


def _checked_length(length: Any) -> Any:
    """What a `__len__` of the user's gives. ValueError: a negative one."""

    def refuse() -> None:
        raise ValueError("__len__() should return >= 0")

    convert_ifelse(length < 0, refuse, lambda: None)
    return length


def convert_callable(value: Any) -> Any:
    rec = current_recorder()
    if rec is None:
        return callable(value)
    value = rec.heap.resolve(value)
    return rec.on_alternatives(value, convert_callable) if isinstance(value, StagedSum) else callable(value)


def convert_range(*bounds: Any) -> Any:
    bounds = bounds if current_recorder() is None else tuple(map(own_index, bounds))
    if not any(is_run_time(b) for b in bounds):
        return as_the_user(range, *bounds)
    start, stop, step = {1: (0, *bounds[:1], 1), 2: (*bounds, 1), 3: bounds}[len(bounds)]
    return staged_range(start, stop, step)


def convert_index(value: Any) -> Any:
    """`operator.index(value)`"""
    return as_the_user(operator.index, value) if current_recorder() is None else convert_int(exact_index(value))


def convert_enumerate(iterable: Any, start: Any = 0) -> Any:
    rec = current_recorder()
    start = start if rec is None else exact_index(start)
    if is_pulled(rec):
        return numbered(rec, iterable, start)
    iteration = lazily(iterable)
    if iteration is None and is_run_time(start):
        iteration = convert_iter(new(as_the_user(list, iterable)))
    if iteration is None or isinstance(iteration, Stepped):
        return note_made(as_the_user(enumerate, iterable if iteration is None else iter(iteration), start))
    return Numbered(iteration, start) if isinstance(iteration, Generation) else note_made(Enumeration(iteration, start))


def convert_zip(*iterables: Any, strict: bool = False) -> Any:
    rec = current_recorder()
    together = Equally if strict else Together
    if is_pulled(rec) or (rec is not None and len(iterables) > 1 and any(map(is_users_iterator, iterables))):
        return together(rec, [one_by_one(rec, x) for x in iterables])
    found = [lazily(x) for x in iterables]  # once: it may ask an iterator of the user's for its items
    if all(iteration is None or isinstance(iteration, Stepped) for iteration in found):
        asked = (x if iteration is None else iter(iteration) for x, iteration in zip(iterables, found))
        return note_made(as_the_user(zip, *asked, strict=strict))
    endless = next((x for x in iterables if isinstance(x, ENDLESS)), None)
    if endless is not None:
        raise ConversionError(
            f"{user_loc()}: zip with itertools.{type(endless).__name__} has no end that staging could see; use enumerate or range"
        )
    if rec is not None and any(map(_is_asked_one_by_one, iterables, found)):
        return together(rec, [one_by_one(rec, one or x) for x, one in zip(iterables, found)])
    parts = [one or convert_iter(new(as_the_user(list, x))) for x, one in zip(iterables, found)]
    pushing = [part for part in parts if isinstance(part, Generation)]
    if rec is not None and len(pushing) > (0 if strict else 1):
        return together(rec, [one_by_one(rec, part) for part in parts])
    if pushing:
        index = parts.index(pushing[0])
        return Alongside(parts[:index], pushing[0], parts[index + 1 :])
    if strict:
        _check_lengths(parts)
    return note_made(Zipped(parts))


def _is_asked_one_by_one(iterable: Any, iteration: Iteration | None) -> bool:
    """Whether a class of the user's gives each item when it is asked for it, and perhaps never ends."""
    return isinstance(iteration, Stepped) or (iteration is None and says_its_items(iterable))


def _check_lengths(parts: list) -> None:
    """`strict=True`: what Python raises where one is shorter or longer than those before it."""
    first = parts[0]._length()
    for position, part in enumerate(parts[1:], 1):
        for differs, word in ((part._length() < first, "shorter"), (part._length() > first, "longer")):
            convert_ifelse(differs, lambda k=position, word=word: raise_unequal(k, word), lambda: None)


def convert_reversed(sequence: Any) -> Any:
    rec, method = current_recorder(), getattr(type(sequence), "__reversed__", None)
    entries = None if rec is None else entries_to_reverse(rec, sequence)
    if rec is not None and entries is None and isinstance(method, FunctionType):
        return rec.convert_call(method)(sequence)
    if rec is not None and isinstance(cls := convert_type(sequence), type) and issubclass(cls, set):
        raise TypeError(f"'{cls.__name__}' object is not reversible")
    given = sequence
    if rec is not None and isinstance(sequence, StagedSum | StagedNumber):
        refuse_uniterable(rec, sequence, "'{}' object is not reversible", "__reversed__")
        sequence = of_each_kind(rec, sequence, lambda x: _as_its_class_reverses(rec, x))
    iteration, stands_for = entries or iteration_of(sequence), reversed_class(given)
    if is_pulled(rec):
        return _reversed_one_by_one(rec, sequence, convert_iter(sequence) if iteration is None else iteration, stands_for)
    if iteration is None or isinstance(iteration, Generation):
        return note_made(as_the_user(reversed, sequence))
    return note_made(Backwards(iteration, stands_for))


def _reversed_one_by_one(rec: Recorder, sequence: Any, iteration: Iteration, stands_for: Any) -> Any:
    """`reversed`, to be asked for its items one at a time; `iteration`: that over the sequence."""
    if not isinstance(iteration, Consumption):
        return Cursor(rec, Backwards(iteration, stands_for), stands_for)
    made = position_in(rec, sequence, Consumption(as_the_user(reversed, sequence)))
    made.stands_for = stands_for
    return made


def _as_its_class_reverses(rec: Recorder, sequence: Any) -> Any:
    """A list that, reversed, gives what `reversed(sequence)` gives: a class of the user's may have its own `__reversed__`."""
    if known_class(sequence) is list:
        return sequence  # which may change meanwhile
    return rec.heap.resolve(at(rec.convert_call(list)(convert_reversed(sequence)))[::-1])


def convert_sum(iterable: Any, start: Any = 0) -> Any:
    rec = current_recorder()
    if rec is not None and isinstance(start, StagedSum):
        return rec.on_alternatives(start, lambda x: convert_sum(iterable, x))
    if isinstance(start, StagedStr | str | bytes | bytearray):
        as_the_user(sum, (), "" if isinstance(start, StagedStr) else start)  # which raises
    if rec is not None and type(start) in SCALARS and holds_scalars(rec, iterable):
        return as_the_user(sum, iterable, start)
    iteration = iteration_of(_resolved(iterable))
    add = partial(convert_operator, "+")
    if iteration is not None:
        return fold(iteration, start, add)
    of_objects = type(iterable) in (list, tuple) and any(map(overloads, (start, *iterable)))
    return functools.reduce(add, iterable, start) if of_objects else as_the_user(sum, iterable, start)


def _quantifier(python: Callable, combine: Callable) -> Callable:
    """`any` and `all`: nothing behind the item that decides is looked at."""

    def quantifier(iterable: Any) -> Any:
        if (rec := current_recorder()) is not None and holds_scalars(rec, iterable):
            return as_the_user(python, iterable)
        iteration = iteration_of(_resolved(iterable))
        if current_recorder() is None or (iteration is None and not isinstance(iterable, tuple)):
            return as_the_user(python, iterable)
        if iteration is None:
            iteration = convert_iter(iterable)
        if iteration.is_staged:
            going = convert_logical_not if python is any else convert_bool
            return fold(iteration, python(()), lambda known, item: convert_bool(combine(known, lambda: item)), going)
        items = list(iteration)
        return combine(convert_bool(items[0]), *(lambda x=x: convert_bool(x) for x in items[1:])) if items else python(())

    return quantifier


def convert_pow(base: Any, exp: Any, mod: Any = None) -> Any:
    if mod is None:
        return as_the_user(pow, base, exp)
    return lookup("py.powmod")(base, exp, mod) if any(map(is_run_time, (base, exp, mod))) else as_the_user(pow, base, exp, mod)


def of_each_class(function: Callable) -> Callable:
    """`function`; where it doesn't take a number whose class follows the path, of each class, so that Python names it."""

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            number = next((arg for arg in args if isinstance(arg, StagedNumber)), None)
            if number is None or isinstance(error, Dy2stError):
                raise
        return on_kinds(number, lambda x: call(*instead(args, number, x), **kwargs))

    return speaks_for_the_user(call)


_STAND_INS: dict[Any, Callable] = {
    builtins.len: convert_len,
    builtins.int: convert_int,
    builtins.float: convert_float,
    builtins.bool: convert_bool,
    builtins.str: convert_str,
    builtins.repr: convert_repr,
    builtins.format: builtin_format,
    builtins.range: convert_range,
    builtins.enumerate: convert_enumerate,
    builtins.iter: builtin_iter,
    builtins.next: convert_next,
    builtins.zip: convert_zip,
    builtins.reversed: convert_reversed,
    builtins.list: convert_list,
    builtins.tuple: convert_tuple,
    builtins.set: convert_set,
    builtins.dict: convert_dict,
    dict.fromkeys: convert_fromkeys,
    builtins.sorted: convert_sorted,
    builtins.min: convert_min,
    builtins.max: convert_max,
    builtins.map: convert_map,
    builtins.filter: convert_filter,
    functools.reduce: convert_reduce,
    functools.partial: convert_partial,
    builtins.sum: convert_sum,
    builtins.any: _quantifier(any, convert_logical_or),
    builtins.all: _quantifier(all, convert_logical_and),
    builtins.isinstance: convert_isinstance,
    builtins.type: convert_type,
    builtins.print: convert_print,
    builtins.setattr: convert_setattr,
    object.__setattr__: convert_object_setattr,
    object.__delattr__: convert_object_delattr,
    object.__getattribute__: convert_getattr,
    builtins.abs: partial(convert_unary, "abs"),
    builtins.pow: convert_pow,
    builtins.round: round,
    builtins.divmod: divmod,
    builtins.getattr: convert_getattr,
    builtins.hasattr: convert_hasattr,
    builtins.delattr: convert_delattr,
    builtins.id: known_only(id, "compare with 'is', or compare what they hold"),
    builtins.hash: known_only(hash, "use the value itself as a key"),
    builtins.callable: convert_callable,
    operator.index: convert_index,
    **{function: spelling(function) for function in (hex, oct, bin, chr, ord)},
    builtins.ascii: convert_ascii,
    builtins.frozenset: known_only(frozenset, "use set(...)"),
    builtins.bytes: known_only(bytes, "use a str or a list of ints"),
    builtins.bytearray: known_only(bytearray, "use a list of ints"),
    builtins.complex: known_only(complex, "keep the real and the imaginary part apart"),
    builtins.vars: of_object(vars, convert_vars),
    builtins.dir: of_object(dir, convert_dir),
    builtins.slice: slice,
    **collections_.CONVERTED,
    **contextlib_.CONVERTED,
    **copying.CONVERTED,
    **dataclasses_.CONVERTED,
    **eval_.CONVERTED,
    **itertools_.CONVERTED,
    **operator_.CONVERTED,
    **weak_references.CONVERTED,
    **frames.CONVERTED,
}

REPLACEMENTS = {function: of_each_class(in_pythons_words(function, stand_in)) for function, stand_in in _STAND_INS.items()}
