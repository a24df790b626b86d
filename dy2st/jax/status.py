"""What a pure function says beside its results: which exception Python would have raised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import jax
import jax.export
import numpy as np

from ..errors import EngineError
from ..graphs.exceptions import raised
from ..graphs.lowering.faults import ErrorEntry
from . import exported
from .lowering.forms import Form
from .lowering.rows import CAPACITY


@jax.tree_util.register_pytree_node_class
class Status:
    """Whether a call has gone well. JAX's transformations carry it as a pytree.

    code: int[], the number of the exception that Python would have raised, from 1, or 0. Where it isn't 0, results mean nothing.
    details: what messages tell that the function has computed, by number.

    >>> outputs, state, status = f(params, x)  # doctest: +SKIP
    >>> status.throw()  # doctest: +SKIP
    """

    def __init__(self, code: Any, details: dict[int, Any], errors: Errors):
        self.code, self.details, self._errors = code, details, errors

    def throw(self) -> None:
        """Raise that exception, if there is one: the user's class and message, with the user's line. Outside of `jit` alone.

        EngineError: a list had no room for its items; give a larger `list_capacity`.
        """
        codes = np.asarray(self.code)
        place = next(
            (place for place in np.ndindex(codes.shape) if codes[place]), None
        )  # of a batch that `vmap` has made, the first
        if place is None:
            return
        code = int(codes[place])
        entry = self._errors.entries[code - 1]
        if entry.exception == CAPACITY:
            raise EngineError(f"{entry.arguments[0]}; give a larger list_capacity")
        raise raised(entry, {key: self._errors.detail(key, np.asarray(x)[place]) for key, x in self.details.items()})

    def tree_flatten(self) -> tuple:
        """For JAX: arrays, and what isn't one."""
        return (self.code, tuple(self.details[key] for key in self._errors.forms)), self._errors

    @classmethod
    def tree_unflatten(cls, errors: Errors, parts: tuple) -> Status:
        """For JAX."""
        made = object.__new__(cls)
        made.code, made.details = parts[0], dict(zip(errors.forms, parts[1]))
        made._errors = errors
        return made

    def __repr__(self) -> str:
        return f"Status(code={self.code})"


class Errors:
    """The exceptions that a function may tell of. Two traces of it tell of the same.

    forms: what details of messages are, by number. texts: those whose numbers details may be.
    """

    def __init__(self, entries: Sequence[ErrorEntry], forms: Mapping[int, Form], texts: Iterable[str] = ()):
        self.entries, self.forms, self.texts = tuple(entries), {**forms}, frozenset(texts)

    def detail(self, key: int, value: np.ndarray) -> Any:
        """What a message tells: a number, a text or an array."""
        found = self.forms[key].array(value, None)
        return found if found.shape else found.item()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Errors) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"{self.entries} {self.forms}"


jax.export.register_pytree_node_serialization(
    Status,
    serialized_name="dy2st.jax.Status",
    serialize_auxdata=lambda errors: exported.written(errors.entries, errors.forms, errors.texts),
    deserialize_auxdata=lambda data: Errors(*exported.read(data)),
)
