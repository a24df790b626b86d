"""What a Program raises becomes a number: which `raise` it was, and the values that its message needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.core import Operation
from .conversions import NO_CONSTANT, constant_of
from .interface import Computed, ErrorRecord
from .refusals import refuse
from .things import Held, Location

if TYPE_CHECKING:
    from .walk import Walk


class Errors:
    """The `raise` operations that the walk has met: error k is `records[k - 1]`, its values lie in Locations of their own."""

    def __init__(self, walk: Walk):
        self.walk = walk
        self.records: list[ErrorRecord] = []
        self.numbers: dict[Operation, int] = {}
        self.values: list[Location] = []

    def raised(self, op: Operation) -> None:
        """The path ends here, with the error of this operation."""
        if op.attrs.get("exception") is None or op.attrs.get("context"):
            raise refuse(op, "an exception that was caught, or made before, is raised; raise a new one, where it happens")
        if op.attrs.get("cause"):
            raise refuse(op, "`raise ... from ...`; leave out what it comes from")
        if op not in self.numbers:
            self.numbers[op] = len(self.records) + 1
            fields = op.attrs.get("fields", [])
            self.records.append(
                ErrorRecord(op.attrs["exception"], tuple(op.attrs.get("bases", ())), [], tuple(fields), op.loc, op.path)
            )
        number = self.numbers[op]
        record = self.records[number - 1]
        record.arguments[:] = [self._argument(op, number, k) for k in range(len(op.operands))]
        self.walk.state.error = self.walk.const(number)

    def _argument(self, op: Operation, number: int, k: int) -> Any:
        """A constant, or where its value is kept."""
        value = self.walk.value(op.operands[k])
        known = constant_of(value)
        if known is not NO_CONSTANT:
            return known
        key = ("error", number, k)
        location = next((x for x in self.values if x.key == key), None)
        if location is None:
            location = Location(op.operands[k].type, key)
            self.values.append(location)
            self.walk.roots.append(location)
        self.walk.state.contents[location] = Held(value)
        return Computed(self.values.index(location))
