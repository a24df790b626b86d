"""Backward through `if` and `while`.

    %y = if %c                          %gx = if %c
      then: ... %x ... yield %a    ->     then: backward of its Block from %gy as the adjoint of %a; yield what %x gets
      else: ... yield %b                  else: the same from %b

    %y = while %x                       %n, %gx, %gw = while %n, %gy, 0        %n: how many turns there were
      body(%h):                           body(%k, %gh, %gw):
        ... %h ... %w ...                   %i = %k - 1
        yield %a                   ->       backward of the body from %gh as the adjoint of %a, reading what turn %i kept
                                            yield %i, what %h gets, %gw + what %w gets
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...ir.core import Block, Operation, Value
from ...ir.types import BOOL, INT
from .adjoints import Adjoints, Arrival
from .again import compute_again
from .residuals import count_turns, keep_branch, keep_turns
from .shadows import flows

if TYPE_CHECKING:
    from .reverse import Reverse


def reverse_if(reverse: Reverse, op: Operation, adjoints: Adjoints) -> None:
    """The same branch, backwards."""
    emit = reverse.emit
    arrived = [adjoints.take(v) for v in op.results]
    if all(a.gradient is None for a in arrived) and not reverse.touches(op):
        return
    made, inner = [], []
    for branch in op.blocks:
        inner.append(Adjoints(emit))
        with emit.at(Block()) as block:
            end = branch.ops[-1]
            reverse.walk(branch.ops, inner[-1], zip(end.operands if end.name == "yield" else (), arrived))
        made.append(block)
    around = list(dict.fromkeys(v for found in inner for v in found.known))
    arriving = [found for found, branch in zip(inner, op.blocks) if branch.ops[-1].name == "yield"]
    by_path = [v for v in around if not adjoints.is_sure(v) and not all(found.is_sure(v) for found in arriving)]
    for block, found in zip(made, inner):
        with emit.at(block):
            emit.core("yield", [*(found.complete(v) for v in around), *(found.arrives(v) for v in by_path)])
    back = emit.core("if", op.operands[:1], [*(v.type for v in around), *(BOOL for _ in by_path)], None, made)
    for number, block in enumerate(made):
        compute_again(reverse.program, op.blocks[number], block)
        keep_branch(op, number, [block])
    whether = dict(zip(by_path, back.results[len(around) :]))
    for value, gradient in zip(around, back.results):
        reverse.whether = whether.get(value)
        reverse.add(adjoints, value, gradient)


def reverse_while(reverse: Reverse, op: Operation, adjoints: Adjoints) -> None:
    """The turns, from the last to the first."""
    emit, body = reverse.emit, op.blocks[1]
    carried = [k for k, v in enumerate(body.args) if v in reverse.activity and flows(v.type)]
    results = [op.results[k] for k in carried]
    if not any(v in adjoints.known for v in results) and not reverse.touches(op):
        return
    around = [v for v in _captured(op) if v in reverse.activity and flows(v.type)]
    by_path = [v for v in around if not adjoints.is_sure(v)]
    start = [*map(adjoints.complete, (*results, *around)), *map(adjoints.arrives, (*results, *by_path))]
    for v in (*results, *around):
        adjoints.take(v)
    given = [body.args[k] for k in carried]
    types = [INT, *(v.type for v in (*given, *around)), *(BOOL for _ in (*given, *by_path))]
    blocks = [Block(types), Block(types)]
    with emit.at(blocks[0]) as condition:
        emit.core("yield", [emit.op("py.gt", condition.args[0], emit.const(0))])
    with emit.at(blocks[1]) as back:
        turn = emit.op("py.sub", back.args[0], emit.const(1))
        inner = Adjoints(emit)
        gradients, whether = back.args[1:], back.args[1 + len(carried) + len(around) :]
        inner.known.update(zip(around, gradients[len(carried) :]))
        inner.whether.update(zip(by_path, whether[len(carried) :]))
        end = body.ops[-1]
        handed_on = [end.operands[k] for k in carried] if end.name == "yield" else []
        reverse.walk(body.ops, inner, zip(handed_on, map(Arrival, gradients, whether)))
        after = [*map(inner.complete, (*given, *around)), *map(inner.arrives, (*given, *by_path))]
        emit.core("yield", [turn, *after])
        assert inner.known.keys() <= {*given, *around}
    turns = count_turns(op)
    found = emit.core("while", [turns, *start], types, None, blocks).results[1:]
    compute_again(reverse.program, body, back)
    keep_turns(op, [back], turn)
    whether = found[len(carried) + len(around) :]
    adjoints.known.update(zip(around, found[len(carried) :]))  # what had arrived at these is in it
    adjoints.whether.update(zip(by_path, whether[len(carried) :]))
    for k, gradient, reverse.whether in zip(carried, found, whether):
        reverse.add(adjoints, op.operands[k], gradient)


def _captured(op: Operation) -> Iterator[Value]:
    """The Values from around an operation that the operations in it use, each once."""
    inside = {v for b in op.blocks for v in b.args}
    seen: set[Value] = set()
    for inner in (o for b in op.blocks for o in b.walk()):
        inside.update(inner.results, (v for b in inner.blocks for v in b.args))
        for value in inner.operands:
            if value not in inside and value not in seen:
                seen.add(value)
                yield value
