"""Texts in a graph: constants, and choices between them. What would be computed of them is computed of constants alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ir.core import UNKNOWN
from ....ir.types import INT, STR, TupleType
from .answers import Typed, typed
from .equality import items_of

WHY = "a graph computes no texts; return what the text is made of and format it outside"


def of_constants(kernel: Callable[..., Any], why: str = WHY) -> Callable[..., Any]:
    """The lowering of an operator that is computed while exporting, where all operands are known."""

    def lowered(g: Any, *operands: Any, **attrs: Any) -> Any:
        known, settings = [*map(g.constant, operands)], {name: g.constant(x) for name, x in attrs.items()}
        if any(x is UNKNOWN for x in (*known, *settings.values())):
            g.refuse(why)
        try:
            found = kernel(*known, **settings)
        except Exception as error:
            g.refuse(f"of these constants it always raises {type(error).__name__}: {error}")
        if not isinstance(found, str | int | float):
            g.refuse(why)
        return g.const(found)

    return lowered


def spelled(kernel: Callable[..., Any], quotes: bool = False) -> Callable[..., Any]:
    """The lowering of str(x): a text is one already, ONNX spells ints, and tuples are put together. quotes: that of repr(x)."""
    folded = of_constants(kernel)

    def lowered(g: Any, x: Any, **attrs: Any) -> Any:
        found = None if any(attrs.values()) else _text(g, typed(g, x), quotes)
        return folded(g, x, **attrs) if found is None else found

    return lowered


def _text(g: Any, x: Typed, quotes: bool) -> Any:
    """The text of an int, a text without quotes, or a tuple of those that can be told; None of anything else."""
    type_, leaves = x
    if type_ == STR and not quotes:
        return leaves[0]
    if type_ == INT:
        return g.cast(leaves[0], "string") if leaves[0].item is None else g.const(str(leaves[0].item))
    if not isinstance(type_, TupleType):
        return None
    items = [_text(g, item, True) for item in items_of(g, type_, leaves)]
    if any(item is None for item in items):
        return None
    between = [g.const("("), *[g.const(", ")] * (len(items) - 1), g.const(",)" if len(items) == 1 else ")")]
    return concatenated(g, *[part for pair in zip(between, items) for part in pair], between[-1])


def concatenated(g: Any, *parts: Any) -> Any:
    """The parts of a text in a row."""
    found = g.const("")
    for part in parts:
        known = g.constant(found), g.constant(part)
        if not any(x is UNKNOWN for x in known):
            found = g.const("".join(known))
        else:
            found = part if known[0] == "" else g.StringConcat(found, part)
    return found
