"""Closure variables: the user's own code behind a function, and which variables hold one value as long as they live.

    def adder(by):                      `by` is settled: nothing stores it once `add` is made
        def add(value):
            return value + by
        return add

    for i in range(3):                  `i` isn't: the next turn stores it
        hooks.append(lambda v: v + i)
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterator, Mapping
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FunctionType
from typing import Any

from ...converted_code import codes_in, is_converted, is_part, source_of
from .per_code import per_code

STORES = {"STORE_DEREF", "DELETE_DEREF"}
INSIDE = "<locals>"


def users_code(code: CodeType) -> CodeType | None:
    """The code of a function as the user wrote it, which rewritten code stands for; None where it can't be told."""
    if not is_converted(code):
        return code
    source = source_of(code)
    if source is None or is_part(code):
        return None
    known = _signature(code)
    found = [inner for inner in codes_in(source) if inner is not source and _signature(inner) == known]
    if len(found) > 1:  # lambdas on one line
        found = [inner for inner in found if _columns(inner) == _columns(code)]
    return found[0] if len(found) == 1 else None


def settled_variables(function: FunctionType) -> frozenset[str]:
    """The closure variables of an inner function that are surely never stored again, by itself or any other function."""
    code, around = users_code(function.__code__), _around(function)
    return frozenset() if code is None or around is None else _settled(around).get(id(code), frozenset())


def _signature(code: CodeType) -> tuple:
    """What an inner function keeps when it is rewritten."""
    flags = code.co_flags & (CO_VARARGS | CO_VARKEYWORDS)
    count = code.co_argcount + code.co_kwonlyargcount + bool(flags & CO_VARARGS) + bool(flags & CO_VARKEYWORDS)
    free = frozenset(code.co_freevars) - {"_jst"}
    return code.co_name, code.co_firstlineno, code.co_argcount, code.co_varnames[:count], flags, free


def _columns(code: CodeType) -> tuple[int, int] | None:
    """Where the code of a function begins and ends on its first line; Python 3.10 doesn't say."""
    if sys.version_info < (3, 11):
        return None
    places = [place for each in codes_in(code) for place in each.co_positions() if place[0] == place[1] == code.co_firstlineno]
    columns = [(start, end) for _, _, start, end in places if start is not None and end]
    return (min(start for start, _ in columns), max(end for _, end in columns)) if columns else None


def _around(function: FunctionType) -> CodeType | None:
    """The user's code of the outermost function that a function stands in, where a path of names leads to it."""
    code = function.__code__
    if is_converted(code):
        return source_of(code)
    first, *rest = function.__qualname__.partition(f".{INSIDE}")[0].split(".")
    found = function.__globals__.get(first)
    for name in rest:
        found = getattr(found, name, None)
    while found is not None and not isinstance(found, FunctionType):
        found = getattr(found, "__wrapped__", None) or getattr(found, "__func__", None)
    return found.__code__ if found is not None and any(inner is code for inner in codes_in(found.__code__)) else None


@per_code
def _settled(code: CodeType) -> dict[int, frozenset[str]]:
    """The settled variables of each function inside one, by the id of its code."""
    return dict(_inside(code, {}))


def _inside(code: CodeType, owners: Mapping[str, CodeType]) -> Iterator[tuple[int, frozenset[str]]]:
    """owners: the code whose variable each name is."""
    owners = {**owners, **dict.fromkeys(code.co_cellvars, code)}
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            known = [name for name in inner.co_freevars if name in owners]
            yield id(inner), frozenset(name for name in known if _is_stored_once(owners[name], name))
            yield from _inside(inner, {name: owners[name] for name in known})


def _is_stored_once(owner: CodeType, name: str) -> bool:
    """Whether a variable gets one value in all: a parameter's, or that of a single store which no loop repeats."""
    inner = [code for code in codes_in(owner) if code is not owner and name in code.co_freevars]
    if any(True for code in inner for _ in _stores(code, name)):
        return False
    count = owner.co_argcount + owner.co_kwonlyargcount
    flags = owner.co_flags
    is_parameter = name in owner.co_varnames[: count + bool(flags & CO_VARARGS) + bool(flags & CO_VARKEYWORDS)]
    stores = list(_stores(owner, name))
    if is_parameter or len(stores) != 1:
        return is_parameter and not stores
    return stores[0].opname == "STORE_DEREF" and not _is_repeated(owner, stores[0].offset)


def _stores(code: CodeType, name: str) -> Iterator[dis.Instruction]:
    return (step for step in dis.get_instructions(code) if step.opname in STORES and step.argval == name)


def _is_repeated(code: CodeType, offset: int) -> bool:
    """Whether a jump back leads from behind an instruction to it, or to what is before it."""
    jumps = {*dis.hasjrel, *dis.hasjabs}
    return any(step.opcode in jumps and step.argval <= offset < step.offset for step in dis.get_instructions(code))


def carried_by(function: Any) -> tuple[str, ...]:
    """The variables that a part of a rewritten function takes and gives back; those that it only reads are its defaults."""
    code = function.__code__
    return code.co_varnames[: code.co_argcount - len(function.__defaults__ or ())]
