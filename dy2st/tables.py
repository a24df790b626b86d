"""What may be done by name: a name that stands in a file reaches what a table holds, and nothing else."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import Any

from .errors import OperatorError


class Table(dict[str, Any]):
    """Things by name, none of them None. Asked for another name, it raises `error`, which says what the names are.

    sides = Table("side", {"left": np.less, "right": np.less_equal})
    sides["__class__"]      # OperatorError: a side is one of left, right, not '__class__'
    """

    def __init__(self, what: str, entries: Mapping[str, Any], error: type[Exception] = OperatorError):
        super().__init__(entries)
        self._what, self._error = what, error

    def __getitem__(self, name: Any) -> Any:
        found = self.get(name) if type(name) is str else None  # a tuple deep enough would crash where it is hashed
        if found is not None:
            return found
        raise self._error(f"a {self._what} is one of {', '.join(self)}, not {reprlib.repr(name)}")
