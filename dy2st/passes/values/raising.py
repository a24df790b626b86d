"""What a Program raises becomes a number: which `raise` it was, and the values that its message needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...ir.core import Operation, Value
from .interface import Computed, ErrorRecord
from .making import NO_CONSTANT, constant_of
from .refusals import refuse
from .state import Held
from .things import Location

if TYPE_CHECKING:
    from .walk import Walk

_KEYED = ("dict.get", "dict.pop", "dict.delete")  # which raise a KeyError with their operand 1


class Errors:
    """Error k is `records[k - 1]`; what its arguments are lies in Locations, from the start of the Program on."""

    def __init__(self, walk: Walk):
        self.walk = walk
        self.records: list[ErrorRecord] = []
        self.numbers: dict[Operation, int] = {}
        self.values: dict[Value, Location] = {}  # by the Values of the original Program

    def prepare(self) -> None:
        """Make room for the arguments of all exceptions: nobody reads what lies there before."""
        walk = self.walk
        for op in walk.program.entry.block.walk():
            is_new = op.name == "raise" and not _comes_of_another(op)  # others are refused where they stand
            asked = op.operands if is_new else op.operands[1:2] if op.name in _KEYED else []
            for value in asked:
                if value not in self.values and not (isinstance(value.owner, Operation) and value.owner.name == "const"):
                    location = Location(value.type, ("error", len(self.values)))
                    walk.state.contents[location] = Held(walk.undef(walk.types.of(value.type)))
                    walk.roots.append(location)
                    walk.left.append(location)
                    self.values[value] = location

    def raised(self, op: Operation) -> None:
        """The path ends here, with the error of a `raise`."""
        if op.attrs.get("exception") is None or op.attrs.get("context"):
            raise refuse(op, "an exception that was caught, or made before, is raised; raise a new one, where it happens")
        if op.attrs.get("cause"):
            raise refuse(op, "`raise ... from ...`; leave out what it comes from")
        arguments = [self._argument(v) for v in op.operands]
        self._end(op, op.attrs["exception"], op.attrs.get("bases", ()), arguments, op.attrs.get("fields", ()))

    def raises_itself(self, op: Operation, exception: str, bases: Sequence[str], arguments: list[Any]) -> None:
        """The path ends here, with an exception that an operator raises. arguments: constants, or its operand 1."""
        known = [self._argument(op.operands[1]) if isinstance(x, Value) else x for x in arguments]
        self._end(op, exception, (exception, *bases), known, ())

    def _end(self, op: Operation, exception: str, bases: Sequence[str], arguments: list[Any], fields: Sequence[str]) -> None:
        if op not in self.numbers:
            self.numbers[op] = len(self.records) + 1
            self.records.append(ErrorRecord(exception, tuple(bases), [], tuple(fields), op.loc, op.path))
        number = self.numbers[op]
        self.records[number - 1].arguments = arguments
        self.walk.state.error = self.walk.const(number)

    def _argument(self, original: Value) -> Any:
        """A constant, or where its value is kept."""
        value = self.walk.value(original)
        known = constant_of(value)
        if known is not NO_CONSTANT:
            return known
        location = self.values[original]
        self.walk.state.contents[location] = Held(value)
        return Computed(list(self.values).index(original))


def _comes_of_another(op: Operation) -> bool:
    """Whether a `raise` tells of an exception that was there before."""
    return bool(op.attrs.get("exception") is None or op.attrs.get("context") or op.attrs.get("cause"))
