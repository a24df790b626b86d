"""Tensors that are Python numbers on one path: what asks for the class of a value is refused of them.

    total = 0
    if flag:
        total = x.sum()          # on one path int, on another float32[]: a tensor from here on, as a JoinWarning tells
    y = total * 2                # a tensor that is a number on one path, too
    isinstance(total, int)       # refused: plain Python says True on one path
"""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import ConversionError
from ...ir.core import Loc, Value
from ...ops.registry import OpDef
from ..proxies import StagedScalar, StagedSum
from ..tensors.tensor import Tensor

OPERATORS = frozenset("""
    add subtract multiply divide floor_divide remainder pow neg abs
    equal not_equal less_than less_equal greater_than greater_equal logical_not
""".split())  # fmt: skip
SPELLING = frozenset("py.str py.repr py.spell io.print str.format str.percent py.torch_text".split())


class Promoted:
    """The Values of one recording that stand for a Python number on some path."""

    def __init__(self) -> None:
        self._values: set[Value] = set()

    def add(self, value: Value) -> None:
        """This one does."""
        self._values.add(value)

    def __contains__(self, x: object) -> bool:
        value = x._data if isinstance(x, Tensor) else x._value if isinstance(x, StagedSum) else None
        return isinstance(value, Value) and value in self._values

    def follow(self, here: Loc | None, definition: OpDef, operands: tuple, results: Iterable[Value]) -> None:
        """An operator is recorded: of numbers alone it gives numbers. ConversionError: it spells one."""
        if not self._values or not any(x in self for x in operands):
            return
        if definition.name in SPELLING:
            self.refuse(here, "the text")
        if definition.name in OPERATORS and all(x in self or isinstance(x, int | float | StagedScalar) for x in operands):
            self._values.update(results)

    def refuse(self, here: Loc | None, asked: str) -> None:
        """ConversionError: something is asked that a number and a tensor answer differently."""
        raise ConversionError(
            f"{here}: {asked} of a value that is a Python number on one path and a tensor on another: both are tensors from "
            "where the paths meet; make the number a tensor where it is given"
        )
