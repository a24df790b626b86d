"""Bounds that the condition of a `while` implies: the most iterations, and the bools that are known inside them.

    while not stop and i < 64:      # at most 64 turns, where i counts from 0 by 1 and nothing is asked after it that may fail
        ...                         # here, stop is False and i is the number of the turn
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...ir.core import Block, Operation, Value
from ...ir.types import BOOL
from ...ops.registry import OPERATORS

_TRUTHS = ("py.truth", "py.to_tensor")  # what they give of a bool is as true


@dataclass(frozen=True)
class Counter:
    """The carried value number `place` of a `while`, an int that grows from `start` by `step`, up to the bound of `test`.

    turns: how many there are unless something else ends them. is_all: nothing else is asked.
    """

    place: int
    start: int
    step: int
    test: Operation
    turns: int
    is_all: bool


def counter(loop: Operation) -> Counter | None:
    """The counter that bounds a loop; None where there is none, or where its test guards what may fail."""
    cond, body = loop.blocks
    asked = [*_conjuncts(cond.yielded[0])]
    for value in asked:
        test = _maker(value)
        if test is None or test.name != "py.lt" or test.operands[0] not in cond.args:
            continue
        place = cond.args.index(test.operands[0])
        start, bound, step = _number(loop.operands[place]), _number(test.operands[1]), _step(body, place)
        is_asked_once = sum(x is test.operands[0] for op in cond.walk() for x in op.operands) == 1
        if start is None or bound is None or step is None or step <= 0 or not is_asked_once or _guards(cond, test):
            continue
        return Counter(place, start, step, test, len(range(start, bound, step)), len(asked) == 1)
    return None


def known_bools(cond: Block) -> dict[int, bool]:
    """The carried bools that the condition asks: their places, and what they are in each turn."""
    found = {}
    for value in _conjuncts(cond.yielded[0]):
        maker = _maker(value)
        asked = maker.operands[0] if maker is not None and maker.name == "py.not" else value
        if asked in cond.args and asked.type == BOOL:
            found[cond.args.index(asked)] = asked is value
    return found


def _conjuncts(value: Value) -> Iterator[Value]:
    """The values of which `a and b and c` asks one after the other."""
    value = _bare(value)
    op = _maker(value)
    if op is None or not _is_and(op, value):
        yield value
        return
    yield from _conjuncts(op.operands[0])
    yield from _conjuncts(op.blocks[0].yielded[0])


def _is_and(op: Operation, value: Value) -> bool:
    if op.name != "if" or len(op.results) != 1:
        return False
    other = op.blocks[1].yielded[0]
    return _bare(other) is _bare(op.operands[0]) or constant(other) is False


def _bare(value: Value) -> Value:
    """The bool or tensor of which it is the truth."""
    op = _maker(value)
    return _bare(op.operands[0]) if op is not None and op.name in _TRUTHS else value


def _guards(cond: Block, test: Operation) -> bool:
    """Whether anything that is asked after the test may fail: Python doesn't ask it where the test ends the loop."""
    after = [*cond.walk()]
    return any(op.name in OPERATORS and OPERATORS[op.name].may_raise(op) for op in after[after.index(test) :])


def _step(body: Block, place: int) -> int | None:
    """By how much a turn raises the carried value number `place`."""
    op = _maker(body.yielded[place])
    return _number(op.operands[1]) if op is not None and op.name == "py.add" and op.operands[0] is body.args[place] else None


def _number(value: Value) -> int | None:
    found = constant(value)
    return found if type(found) is int else None


def constant(value: Value) -> object:
    """The number or text that a Value is; None where only the run tells."""
    op = _maker(value)
    return op.attrs["value"] if op is not None and op.name == "const" else None


def _maker(value: Value) -> Operation | None:
    return value.owner if isinstance(value.owner, Operation) else None
