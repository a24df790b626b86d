"""The order of an object's attributes: a trial leaves it as it was, and where two paths meet it is known or it isn't."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...pytree import namespace_of
from .staged_objects import is_staged_object

TABLES = ("_parameters", "_buffers", "_sub_layers")  # where a layer keeps what isn't among its plain attributes


def tables_of(owner: object) -> Iterator[dict]:
    """The dicts that hold the attributes of an object; none for one with slots, or whose fields the Program holds in order."""
    if is_staged_object(owner):
        return
    held = namespace_of(owner)
    if type(held) is dict:
        yield held
        yield from (table for name in TABLES if type(table := held.get(name)) is dict)


def order_of(owner: object) -> list[str]:
    """The names of an object's attributes, in their order."""
    return [name for table in tables_of(owner) for name in table]


def put_in_order(owner: object, names: Sequence[str]) -> None:
    """Let the attributes of these names follow each other in this order."""
    for table in tables_of(owner):
        ordered = [name for name in names if name in table]
        if ordered != [name for name in table if name in ordered]:
            table.update({name: table.pop(name) for name in ordered})


def agree(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the names that both have are in one order."""
    return [name for name in one if name in other] == [name for name in other if name in one]
