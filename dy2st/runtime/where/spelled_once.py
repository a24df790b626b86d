"""The text of a container that may hold itself: a placeholder stands for the inner one, as in `reprlib.recursive_repr`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ops import dispatch


def spelled_once(which: Callable[[], object], placeholder: str, spell: Callable[[], Any]) -> Any:
    """What `spell()` gives, or the placeholder while the object that `which()` gives is being spelled already.

    It is asked by a function, since a container among the arguments comes as a list where converted code calls this.
    """
    spelled, one = dispatch.current_mode().rec.spelled, id(which())
    if one in spelled:
        return placeholder
    spelled.add(one)
    try:
        return spell()
    finally:
        spelled.discard(one)
