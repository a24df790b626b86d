"""Conjugates of complex tensors: views in torch, and copies in a Program.

The difference is seen where one of the two is written and the other one is used afterwards: that is refused.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import ConversionError
from ..ir.core import Operation, Program, Value
from ..ops.registry import OPERATORS
from ..runtime.engine.aliases import TensorAliases

Pair = tuple[Value, Value]


def refuse_written(program: Program, pairs: list[Pair]) -> None:
    """ConversionError where a write into a tensor or its conjugate would be seen in the other. pairs: these."""
    order = {op: place for place, op in enumerate(program.walk())}
    known = [pair for pair in pairs if pair[0].owner in order]
    if not known:
        return
    shares = TensorAliases(program).shares
    writes = [(op, op.operands[i]) for op in order if op.name in OPERATORS for i in OPERATORS[op.name].mutates]
    for group in _groups(known, shares):
        for write, written in writes:
            if not any(shares(written, value) for value in group):
                continue
            others = [value for value in group if _base(value) is not _base(written)]
            is_late = any(_may_follow(write, c.owner, order) for c, _ in known if c in group and isinstance(c.owner, Operation))
            if is_late and any(_is_used(value, write, order, shares) for value in others):
                raise ConversionError(
                    f"{write.loc}: this writes a tensor whose conjugate, x.conj() or x.mH, is a view of it in torch and a copy "
                    "here; write x.conj().clone() for a copy"
                )


def _base(value: Value) -> Value:
    """What a value is a view of, as far as that is seen here."""
    while isinstance(op := value.owner, Operation) and op.name in OPERATORS:
        if OPERATORS[op.name].view is None and not OPERATORS[op.name].mutates:
            return value
        value = op.operands[0]
    return value


def _groups(pairs: list[Pair], shares: Callable[[Value, Value], bool]) -> list[set[Value]]:
    """The values that are conjugates of each other, by way of others and of views."""
    groups: list[set[Value]] = []
    for pair in pairs:
        near = [group for group in groups if any(shares(a, b) for a in group for b in pair)]
        groups = [group for group in groups if group not in near] + [set(pair).union(*near)]
    return groups


def _is_used(value: Value, write: Operation, order: dict[Operation, int], shares: Callable[[Value, Value], bool]) -> bool:
    """Whether a value, or the memory that it lies in, is read after a write; an argument is, by the caller."""
    if not isinstance(value.owner, Operation) or value.owner.name == "param":
        return True
    return any(_may_follow(op, write, order) and any(shares(v, value) for v in op.operands) for op in order if op is not write)


def _may_follow(op: Operation, first: Operation, order: dict[Operation, int]) -> bool:
    """Whether an Operation may run after another one: it stands behind it, or a loop has both."""
    return order[op] > order[first] or not _loops(op).isdisjoint(_loops(first))


def _loops(op: Operation) -> set[Operation]:
    found, outer = set(), op.parent and op.parent.parent
    while isinstance(outer, Operation):
        if outer.name == "while":
            found.add(outer)
        outer = outer.parent and outer.parent.parent
    return found
