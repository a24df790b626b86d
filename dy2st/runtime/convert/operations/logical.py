"""`and`, `or`, `not`: they give an operand, and evaluate the right side only when Python would."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....errors import ConversionError
from ....ops.dispatch import RECORDERS
from ....ops.registry import lookup
from ...heap.identity import SCALARS
from ...recorder.recorder import Recorder, current_recorder
from ...where.per_code import reads_items
from ...where.storing import may_store
from ...where.user_code import is_users_function
from .ifelse import convert_ifelse


def convert_logical_and(first: Any, *rest: Callable[[], Any]) -> Any:
    if not RECORDERS or (rec := current_recorder()) is None:
        for operand in rest:
            if not first:
                break
            first = operand()
        return first
    for i, operand in enumerate(rest):
        known = _truth(rec, first, is_given_if=False)
        if not isinstance(known, bool):
            return convert_ifelse(known, lambda: convert_logical_and(operand(), *rest[i + 1 :]), lambda: first)  # noqa: B023
        if not known:
            return first
        first = operand()
    return first


def convert_logical_or(first: Any, *rest: Callable[[], Any]) -> Any:
    if not RECORDERS or (rec := current_recorder()) is None:
        for operand in rest:
            if first:
                break
            first = operand()
        return first
    for i, operand in enumerate(rest):
        known = _truth(rec, first, is_given_if=True)
        if not isinstance(known, bool):
            return convert_ifelse(known, lambda: first, lambda: convert_logical_or(operand(), *rest[i + 1 :]))  # noqa: B023
        if known:
            return first
        first = operand()
    return first


def _truth(rec: Recorder, operand: Any, is_given_if: bool) -> Any:
    """Whether an operand before the last is true; it is what `and` and `or` give if that is `is_given_if`.

    ConversionError where an `if` around them would ask it once more, and its code may change something: Python jumps.
    """
    if type(operand) in SCALARS:
        return not not operand
    noted = rec.journal.noted() if is_users_function(_method(operand)) else None
    known = rec.truth(operand)
    if noted is not None and known is not (not is_given_if) and (_may_change(operand) or rec.journal.changed_after(noted)):
        name = type(operand).__name__
        raise ConversionError(
            f"{rec.here()}: `{'or' if is_given_if else 'and'}` gives this {name}, and what is around it may ask for its truth "
            f"again; its {_method(operand).__name__} may change something: write bool(...) around the {name}"
        )
    return known


def _may_change(operand: Any) -> bool:
    """Whether code of the user's tells the truth of an operand, and may store."""
    code = _method(operand).__code__
    return may_store(code) or reads_items(code)  # of a defaultdict, perhaps


def _method(operand: Any) -> Any:
    """The method that Python asks for the truth of an object."""
    cls = type(operand)
    return getattr(cls, "__bool__", None) or getattr(cls, "__len__", None)


def convert_logical_not(value: Any) -> Any:
    if type(value) in SCALARS or not RECORDERS or (rec := current_recorder()) is None:
        return not value
    known = rec.truth(value)
    return not known if isinstance(known, bool) else lookup("py.not")(known)
