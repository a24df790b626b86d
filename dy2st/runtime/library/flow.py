"""Control flow that is given as functions (`static.nn.cond` and its like): converted as a user's is."""

from __future__ import annotations

from typing import Any


def cond(pred: Any, true_fn: Any, false_fn: Any) -> Any:
    """One of two calls; None for a branch that is None."""
    if pred:
        return None if true_fn is None else true_fn()
    return None if false_fn is None else false_fn()


def while_loop(cond: Any, body: Any, state: tuple) -> tuple:
    """state = body(*state) while cond(*state); a body of one variable may give it bare."""
    count = len(state)
    while cond(*state):
        found = body(*state)
        state = tuple(found) if isinstance(found, list | tuple) else (found,)
        if len(state) != count:
            raise ValueError(f"the body of while_loop gives {len(state)} variables of {count}")
    return state


def case(pairs: list, default: Any) -> Any:
    """The first function whose condition is true, called; or `default`."""
    for pred, function in pairs:
        if pred:
            return function()
    return default()


def called(self: Any, *inputs: Any, **kwargs: Any) -> Any:
    """A layer, called: its forward between its hooks."""
    return self(*inputs, **kwargs)
