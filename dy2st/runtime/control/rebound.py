"""What the bodies of loops surely give another value, as the transformers found it: a loop starts from there.

    for i in range(n):
        for j in range(m):         here `x` is a Value, so it will be one in the outer loop, too:
            x = x * y              that is staged again at once, before the rest of it is
"""

from __future__ import annotations

from collections.abc import Hashable
from types import CodeType
from typing import TYPE_CHECKING

from ...ir.types import NONE, ScalarType, TensorType
from ..joining.plans import Leaf, Plan, Same
from ..proxies import StagedScalar
from ..tensors.tensor import Tensor
from ..where.per_code import Notes

if TYPE_CHECKING:
    from .loop import Loop

COUNTED, COMPUTED = "counted", "computed"  # as in `transformers.rebound`

_notes = Notes()


def remember(code: CodeType, names: dict[str, object]) -> None:
    """Note what the generated body of a loop rebinds, and how."""
    _notes.note(code, names)


def rebound_by(code: CodeType) -> dict[Hashable, object]:
    """The names that the body of a loop rebinds, and how; none for what isn't a generated one."""
    return _notes.get(code) or {}


def surely_changes(how: object, value: object) -> bool:
    """Whether a name that holds this before the loop holds another Value of such a type after a turn."""
    if isinstance(value, Tensor | StagedScalar):
        return how in (COUNTED, COMPUTED)
    return how == COUNTED and type(value) is int


def risen_in(inner: Loop, outer: Loop) -> dict[str, Plan]:
    """The names that are Values in one loop and not yet in the one around it, whose body ends with what the inner one leaves."""
    carried = {theirs.name: theirs for theirs in outer.names if isinstance(theirs.plan, Same)}
    return {
        own.name: own.plan
        for own in inner.names
        if own.name in carried
        and outer.rebound.get(own.name) is inner.code
        and isinstance(own.plan, Leaf)
        and isinstance(own.plan.type, TensorType | ScalarType)
        and own.plan.type != NONE
    }
