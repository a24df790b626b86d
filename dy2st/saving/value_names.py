"""The names of the values of a Function in a file: names that stay as they are when an operation comes in somewhere else.

    x             its name in the source, where it has one;   x#1, x#2   where that is taken
    #fc.matmul    the layer and the operator that give it;    #fc.matmul#1
    #2            a constant

A printed Program numbers its values instead, which is shorter, and changes every line below a new one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..ir.core import Block, Function, Operation, Value
from ..ir.names import hint_of

_MAX_CONSTANT = 20
_BAD = re.compile(r"[^\w.+-]")


def file_names(function: Function) -> dict[Value, str]:
    """The names of all values of a Function."""
    names: dict[Value, str] = {}
    taken: dict[str, int] = {}
    for value, source in _values(function.block, "arg"):
        name = base = hint_of(value) or f"#{source}"
        while name in taken:
            name = f"{base}#{taken[base]}"
            taken[base] += 1
        taken[name] = 1
        names[value] = name
    return names


def name_in_source(name: str) -> str:
    """The part of a name that says what a value is called in the source; empty where it has no name there."""
    return name.partition("#")[0]


def _values(block: Block, args_of: str) -> Iterator[tuple[Value, str]]:
    """Each value, in the order of the file, and what it comes from."""
    for value in block.args:
        yield value, args_of
    for op in block.ops:
        source = _source(op)
        for value in op.results:
            yield value, source
        for inner in op.blocks:
            yield from _values(inner, f"{source}.arg")


def _source(op: Operation) -> str:
    if op.name == "const":
        value = op.attrs.get("value")
        is_huge = type(value) is int and value.bit_length() > _MAX_CONSTANT * 4  # Python refuses to write the digits of some
        return op.name if is_huge else _BAD.sub("_", str(value)[:_MAX_CONSTANT])
    return f"{op.path}.{op.name}" if op.path else op.name
