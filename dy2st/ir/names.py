"""Unique names for the Values of one Function: the hint, the hint with a number, or a number alone; names that mean something."""

from __future__ import annotations

import re
from collections.abc import Container
from keyword import iskeyword

from .core import Block, Function, Value

TEXT = "__str__"  # the field of an exception that holds what `__str__` of its class says, for those who don't know the class
_BAD = re.compile(r"[^\w.]")
_NUMBER = re.compile(r"[0-9]*")


def hint_of(value: Value) -> str:
    """The hint of a Value in characters that names have; empty where it has none, or a mere number."""
    hint = _BAD.sub("_", value.name)
    return "" if _NUMBER.fullmatch(hint) else hint


def free(name: str, taken: Container[str], mark: str = "_") -> str:
    """This name, or with a number behind it that makes one that isn't taken: the first, where the numbers before are all taken.

    Takes logarithmic time in the number of names that are taken.
    """
    if name not in taken:
        return name
    low, high = 0, 1
    while f"{name}{mark}{high}" in taken:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if f"{name}{mark}{middle}" in taken else (low, middle)
    return f"{name}{mark}{high}"


def names_a_tuple(name: str, fields: tuple[str, ...]) -> bool:
    """Whether Python makes a namedtuple of these names, which it writes into source, where other letters may be the same."""
    are_identifiers = all(n.isidentifier() and not iskeyword(n) and _is_normal(n) for n in (name, *fields))
    return are_identifiers and len(set(fields)) == len(fields) and not any(f.startswith("_") for f in fields)


def _is_normal(name: str) -> bool:
    """Whether a name in Python's source is this name itself."""
    if name.isascii():
        return True
    from unicodedata import normalize  # only few models need it

    return normalize("NFKC", name) == name


class Names:
    """Gives each Value a name when it first asks; `%y`, `%y_1` for a hint that is taken, `%0` without a hint."""

    def __init__(self) -> None:
        self.of: dict[Value, str] = {}
        self.taken: set[str] = set()
        self.last: dict[str, int] = {}

    def __call__(self, value: Value) -> str:
        if value not in self.of:
            self.of[value] = self.make(hint_of(value))
            self.taken.add(self.of[value])
        return self.of[value]

    def make(self, hint: str) -> str:
        if not hint:
            return self.numbered("%", -1)
        return self.numbered(f"%{hint}_", 0) if f"%{hint}" in self.taken else f"%{hint}"

    def numbered(self, stem: str, start: int) -> str:
        number = self.last.get(stem, start) + 1
        while f"{stem}{number}" in self.taken:
            number += 1
        self.last[stem] = number
        return f"{stem}{number}"


def name_values(function: Function) -> Names:
    """Names in textual order: arguments and results before the Blocks that an Operation holds."""
    names = Names()
    _name_block(function.block, names)
    return names


def _name_block(block: Block, names: Names) -> None:
    for value in block.args:
        names(value)
    for op in block.ops:
        for value in op.results:
            names(value)
        for inner in op.blocks:
            _name_block(inner, names)
