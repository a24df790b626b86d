"""Operations, Blocks and Functions once more, with Values of their own."""

from __future__ import annotations

from dataclasses import replace

from ..ir.core import Block, Function, Operation, Program, Value


class Copy:
    """values: what stands in the copy for a Value of the original."""

    def __init__(self, values: dict[Value, Value] | None = None):
        self.values = {} if values is None else values

    def operation(self, op: Operation) -> Operation:
        """A copy of `op` and of the Blocks in it."""
        blocks = [self.block(b) for b in op.blocks]
        operands = [self.values.get(v, v) for v in op.operands]
        types = [v.type for v in op.results]
        made = Operation(op.name, operands, dict(op.attrs), types, blocks, op.loc, op.path, op.n_positional)
        self._put(op.results, made.results)
        return made

    def block(self, block: Block) -> Block:
        """A copy of a Block."""
        made = Block(v.type for v in block.args)
        self._put(block.args, made.args)
        for op in block.ops:
            made.append(self.operation(op))
        return made

    def function(self, function: Function, name: str = "") -> Function:
        """A copy of a Function."""
        return Function(name or function.name, self.block(function.block))

    def _put(self, old: list[Value], new: list[Value]) -> None:
        for a, b in zip(old, new):
            b.name = a.name
            self.values[a] = b


def copied(program: Program) -> Program:
    """A Program of copies of the Functions, on the same parameters and state."""
    functions = {name: Copy().function(f) for name, f in program.functions.items()}
    return replace(program, functions=functions, parameters=dict(program.parameters), state=dict(program.state))
