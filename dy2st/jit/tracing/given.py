"""The lists and dicts that a traced function was given: what it puts into them, the trace puts into the caller's."""

from __future__ import annotations

from typing import Any

from ... import pytree
from .tracer import Tracer


class Given:
    """The containers of the examples, what stands for each in the Program, and what each held before."""

    def __init__(self) -> None:
        self._containers: list[tuple[Any, Any, list]] = []

    def spread(self, staged: Any, example: Any) -> Any:
        """A staged input with the structure of its example."""
        if not pytree.is_container(example):
            return staged
        self._containers.append((example, staged, pytree.parts_of(example)))
        return pytree.rebuilt(example, [self.spread(key.of(staged), x) for key, x in pytree.parts_of(example)])

    def store_changes(self, tracer: Tracer) -> None:
        """Record what the function has put into its containers, in place of what they held."""
        for example, staged, before in self._containers:
            now = pytree.parts_of(example)
            if [key for key, _ in now] == [key for key, _ in before] and all(x is y for (_, x), (_, y) in zip(now, before)):
                continue
            twins = [tracer.tree(part) for _, part in now]
            staged.clear()
            if isinstance(example, dict):
                staged.update(dict(zip(example, twins)))
            else:
                staged.extend(twins)
