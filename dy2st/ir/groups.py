"""What flows together: a value is in one group with all that it was merged with."""

from __future__ import annotations

from typing import Any


class Groups:
    """Groups of values of any kind that can be hashed; each value begins in one of its own."""

    def __init__(self) -> None:
        self.above: dict[Any, Any] = {}

    def group(self, value: Any) -> Any:
        """The representative of everything that flows together with `value`."""
        while (up := self.above.get(value, value)) != value:
            self.above[value] = self.above.get(up, up)
            value = up
        return value

    def merge(self, *values: Any) -> None:
        """Let these flow together."""
        first = self.group(values[0])
        for other in map(self.group, values[1:]):
            if other != first:
                self.above[other] = first
                self.merged(first, other)

    def merged(self, kept: Any, gone: Any) -> None:
        """The group `gone` has become part of `kept`."""
