"""What a Program raises becomes a number: which `raise` it was, and the values that its message needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...ir.core import Operation, Value
from .interface import Computed, ErrorRecord
from .making import NO_CONSTANT, constant_of
from .refusals import refuse
from .reraising import raisers
from .state import Held
from .texts import MadeText, ingredients, making
from .things import Location

if TYPE_CHECKING:
    from .walk import Walk

KEYED = ("dict.get", "dict.pop", "dict.delete")  # which raise a KeyError with their operand 1


class Errors:
    """Error k is `records[k - 1]`; what its arguments are lies in Locations, from the start of the Program on.

    texts: the operations that make texts for a `raise` behind them alone: whoever raises makes them.
    """

    def __init__(self, walk: Walk):
        self.walk = walk
        self.records: list[ErrorRecord] = []
        self.numbers: dict[Operation, int] = {}
        self.values: dict[Value, Location] = {}  # by the Values of the original Program
        self.texts: set[Operation] = set()

    def prepare(self) -> None:
        """Make room for the arguments of all exceptions: nobody reads what lies there before."""
        walk = self.walk
        ops = [*walk.program.entry.block.walk()]
        users: dict[Value, list[Operation]] = {}
        for op in ops:
            for value in op.operands:
                users.setdefault(value, []).append(op)
        for op in ops:
            is_new = op.name == "raise" and not _comes_of_another(op)  # others are refused where they stand
            asked = op.operands if is_new else op.operands[1:2] if op.name in KEYED else []
            for value in (part for argument in asked for part in ingredients(argument)):
                if value not in self.values and not (isinstance(value.owner, Operation) and value.owner.name == "const"):
                    location = Location(value.type, ("error", len(self.values)))
                    walk.state.contents[location] = Held(walk.undef(walk.types.of(value.type)))
                    walk.roots.append(location)
                    walk.read_at_raise.append(location)
                    self.values[value] = location

            if op.name == "raise":
                self._note_texts(op, users)

    def _note_texts(self, end: Operation, users: Mapping[Value, list[Operation]]) -> None:
        assert end.parent is not None
        for op in reversed(end.parent.ops):
            read_by = users.get(op.result, ()) if len(op.results) == 1 and making(op.result) is not None else ()
            if read_by and all(user is end or user in self.texts for user in read_by):
                self.texts.add(op)

    def raised(self, op: Operation) -> None:
        """The path ends here, with the error of a `raise`."""
        if op.attrs.get("exception") is None or op.attrs.get("context"):
            raise refuse(op, "an exception that was caught, or made before, is raised; raise a new one, where it happens")
        arguments = [self._argument(v) for v in op.operands]
        self._end(op, op.attrs["exception"], op.attrs.get("bases", ()), arguments, op.attrs.get("fields", ()))

    def raises_itself(self, op: Operation, exception: str, bases: Sequence[str], arguments: list[Any]) -> None:
        """The path ends here, with an exception that an operator raises. arguments: constants, or its operand 1."""
        known, names = [self._argument(op.operands[1]) if isinstance(x, Value) else x for x in arguments], (exception, *bases)
        around = self.walk.outside.interface.reraised.get(op.loc, ()) if op.loc is not None else ()
        for handler in raisers(around, exception):
            names, known = handler.bases, known if handler.text is None else [handler.text]
        self._end(op, names[0], names, known, ())

    def _end(self, op: Operation, exception: str, bases: Sequence[str], arguments: list[Any], fields: Sequence[str]) -> None:
        if op not in self.numbers:
            self.numbers[op] = len(self.records) + 1
            self.records.append(ErrorRecord(exception, tuple(bases), [], tuple(fields), op.loc, op.path))
        number = self.numbers[op]
        self.records[number - 1].arguments = arguments
        self.walk.state.error = self.walk.const(number)

    def _argument(self, original: Value) -> Any:
        """A constant, where its value is kept, or what makes its text."""
        op = making(original)
        if op is not None:
            operands = tuple(map(self._argument, op.operands))
            return MadeText(op.name, op.n_positional, dict(op.attrs), tuple(x.type for x in op.operands), operands)
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
