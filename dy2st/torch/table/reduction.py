"""How losses of elements become one loss."""

from __future__ import annotations

from typing import Any

import dy2st as api

_ENUM = ("none", "mean", "sum")


def reduction_of(reduction: Any, size_average: Any = None, reduce: Any = None) -> str:
    """ "none", "mean" or "sum": by its name, by its number, or by the two old arguments where one is given."""
    if size_average is not None or reduce is not None:
        return "none" if reduce is not None and not reduce else "mean" if size_average is None or size_average else "sum"
    found = _ENUM[reduction] if isinstance(reduction, int) else reduction
    if found not in _ENUM:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return found


def reduced(loss: Any, reduction: Any, size_average: Any = None, reduce: Any = None) -> Any:
    """The losses themselves, their mean or their sum."""
    kind = reduction_of(reduction, size_average, reduce)
    return loss if kind == "none" else (api.mean if kind == "mean" else api.sum)(loss)
