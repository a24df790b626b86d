"""The arguments of a call by name, in words where they don't fit."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


def by_name(label: str, names: list[str], args: tuple, kwargs: dict) -> dict[str, Any]:
    """The arguments of a call that are given, by name; TypeError, naming the function, for one that is unknown or given twice."""
    given = dict(zip(names, args))
    for name, value in kwargs.items():
        if name not in names or name in given:
            raise TypeError(f"{label}: the argument {name!r} is {'given twice' if name in given else 'unknown'}")
        given[name] = value
    return given


def bind(
    function: str, names: list[str], by_keyword: Collection[str], defaults: dict[str, Any], args: tuple, kwargs: dict
) -> dict[str, Any]:
    """The arguments by name, with defaults; TypeError in words where they don't fit. by_keyword: names that take no position."""
    positional = len(names) - len(by_keyword)
    if len(args) == len(names) == positional and not kwargs:
        return dict(zip(names, args))
    head = f"{function}({', '.join(names)})"
    if len(args) > positional:
        rest = f" and {', '.join(by_keyword)} by keyword" if by_keyword else ""
        raise TypeError(f"{head} takes {positional} arguments{rest}, not {len(args)}")
    given = by_name(head, [*(n for n in names if n not in by_keyword), *by_keyword], args, kwargs)
    missing = [name for name in names if name not in given and name not in defaults]
    if missing:
        raise TypeError(f"{head}: missing a required argument: {missing[0]!r}")
    return {name: given.get(name, defaults.get(name)) for name in names}
