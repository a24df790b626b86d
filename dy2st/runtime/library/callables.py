"""Partials and closures as objects with fields: what one runs and how many values it holds is its class, the values are fields.

    partial(blend, n, scale=2)          functools.partial.blend {arg_0: n, keyword_scale: 2}
    lambda v, i=i: v + i + k            f.<locals>.<lambda> {cell_k: k, default_0: i}

A closure variable is a field where it is settled (`where.variables`): nothing stores it any more, so that whoever shares it
can't tell it from a copy. What closures are inside it belongs to its class, too, so that none holds others of its own class;
of more than `DEEPEST` inside each other some do. Other functions, and those with attributes, have no such class: a Program
knows them by name.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakValueDictionary

from ...annotations import copy_description
from ...converted_code import is_converted
from ..where.variables import INSIDE, settled_variables, users_code

Fields = dict[str, object]
DEEPEST = 4  # closures of one code inside each other that are told apart


class EMPTY:
    """What a closure variable holds that has no value."""


class Kept:
    """Base of the classes. While staging, an object of one stands for a partial or a closure."""

    __module__ = "functools"
    __stands_for__: type
    __parts__: tuple[str, ...]
    __made__: Callable[[Fields], Any]
    __depths__: dict[CodeType, int] = {}  # of a closure: `_depths` of it

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        return opened(self)(*args, **named)


def opened(kept: Any) -> Any:
    """The partial or function that an object stands for, with what it holds."""
    cls = type(kept)
    return cls.__made__({name: getattr(kept, name) for name in cls.__parts__})


def kept_class(value: object) -> type[Kept] | None:
    """The class of a partial or closure as an object with fields; None of anything else."""
    found = _parted(value)
    return None if found is None else found[0]


def taken_apart(value: object) -> tuple[type[Kept], Fields] | None:
    """The class of a partial or closure, and its fields; None of what isn't known by the values that it holds."""
    found = _parted(value)
    return None if found is None else (found[0], dict(zip(found[0].__parts__, found[1].values())))


def _parted(value: object) -> tuple[type[Kept], Fields] | None:
    if type(value) is functools.partial:
        return _partial(value)
    return _closure(value) if type(value) is FunctionType else None


_classes: WeakValueDictionary[tuple, type[Kept]] = WeakValueDictionary()  # by what makes a class: it keeps that alive


def _class_of(key: tuple, name: str, stands_for: type, parts: Fields, made: Callable[[Fields], Any]) -> type[Kept]:
    """The one class for a key; `made` gives a partial or function with these parts.

    The fields of two classes have different names, so that what one holds tells nothing of the other.
    """
    found = _classes.get(key)
    if found is None:
        names = {f"{name}.{part}": part for part in parts}
        of_fields = staticmethod(lambda fields: made({names[name]: part for name, part in fields.items()}))
        own = {"__stands_for__": stands_for, "__parts__": tuple(names), "__made__": of_fields, "__module__": "functools"}
        found = _classes[key] = type(name, (Kept,), {**own, "__qualname__": name})
    return found


# --- partials ----------------------------------------------------------------------------------------------------------


def _partial(value: functools.partial) -> tuple[type[Kept], Fields] | None:
    if vars(value):
        return None
    count, names = len(value.args), tuple(value.keywords)
    function: Any = value.func
    parts: Fields = {f"arg_{i}": part for i, part in enumerate(value.args)}
    parts.update((f"keyword_{name}", part) for name, part in value.keywords.items())
    constant = _constant(function)
    if constant is None:
        parts["func"], function = function, None
    elif constant is not function:
        function = _as_written(function)

    def made(fields: Fields) -> functools.partial:
        called: Any = fields["func"] if function is None else function
        return functools.partial(
            called,
            *(fields[f"arg_{i}"] for i in range(count)),
            **{name: fields[f"keyword_{name}"] for name in names},
        )

    name = f"functools.partial.{getattr(function, '__qualname__', 'function')}"
    return _class_of(("partial", id(constant), count, names), name, functools.partial, parts, made), parts


def _constant(function: object) -> object:
    """What stays the same of the function in a partial that is another object at each call; None of one that holds values."""
    if isinstance(function, FunctionType):
        if _cells(function):
            return None
        if not is_converted(function.__code__) and INSIDE not in function.__qualname__:
            return function
        return None if _defaults(function) or vars(function) else users_code(function.__code__)
    if isinstance(function, BuiltinFunctionType):
        return function if function.__self__ is None or isinstance(function.__self__, ModuleType) else None
    return function if isinstance(function, type) and INSIDE not in function.__qualname__ else None


# --- closures ----------------------------------------------------------------------------------------------------------


def _closure(function: FunctionType) -> tuple[type[Kept], Fields] | None:
    if vars(function) or INSIDE not in function.__qualname__:
        return None
    parts = {**_cells(function), **_defaults(function)}
    code = users_code(function.__code__)
    if not parts or code is None or EMPTY in map(type, parts.values()):
        return None
    names = code.co_freevars
    if any(f"cell_{name}" not in parts for name in names) or not settled_variables(function).issuperset(names):
        return None
    written = _as_written(function)
    made = _maker(written, names, len(function.__defaults__ or ()), tuple(function.__kwdefaults__ or ()))
    depths = {inner: min(depth, DEEPEST) for inner, depth in _depths(function).items()}
    key = ("closure", id(code), id(function.__globals__), tuple(parts), frozenset(depths.items()))
    inside = sorted(f"{inner.co_name} {depth}" for inner, depth in depths.items() if (inner, depth) != (code, 1))
    name = written.__qualname__ + (f"({', '.join(inside)})" if inside else "")
    cls = _class_of(key, name, FunctionType, parts, made)
    cls.__depths__ = depths
    return cls, parts


def _depths(value: object, around: tuple[object, ...] = ()) -> dict[CodeType, int]:
    """How many closures of one code a value holds inside each other, by code; around: the functions that hold it."""
    if type(value) in (FunctionType, functools.partial):
        if any(value is outer for outer in around):
            return {}
        held: list = _held_by(value)
        found = _deepest(_depths(part, (*around, value)) for part in held)
        code = users_code(value.__code__) if isinstance(value, FunctionType) and held else None
        return found if code is None else {**found, code: found.get(code, 0) + 1}
    if isinstance(value, tuple | list):
        return _deepest(_depths(part, around) for part in value)
    told = vars(type(value)).get("__kinds__")
    classes: list[Any] = [type(value)] if told is None else told(value)
    return _deepest(cls.__depths__ for cls in classes if issubclass(cls, Kept))


def _held_by(function: Any) -> list:
    if isinstance(function, functools.partial):
        return [function.func, *function.args, *function.keywords.values()]
    return [*_cells(function).values(), *_defaults(function).values()]


def _deepest(found: Iterable[dict[CodeType, int]]) -> dict[CodeType, int]:
    """The largest number of each code."""
    deepest: dict[CodeType, int] = {}
    for one in found:
        deepest.update((code, max(depth, deepest.get(code, 0))) for code, depth in one.items())
    return deepest


def _maker(written: FunctionType, names: tuple[str, ...], count: int, named: tuple[str, ...]) -> Callable[[Fields], FunctionType]:
    """Gives functions like one, by what they hold."""

    def made(fields: Fields) -> FunctionType:
        cells = tuple(CellType(fields[f"cell_{name}"]) for name in names)
        function = _like(written, cells)
        function.__defaults__ = tuple(fields[f"default_{i}"] for i in range(count)) or None
        function.__kwdefaults__ = {name: fields[f"keyword_{name}"] for name in named} or None
        return function

    return made


def _cells(function: FunctionType) -> Fields:
    """The closure variables of a function as fields; one without a value holds EMPTY."""
    pairs = zip(function.__code__.co_freevars, function.__closure__ or ())
    return {f"cell_{name}": _held(cell) for name, cell in pairs if name != "_jst"}


def _held(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return EMPTY()


def _defaults(function: FunctionType) -> Fields:
    by_position = {f"default_{i}": part for i, part in enumerate(function.__defaults__ or ())}
    return {**by_position, **{f"keyword_{name}": part for name, part in (function.__kwdefaults__ or {}).items()}}


def _as_written(function: FunctionType) -> FunctionType:
    """A function of the user's own code, in place of rewritten code, that holds nothing."""
    code = users_code(function.__code__)
    assert code is not None
    made = _like(function, tuple(CellType() for _ in code.co_freevars), code)
    if code is not function.__code__:  # a lambda may stand in one of rewritten code, which isn't the user's
        made.__qualname__ = getattr(code, "co_qualname", function.__qualname__)
    return made


def _like(function: FunctionType, cells: tuple[CellType, ...], code: CodeType | None = None) -> FunctionType:
    """A function that looks like one, without its defaults."""
    made = FunctionType(code or function.__code__, function.__globals__, function.__name__, None, cells)
    copy_description(made, function)
    return made
