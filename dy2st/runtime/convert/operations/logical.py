"""`and`, `or`, `not`: they give an operand, and evaluate the right side only when Python would."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ops.dispatch import RECORDERS
from ....ops.registry import lookup
from ...heap.identity import SCALARS
from ...recorder.recorder import current_recorder
from .ifelse import convert_ifelse


def convert_logical_and(first: Any, *rest: Callable[[], Any]) -> Any:
    if not RECORDERS or (rec := current_recorder()) is None:
        for operand in rest:
            if not first:
                break
            first = operand()
        return first
    for i, operand in enumerate(rest):
        known = not not first if type(first) in SCALARS else rec.truth(first)
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
        known = not not first if type(first) in SCALARS else rec.truth(first)
        if not isinstance(known, bool):
            return convert_ifelse(known, lambda: first, lambda: convert_logical_or(operand(), *rest[i + 1 :]))  # noqa: B023
        if known:
            return first
        first = operand()
    return first


def convert_logical_not(value: Any) -> Any:
    if type(value) in SCALARS or not RECORDERS or (rec := current_recorder()) is None:
        return not value
    known = rec.truth(value)
    return not known if isinstance(known, bool) else lookup("py.not")(known)
