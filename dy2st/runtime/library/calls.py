"""`iter(function, sentinel)`: the results of calls, until one is the sentinel."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def until(function: Callable, sentinel: object) -> Iterator:
    """What each call of `function` gives, up to the sentinel."""
    while True:
        result = function()
        if sentinel is result or sentinel == result:
            return
        yield result
