"""Doing something with a number whose class follows the path, once for each class that it may have.

    k = 2 if flag else 0.5
    y = x + k                  # x: int64[3]; on one path an int64[3], on the other a float32[3]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...dtypes import has_gradient
from ...ir.core import Operation, Value
from ...ir.types import BOOL, FLOAT, INT, NUMBER, Type
from ...ops.registry import lookup
from ..tensors.tensor import Tensor
from .base import Staged, as_index, recorder
from .scalars import PYTHON_CLASS, StagedBool, StagedInt, StagedNumber
from .sums import StagedSum

_ORDER = (FLOAT, BOOL, INT)  # a bool is an int, too
_ARITHMETIC = frozenset(f"py.{name}" for name in "add sub mul floordiv mod pow neg pos abs round".split())  # these give no bool


def on_kinds(number: StagedNumber, function: Callable[[Any], Any]) -> Any:
    """`function` of the number as a float, a bool or an int, joined over these classes."""
    rec = recorder()
    possible = kinds_of(rec.lower(number))
    kinds = [str(kind) for kind in _ORDER if kind in possible]

    def from_(index: int) -> Any:
        kind = kinds[index]
        take = lambda: function(lookup(f"py.{kind}")(number))  # noqa: E731
        if index == len(kinds) - 1:
            return take()
        is_this = lookup("py.isinstance")(number, classes=[kind])
        return rec.choose(rec.lower(is_this), take, lambda: from_(index + 1))

    return from_(0)


def exact_index(value: Any) -> Any:
    """An int, or what the Program takes for one. TypeError: what Python raises, also where the path gives no int."""
    if isinstance(value, StagedNumber):
        return on_kinds(value, exact_index)
    if isinstance(value, StagedSum):
        return recorder().on_alternatives(value, exact_index)
    if isinstance(value, Staged) and not isinstance(value, StagedInt | StagedBool):
        cls = PYTHON_CLASS.get(type(value), getattr(value, "stands_for", type(value)))
        raise TypeError(f"{cls.__name__!r} object cannot be interpreted as an integer")
    return as_index(value)


def kinds_of(number: Value) -> set[Type]:
    """The classes that a number may have, as far as the paths tell that it comes by."""
    found: set[Type] = set()
    seen, waiting = {number}, [number]
    while waiting:
        value = waiting.pop()
        owner = value.owner
        if value.type != NUMBER:
            found.add(value.type)
        elif isinstance(owner, Operation) and owner.name in ("if", "while"):
            before = [x for x in _handed_on(owner, owner.results.index(value)) if x not in seen]
            seen.update(before)
            waiting += before
        elif isinstance(owner, Operation) and owner.name in _ARITHMETIC:
            found.update((INT, FLOAT))
        else:
            return set(_ORDER)
    return found


def _handed_on(op: Operation, index: int) -> list[Value]:
    """What may become this result of an `if` or a `while`."""
    is_loop = op.name == "while"
    ends = [block.ops[-1] for block in (op.blocks[1:] if is_loop else op.blocks)]
    return [*(op.operands[index : index + 1] if is_loop else ()), *(end.operands[index] for end in ends if end.name == "yield")]


def deciding_number(values: Sequence[Any], makes_tensors: bool = False) -> StagedNumber | None:
    """The first number among values whose class decides the dtype of what an operator or function gives for them.

    It does so beside tensors of integers or bools, and where there is no tensor in a function that makes some.
    """
    numbers = [x for x in values if isinstance(x, StagedNumber)]
    tensors = [x for x in values if isinstance(x, Tensor)] if numbers else []
    decides = not all(has_gradient(x.type.dtype) for x in tensors) if tensors else makes_tensors
    return numbers[0] if numbers and decides else None
