"""What trials of a loop have told about it, and the paths by which that is known.

A path leads from a carried value, by its number, or from an object, by its key, to a part of it: `(2, 0)` is the first item of
the third carried value.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...ir.core import Operation
from ...ir.types import Type
from .state import Content, Fields, Held, Listed
from .things import REFERENCES, Thing, parts_by_name

Path = tuple[Hashable, ...]


@dataclass
class Learnt:
    """What is known of a loop; it only grows.

    replaced: references that aren't the same in the next turn. changed: keys of the objects from outside that the body changes.
    runs: lists that are carried as sequences. loose: tokens of sequences that the body changes. frozen: objects that may not be
    changed in a turn, and what has copied them. unsure: keys of dicts that needn't be there. alternatives: of sums. keys: of
    dicts, that a turn adds. beside: references to their own object or to one from outside, with the key of that; None: to what
    they are at first. types: of what isn't declared. raises: whether a turn may raise. asks_first: whether the condition may,
    so that it is asked before the loop and at the end of the body.
    """

    replaced: set[Path] = field(default_factory=set)
    changed: set[Hashable] = field(default_factory=set)
    runs: set[Path] = field(default_factory=set)
    loose: set[Path] = field(default_factory=set)
    frozen: dict[Hashable, Operation | None] = field(default_factory=dict)
    unsure: set[Path] = field(default_factory=set)
    alternatives: dict[Path, frozenset[int]] = field(default_factory=dict)
    keys: dict[Path, dict[Any, Type]] = field(default_factory=dict)
    beside: dict[Path, Hashable] = field(default_factory=dict)
    types: dict[Path, Type] = field(default_factory=dict)
    raises: bool = False
    asks_first: bool = False

    def size(self) -> tuple:
        """Another one where something was learnt since."""
        sets = (self.replaced, self.changed, self.runs, self.loose, self.frozen, self.unsure, self.beside)
        several = (*self.alternatives.values(), *self.keys.values())
        types = tuple(map(str, self.types.values()))
        return (*[len(known) for known in sets], sum(map(len, several)), types, self.raises, self.asks_first)


def references(thing: Thing, path: Path) -> Iterator[tuple[Path, Thing]]:
    """The references among the parts of a thing, each with its path."""
    if isinstance(thing, REFERENCES):
        yield path, thing
        return
    for name, part in parts_by_name(thing):
        yield from references(part, (*path, name))


def paths_in(content: Content, path: Path) -> list[tuple[Path, Thing]]:
    """What a content holds directly, each with its path."""
    if isinstance(content, Listed):
        return [((*path, k), thing) for k, thing in enumerate(content.things)]
    if isinstance(content, Fields):
        return [((*path, name), thing) for name, thing in content.things.items()]
    return [((*path, "held"), content.thing)] if isinstance(content, Held) else []
