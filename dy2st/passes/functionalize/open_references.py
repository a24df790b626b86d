"""How references are made, read and written: operations on pairs of a cell and places."""

from __future__ import annotations

from ...ir.core import Operation, Value
from ...ir.types import Type
from ...ops.python.references import NAMES
from .emission import Emission


class OpenReferences(Emission):
    """The operations go to the Block that is open."""

    def __init__(self) -> None:
        super().__init__()
        self._pairs: set[Operation] = set()  # what makes references

    def make(self, reference: Value, value: Value) -> None:
        """`reference` is one to memory of its own, which `value` is all of."""
        cell_type, places_type = reference.type.elems  # type: ignore[attr-defined]
        cell = self.core("cell.new", [self._in_a_row(value)], {}, [cell_type]).result
        self.pair(reference, cell, self.emit("reference.positions", [value], {}, places_type))

    def pair(self, reference: Value, cell: Value, places: Value) -> None:
        """`reference` is that cell and these places."""
        name, fields = NAMES
        made = self.core("tuple.new", [cell, places], {"name": name, "fields": list(fields)})
        made.results, reference.owner = [reference], made
        self._pairs.add(made)

    def halves(self, reference: Value) -> tuple[Value, Value]:
        """The cell and the places."""
        made = reference.owner
        if isinstance(made, Operation) and made in self._pairs:
            return made.operands[0], made.operands[1]
        cell, places = (
            self.emit("tuple.get", [reference], {"index": k}, type_)
            for k, type_ in enumerate(reference.type.elems)  # type: ignore[attr-defined]
        )
        return cell, places

    def read(self, reference: Value, type_: Type) -> Value:
        """The tensor, of the type `type_`, as it is now."""
        cell, places = self.halves(reference)
        return self.emit("gather", [self._row(cell), places], {"axis": 0}, type_)

    def write(self, reference: Value, value: Value) -> None:
        """The tensor is `value` from here on."""
        cell, places = self.halves(reference)
        row = self._row(cell)
        self.core("cell.set", [cell, self.emit("setitem_copy", [row, value, places], {"index": [{"tensor": 0}]}, row.type)])

    def move(self, reference: Value, value: Value) -> None:
        """The memory that `reference` is all of is that of `value`, where the same lies, from here on."""
        self.core("cell.set", [self.halves(reference)[0], self._in_a_row(value)])

    def _in_a_row(self, value: Value) -> Value:
        return self.emit("reshape", [value], {"shape": [-1]})

    def _row(self, cell: Value) -> Value:
        return self.core("cell.get", [cell], {}, [cell.type.elem]).result  # type: ignore[attr-defined]
