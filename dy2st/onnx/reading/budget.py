"""Budgets of loading one ONNX model: how many nodes are recorded, and how many elements constant folding computes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ...config import file_limits
from ...saving.untrusted import within

SMALL = 10_000  # nodes that any model may record: a small one may have a loop of many iterations that is unrolled
MOST_FOLDED = 1 << 22  # elements of constants that loading one model computes


class Budget:
    """Counts down while a model of `nodes` nodes is loaded, however often it is staged anew."""

    def __init__(self, nodes: int):
        self._nodes, self._recorded, self._elements = nodes, 0, MOST_FOLDED

    def record(self, steps: int = 1) -> None:
        """Count one more recording of a node, or of its steps. ModelFileError: more recordings than a file may ask for."""
        self._recorded += steps
        if self._recorded > SMALL + self._nodes * file_limits.node_recordings:
            within("node_recordings", -(-self._recorded // max(self._nodes, 1)), "recordings of each node, on average")

    def takes(self, elements: int) -> bool:
        """Whether so many more elements may be computed; if so, they are counted."""
        if elements > self._elements:
            return False
        self._elements -= elements
        return True


_current: ContextVar[Budget] = ContextVar("budget")


@contextmanager
def limited(nodes: int) -> Iterator[None]:
    """Load a model of so many nodes within a Budget."""
    token = _current.set(Budget(nodes))
    try:
        yield
    finally:
        _current.reset(token)


def budget() -> Budget:
    """The Budget of the model that is being loaded."""
    return _current.get()
