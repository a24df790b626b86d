"""What the bodies of loops surely give another value, as the transformers found it: a loop starts from there.

    for i in range(n):
        for j in range(m):         here `x` is a Value, so it will be one in the outer loop, too:
            x = x * y              that is staged again at once, before the rest of it is
"""

from __future__ import annotations

from types import CodeType
from typing import Any

from ...ir.types import NONE, ScalarType, TensorType
from ..joining.plans import Leaf, Same
from ..proxies import StagedScalar
from ..tensors.tensor import Tensor
from ..where.per_code import Notes

COUNTED, COMPUTED = "counted", "computed"  # as in `transformers.rebound`

_notes = Notes()


def remember(code: CodeType, names: dict[str, Any]) -> None:
    """Note what the generated body of a loop rebinds, and how."""
    _notes.note(code, names)


def rebound_by(code: CodeType) -> dict[str, Any]:
    """The names that the body of a loop rebinds, and how; none for what isn't a generated one."""
    return _notes.get(code) or {}


def surely_changes(how: Any, value: Any) -> bool:
    """Whether a name that holds this before the loop holds another Value of such a type after a turn."""
    if isinstance(value, Tensor | StagedScalar):
        return how in (COUNTED, COMPUTED)
    return how == COUNTED and type(value) is int


def risen_in(inner: Any, outer: Any) -> dict[str, Any]:
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
