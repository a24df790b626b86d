"""Other tensors in the place of those of a module, as `torch.func.functional_call` puts them there for a call.

A Program takes the tensors that the module had when it was converted. For the call these are back in their places, and have the
memory, the flags and the gradients of the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from .mirror import Mirror, Twin
from .packages import torch
from .state import State
from .values import is_dense


def places_of_others(mirror: Mirror | None, state: State) -> list[tuple[dict, str, Any]]:
    """Where a module has other tensors than when it was converted, as (table, name, its own); not where a Program keeps state."""
    if mirror is None:
        return []
    found = [(table, name, x) for table, name, x in mirror.slots if table.get(name) is not x]
    return [(table, name, x) for table, name, x in found if not state.has(table, name)]


@contextmanager
def substituted(mirror: Mirror | None, state: State) -> Iterator[list[Twin]]:
    """The tensors that stand in for those of a module, each with a Tensor on its memory."""
    found = places_of_others(mirror, state)
    if mirror is None or not found:
        yield []
        return
    others = _others(mirror, found)
    places = [(table, name, x) for table, name, x in found if id(x) in others]
    with ExitStack() as stack:
        twins = [stack.enter_context(mirror.tensors.follower(x).standing_for(other)) for x, other in others.values()]
        for table, name, x in places:
            table[name] = x
        try:
            yield twins
        finally:
            for table, name, x in places:
                if table.get(name) is x:  # which the call hasn't stored anew
                    table[name] = others[id(x)][1]


def _others(mirror: Mirror, found: list[tuple[dict, str, Any]]) -> dict[int, tuple[Any, Any]]:
    """A tensor of the module and the one in its place, by the id of the first, where a Program for the first takes the other."""
    others: dict[int, tuple[Any, Any]] = {}
    ids = {id(x) for *_, x in found}
    for table, name, x in mirror.slots:
        if id(x) in ids:
            other = table.get(name)
            fits = _is_like(x, other) and others.setdefault(id(x), (x, other))[1] is other
            if not fits:  # or a tensor of two places, which has two others
                others.pop(id(x), None)
                ids.discard(id(x))
    return others


def _is_like(x: Any, other: Any) -> bool:
    return isinstance(other, torch().Tensor) and is_dense(other) and other.shape == x.shape and other.dtype == x.dtype
