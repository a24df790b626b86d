"""Gradients that a step clears: it begins without them, so that no call has to hand them to the next.

`p.grad` is None before the first call, and zeros or None after each: what is added to it is the same as what is put there.

    %tag = sum.tag %grad                             %sum = %g
    %sum = if %tag == 0: %g                    ->
           else: add (sum.get %grad), %g
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ..graphs.preparing import Prepared
from ..ir.core import Operation, Value
from ..ir.types import NONE, SumType, TupleType
from ..passes import run
from ..passes.backward.residuals import replace as put_instead
from ..passes.uses import Uses

_AFTERWARDS = ("simplify", "constants", "dead_code")


def without_cleared_gradients(ready: Prepared) -> Prepared:
    """The Program without the gradients of parameters that each call clears; it is changed in place."""
    taken = [_take_out(ready, name) for name in _gradients(ready)]
    if any(taken):
        run(ready.program, *_AFTERWARDS)
    return ready


def _gradients(ready: Prepared) -> list[str]:
    """The names of the gradients that are state, None or zeros at first."""
    known = {x.name for x in ready.interface.inputs if x.kind == "parameter"} | ready.program.parameters.keys()
    names = [x.name for x in ready.interface.inputs if x.kind == "state" and x.name.removesuffix(".grad") in known]
    begin = ((name, ready.initial["state", name]) for name in names)
    return [name for name, x in begin if x is None or isinstance(x, np.ndarray) and not x.any()]


def _take_out(ready: Prepared, name: str) -> bool:
    """Take a gradient out of the state, where each call clears it; whether that is so."""
    block, interface = ready.program.entry.block, ready.interface
    result = block.ops[-1].operands[0].owner
    at = _place(interface.inputs, name)
    to = _place(interface.outputs, name)
    if at is None or to is None or not isinstance(result, Operation) or result.name != "tuple.new":
        return False
    gradient = block.args[at]
    uses: Uses[Value, Operation] = Uses((op, op.operands) for op in ready.program.walk())
    if not _has_none_first(gradient) or not Cleared(uses, result, gradient).is_fine(result.operands[to]):
        return False
    nothing = Operation("const", (), {"value": None}, [NONE])
    begin = Operation("sum.make", [nothing.result], {"index": 0}, [gradient.type])
    for made in (begin, nothing):
        made.parent = block
        block.ops.insert(0, made)
    put_instead([block], {gradient: begin.result})
    del block.args[at], interface.inputs[at], result.operands[to], interface.outputs[to]
    result.n_positional = len(result.operands)
    result.result.type = TupleType(tuple(v.type for v in result.operands))
    return True


def _place(entries: list, name: str) -> int | None:
    return next((k for k, x in enumerate(entries) if x.kind == "state" and x.name == name), None)


def _has_none_first(gradient: Value) -> bool:
    type_ = gradient.type
    return isinstance(type_, SumType) and len(type_.alternatives) == 2 and type_.alternatives[0] == NONE


class Cleared:
    """What a Program does with one gradient that is None or zeros. result: what holds all that the Program gives."""

    def __init__(self, uses: Uses[Value, Operation], result: Operation, gradient: Value):
        self._uses, self._result, self._gradient = uses, result, gradient
        self._followed = [gradient]  # the Values that are None or zeros because the gradient is

    def is_fine(self, after: Value) -> bool:
        """Whether the Program does the same with None as with zeros, and leaves one of these, `after`, or doesn't read it."""
        seen = 0
        while seen < len(self._followed):
            if not all(self._knows(op, self._followed[seen]) for op in self._uses.of(self._followed[seen])):
                return False
            seen += 1
        return self._holds(after) or not any(self._is_added_to(v) for v in self._followed if not _is_cleared(v, ()))

    def _holds(self, value: Value) -> bool:
        return _is_cleared(value, (self._gradient,))

    def _knows(self, user: Operation, gradient: Value) -> bool:
        """Whether a step that reads a gradient does the same with None as with zeros."""
        if user is self._result:
            return True
        if user.name == "sum.get":
            return all(op.name == "zeros_like" or self._sums(op, gradient) for op in self._uses.of(user.results[0]))
        if user.name == "yield":
            return all(self._follows(v) for v in _handed_on(user, gradient))
        asked = [op for test in self._uses.of(user.results[0]) for op in self._uses.of(test.results[0])] if user.results else []
        return bool(asked) and all(
            _asks(op, gradient) and all(_is_sum(v, gradient) or self._follows(v) for v in op.results) for op in asked
        )

    def _follows(self, value: Value | None) -> bool:
        """Whether a Value is None or zeros; then it is looked at as well."""
        if value is None or not self._holds(value):
            return False
        if value not in self._followed:
            self._followed.append(value)
        return True

    def _sums(self, op: Operation, gradient: Value) -> bool:
        """Whether an operation is the addition to a gradient that an `if` gives, and nothing else."""
        if op.name != "add":
            return False
        users = ((user, _handed_on(user, op.results[0])) for user in self._uses.of(op.results[0]))
        return all(user.name == "yield" and all(_is_sum(v, gradient) for v in given) for user, given in users)

    def _is_added_to(self, gradient: Value) -> bool:
        got = [user.results[0] for user in self._uses.of(gradient) if user.name == "sum.get"]
        return any(op.name == "add" for value in got for op in self._uses.of(value))


def _handed_on(op: Operation, value: Value) -> list[Value | None]:
    """The results of the `if` whose branch ends in a `yield` of a value; None where no `if` is around."""
    around = op.parent.parent if op.parent is not None else None
    if not isinstance(around, Operation) or around.name != "if":
        return [None]
    return [result for result, given in zip(around.results, op.operands) if given is value]


def _asks(op: Operation, gradient: Value) -> bool:
    """Whether an operation is an `if` that asks whether a gradient is None."""
    test = op.operands[0].owner if op.name == "if" else None
    if not isinstance(test, Operation) or test.name != "py.eq" or _constant(test.operands[1]) != 0:
        return False
    tag = test.operands[0].owner
    return isinstance(tag, Operation) and tag.name == "sum.tag" and tag.operands[0] is gradient


def _is_sum(total: Value | None, gradient: Value) -> bool:
    """Whether an `if` gives what is added to a gradient, where that is None, and elsewhere the sum."""
    branch = None if total is None else total.owner
    if total is None or not isinstance(branch, Operation) or not _asks(branch, gradient):
        return False
    added, found = _yielded(total)
    made = found.owner
    if not isinstance(made, Operation) or made.name != "add" or added not in made.operands:
        return False
    others = [v.owner for v in made.operands if v is not added]
    return all(isinstance(op, Operation) and op.name == "sum.get" and op.operands[0] is gradient for op in others)


def _is_cleared(value: Value, given: Collection[Value]) -> bool:
    """Whether a gradient is None or zeros, where those that are `given` are."""
    made = value.owner
    if value in given or not isinstance(made, Operation):
        return value in given
    if made.name == "if":
        return all(_is_cleared(v, given) for v in _yielded(value))
    held = made.operands[0] if made.name == "sum.make" else None
    return held is not None and (held.type == NONE or isinstance(held.owner, Operation) and held.owner.name == "zeros_like")


def _yielded(value: Value) -> list[Value]:
    """What the branches of an `if` give for one of its results."""
    made = value.owner
    assert isinstance(made, Operation)
    return [block.yielded[made.results.index(value)] for block in made.blocks]


def _constant(value: Value) -> object:
    made = value.owner
    return made.attrs["value"] if isinstance(made, Operation) and made.name == "const" else None
