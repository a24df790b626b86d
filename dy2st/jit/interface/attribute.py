"""A value with its type, for an attribute of a layer."""

from __future__ import annotations

from typing import Any, NamedTuple


class Attribute(NamedTuple):
    """A value with its type, for an attribute of a layer: `self.words = jit.Attribute([], List[str])`."""

    value: Any
    type: Any
