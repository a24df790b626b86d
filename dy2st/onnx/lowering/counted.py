"""How many turns a `while` has that counts by a constant up to a constant, such as a `for` over a known range."""

from __future__ import annotations

from ...ir.core import Block, Operation, Value


def turns(loop: Operation) -> int | None:
    """The number of turns; None where it isn't known: only where the condition is `position < bound` for a counted position."""
    cond, body = loop.blocks
    asked = cond.yielded[0].owner
    if not isinstance(asked, Operation) or asked.name != "py.lt" or asked.operands[0] not in cond.args:
        return None
    k = cond.args.index(asked.operands[0])
    start, bound, step = _number(loop.operands[k]), _number(asked.operands[1]), _step(body, k)
    if start is None or bound is None or step is None or step <= 0:
        return None
    return len(range(start, bound, step))


def _step(body: Block, k: int) -> int | None:
    """By how much a turn raises the carried value number k."""
    next_ = body.yielded[k].owner
    if not isinstance(next_, Operation) or next_.name != "py.add" or next_.operands[0] is not body.args[k]:
        return None
    return _number(next_.operands[1])


def _number(value: Value) -> int | None:
    owner = value.owner
    found = owner.attrs["value"] if isinstance(owner, Operation) and owner.name == "const" else None
    return found if type(found) is int else None
