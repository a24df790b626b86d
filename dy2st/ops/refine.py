"""As much as is known of the shapes of a Program's tensors, beside the types that it declares.

1. An operator's results are what inference says of its operands now, where that is narrower than what is declared.
2. The results of an `if` or `try` are the join of what its Blocks yield.
3. What a loop carries starts as the types it is given; where the body yields others, the declared types stay.
4. A call gives what the Function returns; callees that stand later are known already.
Only tensors are narrowed: containers keep the type that their aliases rely on.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import Dy2stError
from ..ir.core import Block, Operation, Program, Value, refs_unknown
from ..ir.join import is_subtype, join_all
from ..ir.types import TensorType, Type
from .registry import OPERATORS, infer_types

_NESTED_LOOPS = 3  # a loop inside as many is tried with its declared types only: each try doubles the work


class Refiner:
    """types: Value -> its narrower type; contradicts: some operation raises whenever it runs, so that nothing here holds."""

    def __init__(self, program: Program):
        self.program = program
        self.types: dict[Value, Type] = {}
        self.loops = 0
        self.contradicts = False

    def type(self, value: Value) -> Type:
        """What is known of a Value."""
        return self.types.get(value, value.type)

    def narrow(self, values: Iterable[Value], types: Iterable[Type]) -> None:
        """Note what inference says, where it says more than what is declared."""
        for value, type_ in zip(values, types):
            self.types.pop(value, None)
            declared = value.type
            if isinstance(declared, TensorType) and type_ != declared and isinstance(type_, TensorType):
                if is_subtype(type_, declared):
                    self.types[value] = type_

    def block(self, block: Block) -> None:
        """Narrow the results of every operation of a Block, in order."""
        for op in block.ops:
            if op.name == "while":
                self._loop(op)
                continue
            for inner in op.blocks:
                self.block(inner)
            if op.name in ("if", "try"):
                self.narrow(op.results, self._yielded(op.blocks))
            elif op.name == "call":
                self.narrow(op.results, map(self.type, self._returned(op)))
            elif op.name in OPERATORS and any(isinstance(v.type, TensorType) for v in op.results):
                self.narrow(op.results, self._inferred(op))

    def _inferred(self, op: Operation) -> tuple:
        """Case 1."""
        try:
            return infer_types(OPERATORS[op.name], [self.type(v) for v in op.operands[: op.n_positional]], refs_unknown(op.attrs))
        except Dy2stError:
            self.contradicts = True
            return tuple(v.type for v in op.results)

    def _yielded(self, blocks: list[Block]) -> list[Type]:
        """Case 2: the joins of what Blocks that arrive yield."""
        ends = [b.ops[-1] for b in blocks]
        rows = [list(map(self.type, end.operands)) for end in ends if end.name == "yield" and end.operands]
        return [join_all(column) for column in zip(*rows)]

    def _returned(self, op: Operation) -> list[Value]:
        """Case 4."""
        end = self.program.functions[op.attrs["function"]].block.terminator
        return end.operands if end is not None and end.name == "return" else []

    def _loop(self, op: Operation) -> None:
        """Case 3."""
        self.loops += 1
        start = [self.type(v) for v in op.operands]
        if self.loops > _NESTED_LOOPS or not self._holds(op, start):
            self._holds(op, None)
        self.loops -= 1

    def _holds(self, op: Operation, carried: list[Type] | None) -> bool:
        """Narrow a loop that carries these types, or the declared ones; whether its body yields them again."""
        for values in (op.results, *(b.args for b in op.blocks)):
            self.narrow(values, carried or [v.type for v in values])
        for inner in op.blocks:
            self.block(inner)
        end = op.blocks[1].terminator
        if end is None or end.name != "yield":
            return True
        return all(is_subtype(self.type(v), self.type(arg)) for v, arg in zip(end.operands, op.blocks[1].args))
