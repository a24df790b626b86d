"""`with` of a generator of the user's, made a manager by `contextlib.contextmanager`: the body is pushed into its `yield`.

What the body raises arises at the `yield`, and the generator's own `try`, if it has one, handles it, as in Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...control.trial import as_outcome, as_values
from ...recorder.recorder import Recorder
from ...where.variables import carried_by
from ..iteration.generation import CarriedNames
from ..iteration.generators import Generator
from ..operations.attributes import store_attribute
from ..operations.ifelse import convert_ifelse, convert_raise
from ..operations.try_ import run_block


class PushedManager:
    """A manager whose generator is run as a whole, around the body. `value`: what `as` binds, once the body runs."""

    def __init__(self, rec: Recorder, generator: Generator):
        self._rec, self._generator = rec, generator
        self._met = rec.heap.born_here(CarriedNames(("yielded", "ended"), [False, False]))
        self.value: Any = None

    def run(self, body: Callable, values: tuple) -> Any:
        """The body's values; those from before, if the generator swallowed an exception."""
        names = carried_by(body)
        held = self._rec.heap.born_here(CarriedNames(names, list(values)))

        def consume(item: Any) -> bool:
            self._check(self._has("ended"), "generator didn't stop")
            self._check(self._has("yielded"), "generator didn't stop after throw()")
            store_attribute(self._rec, self._met, "yielded", True)
            self.value = item
            after = as_values(run_block(body, tuple(held.values(names))), len(names))
            for name, value in zip(names, after):
                store_attribute(self._rec, held, name, value)
            store_attribute(self._rec, self._met, "ended", True)
            return False

        self._generator.drive(consume)
        convert_ifelse(self._has("yielded"), lambda: None, lambda: self._check(True, "generator didn't yield"))
        return as_outcome(tuple(held.values(names)))

    def _has(self, event: str) -> Any:
        return self._met.values((event,))[0]

    def _check(self, wrong: Any, text: str) -> None:
        convert_ifelse(wrong, lambda: convert_raise(RuntimeError(text)), lambda: None)
