"""Many operations that may raise, one after the other, are taken in halves.

    if a: raise                  %x = if True:
    if b: raise                        if a: raise
    if c: raise          ->            if b: raise
    if d: raise                        yield %x
    return %x                    if c: raise
                                 if d: raise
                                 return %x

What follows an operation that may raise lies in an `if` of its own. As many of them would lie in each other, which protobuf reads
to a depth of 100 messages, three for each. So the depth is the logarithm of their number.

A text is made anew in the second half: engines without texts compare the numbers that one is made of.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.core import Block, Operation, Value
from ...ir.types import BOOL, STR
from .pure_types import has_references
from .raising import KEYED

MOST = 6  # in each other


def take_in_halves(block: Block) -> None:
    """Rewrite a Block, and those in it, where more than `MOST` of its operations may raise."""
    for op in block.ops:
        for inner in op.blocks:
            take_in_halves(inner)
    _set(block, _halved(block.ops))


def _halved(ops: Sequence[Operation]) -> list[Operation]:
    raising = [k for k, op in enumerate(ops) if _may_raise(op)]
    if len(raising) <= MOST:
        return list(ops)
    middle = raising[len(raising) // 2]
    first, second = ops[:middle], ops[middle:]
    second = [*_texts_again(first, second), *second]
    read = _read_by(second)
    left = [value for op in first for value in op.results if value in read]
    always = Operation("const", (), {"value": True}, [BOOL], (), first[0].loc, first[0].path)
    types = [value.type for value in left]
    undefined = [Operation("undef", (), None, [type_]) for type_ in types]
    blocks = [Block(), Block()]
    _set(blocks[0], _halved([*first, Operation("yield", left)]))
    _set(blocks[1], [*undefined, Operation("yield", [op.result for op in undefined])])
    made = Operation("if", [always.result], None, types, blocks, first[0].loc, first[0].path)
    _replace(second, dict(zip(left, made.results)))
    return [always, made, *_halved(second)]


def _read_by(ops: Sequence[Operation]) -> set[Value]:
    return {value for op in ops for inner in op.walk() for value in inner.operands}


def _texts_again(first: Sequence[Operation], second: Sequence[Operation]) -> list[Operation]:
    """Copies of the operations that make the texts which are read in the second half; it reads theirs."""
    read, made, instead = _read_by(second), list[Operation](), dict[Value, Value]()
    for op in reversed(first):
        is_text = bool(op.results) and not op.blocks and all(value.type == STR for value in op.results)
        is_pure = op.name != "state.get" and not any(has_references(value.type) for value in op.operands)
        if is_text and is_pure and not read.isdisjoint(op.results):
            copy = Operation(op.name, op.operands, dict(op.attrs), [STR] * len(op.results), (), op.loc, op.path, op.n_positional)
            made.insert(0, copy)
            read.update(op.operands)
            instead.update(zip(op.results, copy.results))
    _replace([*made, *second], instead)
    return made


def _may_raise(op: Operation) -> bool:
    return op.name in KEYED or any(inner.name == "raise" or inner.name in KEYED for block in op.blocks for inner in block.walk())


def _set(block: Block, ops: list[Operation]) -> None:
    block.ops = ops
    for op in ops:
        op.parent = block


def _replace(ops: Sequence[Operation], instead: dict[Value, Value]) -> None:
    for op in ops:
        for inner in op.walk():
            inner.operands = [instead.get(value, value) for value in inner.operands]
