"""Texts in a graph: constants, and choices between them. What would be computed of them is computed of constants alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ir.core import UNKNOWN
from ....ir.types import INT, STR

WHY = "ONNX computes no texts; return what the text is made of and format it outside"


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


def spelled(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The lowering of str(x): a text is one already, and ONNX spells ints."""
    folded = of_constants(kernel)

    def lowered(g: Any, x: Any, **attrs: Any) -> Any:
        plain = not any(attrs.values())
        if plain and g.type_of(x) == STR:
            return x
        return g.cast(x, "string") if plain and g.type_of(x) == INT and x.item is None else folded(g, x, **attrs)

    return lowered


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
