"""What the backward of a region needs of the values inside the region: how it gets there.

The backward of a Block is written as if it stood right behind the Block and saw all its Values. Then

    %y = if %c                         %y, %r = if %c                        what an `if` computes inside becomes a result
      then:                              then:
        %a = ...                           %a = ...
        yield %b                           yield %b, %a
      else: ...                   ->     else: ... %u = undef; yield %d, %u

    %y = while %x                      %rs = list.new                        what a loop computes inside is kept, turn by turn
      body(%h):                        %y, %n = while %x, 0
        %a = ...                         body(%h, %k):
        yield %b                           %a = ...
                                  ->       list.append %rs, %a
                                           yield %b, %k + 1
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...ir.core import Block, Operation, Value
from ...ir.types import INT, ListType, TensorType, Type
from ...ops.registry import OPERATORS
from ..copying import Copy

_CLONED = ("const", "atom")


def needed_from(home: Block, users: Iterable[Block]) -> list[Value]:
    """The Values of the Block `home` that other Blocks use, in order; constants are cloned there instead.

    Where a known shape is all that is used of a tensor, an array of it without elements of its own is made there.
    """
    found: dict[Value, None] = {}
    for block in users:
        instead: dict[Any, Value] = {}
        for op in list(block.walk()):
            for i, value in enumerate(op.operands):
                if value.block is not home:
                    continue
                if isinstance(value.owner, Operation) and value.owner.name in _CLONED:
                    op.operands[i] = instead[value] if value in instead else instead.setdefault(value, _clone(value.owner, block))
                elif isinstance(value.type, TensorType) and is_static(value.type) and is_shape_only(op, i):
                    key = value.type
                    op.operands[i] = instead[key] if key in instead else instead.setdefault(key, _outline(key, block))
                else:
                    found[value] = None
    return list(found)


def is_static(type_: TensorType) -> bool:
    """Whether the shape is known."""
    return type_.shape is not None and all(isinstance(d, int) for d in type_.shape)


def is_shape_only(op: Operation, k: int) -> bool:
    """Whether an operation asks operand k for its shape and dtype alone."""
    definition = OPERATORS.get(op.name)
    return op.name == "py.dim" or (definition is not None and k in definition.shape_only)


def _outline(type_: TensorType, block: Block) -> Value:
    """One number, broadcast to the shape of a type."""
    number = Operation("full", (), {"shape": [], "fill_value": 0, "dtype": type_.dtype}, [TensorType(type_.dtype, ())])
    made = Operation("broadcast_to", [number.result], {"shape": list(type_.shape or ())}, [type_])
    for op in (number, made):
        op.parent = block
    block.ops[:0] = [number, made]
    return made.result


def _clone(op: Operation, block: Block) -> Value:
    made = Copy().operation(op)
    made.parent = block
    block.ops.insert(0, made)
    return made.result


def replace(blocks: Iterable[Block], values: dict[Value, Value]) -> None:
    """Let the operations in Blocks use other Values."""
    for block in blocks:
        for op in block.walk():
            op.operands = [values.get(v, v) for v in op.operands]


def before(op: Operation, made: Operation) -> Operation:
    """Insert an operation just before another one."""
    block = op.parent
    assert block is not None
    made.parent = block
    block.ops.insert(block.ops.index(op), made)
    return made


def keep_branch(op: Operation, number: int, users: list[Block]) -> None:
    """Make what `users` need of one branch of an `if` results of it."""
    branch = op.blocks[number]
    needed = needed_from(branch, users)
    given: dict[Value, Value] = {}
    for value in needed:
        result = Value(value.type, value.name, op)
        op.results.append(result)
        given[value] = result
        for block in op.blocks:
            end = block.ops[-1]
            if end.name == "yield":
                here = value if block is branch else before(end, Operation("undef", (), None, [value.type])).result
                end.operands.append(here)
                end.n_positional = len(end.operands)
    replace(users, given)


def count_turns(op: Operation) -> Value:
    """How often a loop's body ran, as one more result of the loop."""
    start = before(op, Operation("const", (), {"value": 0}, [INT]))
    result, counts = _carry(op, start.result, INT)
    end = op.blocks[1].ops[-1]
    if end.name == "yield":
        one = before(end, Operation("const", (), {"value": 1}, [INT]))
        end.operands.append(before(end, Operation("py.add", [counts, one.result], None, [INT])).result)
        end.n_positional = len(end.operands)
    return result


def _carry(op: Operation, start: Value, type_: Type) -> tuple[Value, Value]:
    """One more carried value of a loop: the result, and what the body sees."""
    op.operands.append(start)
    op.n_positional = len(op.operands)
    for block in op.blocks:
        block.args.append(Value(type_, "", block))
    op.results.append(Value(type_, "", op))
    return op.results[-1], op.blocks[1].args[-1]


def keep_turns(op: Operation, users: list[Block], turn: Value) -> None:
    """Keep what `users` need of each turn of a loop; they read it at the number `turn`, which stands at the head of the first."""
    body = op.blocks[1]
    given: dict[Value, Value] = {}
    for value in needed_from(body, users):
        kept = before(op, Operation("list.new", (), None, [ListType(value.type)], loc=op.loc)).result
        end = body.ops[-1]
        if end.name == "yield":
            before(end, Operation("list.append", [kept, value], loc=op.loc))
        read = Operation("list.get", [kept, turn], None, [value.type], loc=op.loc)
        read.parent = users[0]
        users[0].ops.insert(_after(turn, users[0]), read)
        given[value] = read.result
    replace(users, given)


def _after(turn: Value, block: Block) -> int:
    return block.ops.index(turn.owner) + 1 if isinstance(turn.owner, Operation) and turn.owner in block.ops else 0
