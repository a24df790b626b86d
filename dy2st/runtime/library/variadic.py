"""Built-ins that take any number of arguments, for calls with as many as the Program says: converted as a user's code is.

They have the names of Python's, which are what errors say.
"""

from __future__ import annotations

import builtins
import itertools

ABSENT = object()  # the default of a default that isn't given

def print(*values, sep=" ", end="\n", file=None, flush=False):
    """The built-in."""
    builtins.print((" " if sep is None else sep).join([str(value) for value in values]), end=end, file=file, flush=flush)


def max(*values, key=None, default=ABSENT):
    """The built-in."""
    check_choice("max", len(values), default)
    if len(values) > 1:
        return builtins.max(values, key=key)
    return builtins.max(values[0], key=key) if default is ABSENT else builtins.max(values[0], key=key, default=default)


def min(*values, key=None, default=ABSENT):
    """The built-in."""
    check_choice("min", len(values), default)
    if len(values) > 1:
        return builtins.min(values, key=key)
    return builtins.min(values[0], key=key) if default is ABSENT else builtins.min(values[0], key=key, default=default)


def check_choice(name, count, default):
    """Raise what `max` and `min` raise for `count` arguments by position."""
    if count == 0:
        raise TypeError(f"{name} expected at least 1 argument, got 0")
    if count > 1 and default is not ABSENT:
        raise TypeError(f"Cannot specify a default for {name}() with multiple positional arguments")


def zip(*rows, strict=False):
    """The built-in."""
    lists = [list(row) for row in rows]
    if strict:
        for i, row in enumerate(lists):
            if len(row) != len(lists[0]):
                word = "shorter" if len(row) < len(lists[0]) else "longer"
                before = "argument 1" if i == 1 else f"arguments 1-{i}"
                raise ValueError(f"zip() argument {i + 1} is {word} than {before}")
    count = builtins.min([len(row) for row in lists]) if lists else 0
    return iter([tuple([row[i] for row in lists]) for i in range(count)])


def chain(*iterables):
    """`itertools.chain`"""
    for iterable in iterables:
        yield from iterable


def dict(*pairs, **named):
    """The built-in."""
    if len(pairs) > 1:
        raise TypeError(f"dict expected at most 1 argument, got {len(pairs)}")
    made = builtins.dict(pairs[0]) if pairs else {}
    made.update(named)
    return made


VARIADIC = {
    builtins.print: print,
    builtins.max: max,
    builtins.min: min,
    builtins.zip: zip,
    builtins.dict: dict,
    itertools.chain: chain,
}
