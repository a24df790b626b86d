"""The Blocks that are open while a Program is rewritten, and the operations appended to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...errors import Dy2stError
from ...ir.core import Block, Operation, Value, refs_unknown
from ...ir.rules import agrees
from ...ir.types import Type
from ...ops.registry import OPERATORS, infer_types
from .refusals import refuse


class Emission:
    """at: the operation that has been reached: what is appended has its location."""

    def __init__(self) -> None:
        self.at: Operation | None = None
        self._blocks: list[Block] = []

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """Append to `block`."""
        self._blocks.append(block)
        try:
            yield
        finally:
            self._blocks.pop()

    def append(self, op: Operation) -> Operation:
        """Append an operation as it is."""
        return self._blocks[-1].append(op)

    def emit(
        self, name: str, operands: Sequence[Value], attrs: dict[str, Any], type_: Type | None = None, count: int | None = None
    ) -> Value:
        """Append an operation that gives one result, of the type `type_` where inference doesn't contradict that.

        count: how many of the operands are positional; None: all.
        """
        types = [] if type_ is None else [type_]
        (value,) = self.emit_all(name, operands, attrs, types, count)
        return value

    def emit_all(
        self, name: str, operands: Sequence[Value], attrs: dict[str, Any], types: Sequence[Type], count: int | None = None
    ) -> list[Value]:
        """The same for an operation that gives several results; `types` may be left empty where inference tells them."""
        if name in OPERATORS:
            try:
                inferred = infer_types(OPERATORS[name], [v.type for v in operands[:count]], refs_unknown(attrs))
            except Dy2stError as error:
                raise refuse(self.at, str(error)) from error
            wanted = types or inferred
            types = [w if agrees(found, w) else found for found, w in zip(inferred, wanted, strict=True)]
        return self.core(name, operands, attrs, types, count=count).results

    def core(
        self,
        name: str,
        operands: Sequence[Value] = (),
        attrs: dict[str, Any] | None = None,
        types: Sequence[Type] = (),
        blocks: Sequence[Block] = (),
        count: int | None = None,
    ) -> Operation:
        """Append an operation with results of these types."""
        loc, path = (self.at.loc, self.at.path) if self.at is not None else (None, "")
        return self.append(Operation(name, operands, attrs, types, blocks, loc, path, count))
