"""Loops that functions of this package need, written in Python: this file is converted as a user's code is.

So a number of turns that only the Program knows is a loop of the Program. States of one of several kinds are taken apart when it
runs.
"""

from __future__ import annotations

from typing import Any


def repeated(step: Any, count: Any, state: Any) -> Any:
    """state = step(t, state) for t from 0 to `count` - 1."""
    for t in range(count):
        state = step(t, state)
    return state


def over_time(step: Any, count: Any, state: Any) -> Any:
    """output, state = step(t, state) for t from 0 to `count` - 1: the list of the outputs, and the state after the last turn."""
    outputs = []
    for t in range(count):
        output, state = step(t, state)
        outputs.append(output)
    return outputs, state


def total(tensors: Any) -> Any:
    """The sum of the tensors of a list, in memory of its own."""
    if not tensors:
        raise TypeError("add_n: inputs must be a non-empty list of Tensors, not list []")
    found = tensors[0].clone()
    for x in tensors[1:]:
        found = found + x
    return found


def pair(states: Any) -> tuple[Any, Any]:
    """The two states of a cell."""
    h, c = states
    return h, c
