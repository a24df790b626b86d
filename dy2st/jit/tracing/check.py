"""Whether a trace does what the function does: the same again, and for other inputs."""

from __future__ import annotations

import copy
import difflib
import re
from typing import Any

import numpy as np

from ... import pytree
from ...nn.layer import Layer
from ...runtime.tensors.grad_mode import no_grad
from ...runtime.tensors.spec import is_tensor
from ...runtime.tensors.tensor import Tensor
from .tracer import warn_traced


class TracingCheckError(RuntimeError):
    """A function that computes something else for other inputs: its graphs, compared line by line."""


class Checker:
    """Checks one trace against its function, which is a method of `owner`, where that isn't None."""

    def __init__(self, function: Any, made: Any, retrace: Any, tolerance: float, owner: Layer | None):
        self.function, self.made, self.retrace, self.tolerance, self.owner = function, made, retrace, tolerance, owner

    def check(self, again: bool, inputs: tuple, others: list | None) -> None:
        """Run the trace and the function on `others`, or, without any, once more on the example."""
        if not again:
            return
        for given in [inputs] if others is None else [tuple(x) if isinstance(x, tuple | list) else (x,) for x in others]:
            if others is not None:
                self._compare_graphs(given)
            self._compare_values(given)

    def _compare_graphs(self, inputs: tuple) -> None:
        first, second = (_lines(made) for made in (self.made, self.retrace(inputs)))
        if first != second:
            diff = "\n".join(line.rstrip() for line in difflib.ndiff(first, second))
            raise TracingCheckError(
                "Tracing failed sanity checks!\nERROR: Graphs differed across invocations!\n\tGraph diff:\n"
                + "\n".join(f"\t\t{line}" for line in diff.splitlines())
            )

    def _compare_values(self, inputs: tuple) -> None:
        before = self.made.before(self.owner)
        before.keep_reached(self.function)
        with no_grad():
            try:
                expected = _own_results(self.function(*copied(inputs)))
                before.restore()
                given = _own_results(self.made(*copied(inputs)))
            finally:
                before.restore()
        for number, (a, b) in enumerate(zip(expected, given), 1):
            if a.shape != b.shape or not np.allclose(a, b, rtol=self.tolerance, atol=self.tolerance, equal_nan=True):
                worst = "" if a.shape != b.shape else f" (up to {np.max(np.abs(a.astype('float64') - b.astype('float64'))):g})"
                warn_traced(
                    f"Output nr {number}. of the traced function does not match the corresponding output of the Python function"
                    f"{worst}: it draws random numbers, or the trace lacks something"
                )


def _lines(made: Any) -> list[str]:
    """The graph without locations."""
    return [re.sub(r" # \S+:\d+:\d+$", "", line) for line in str(made.graph).splitlines()]


def copied(inputs: Any) -> Any:
    """Tensors of their own memory: a function may write into its arguments."""
    return pytree.copied(inputs, pytree.is_no_container, _copied_leaf)


def _copied_leaf(leaf: Any) -> Any:
    return Tensor(np.array(leaf._data), stop_gradient=leaf.stop_gradient) if isinstance(leaf, Tensor) else copy.copy(leaf)


def _own_results(value: Any) -> list[np.ndarray]:
    return [np.array(tensor._data) for tensor in pytree.walk(value, is_tensor)]
