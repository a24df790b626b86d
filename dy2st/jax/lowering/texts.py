"""Texts as numbers: JAX's arrays hold none. A text has the same number wherever it comes from."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

_CODES: dict[str, int] = {}
_TEXTS: list[str] = []


def _code(text: str) -> int:
    if text not in _CODES:
        _CODES[text] = len(_TEXTS)
        _TEXTS.append(text)
    return _CODES[text]


def coded(array: Any) -> Any:
    """An array of texts as int64; another one as it is."""
    if array.dtype != object:
        return array
    return np.asarray([_code(text) for text in array.reshape(-1).tolist()], np.int64).reshape(array.shape)


def joined(g: Any, *parts: Any) -> Any:
    """Texts in a row; of an int, its digits."""
    template: list[str | None] = []
    numbers: list[Any] = []
    for part in parts:
        if part.template is not None:
            template += part.template
            numbers.append(part.data)
        elif part.is_text and part.array is not None:
            template.append(part.item)
        elif part.is_text:
            g.refuse("a text that follows the path isn't put together in JAX; return what the text is made of")
        else:
            template.append(None)
            numbers.append(jnp.asarray(part.data, "int64").reshape(1))
    made = g.made(jnp.concatenate(numbers), is_text=True)
    made.template = tuple(template)
    return made


def filled(template: tuple[str | None, ...], numbers: np.ndarray) -> str:
    """The text of a template."""
    rest = iter(numbers.tolist())
    return "".join(str(next(rest)) if part is None else part for part in template)


def decoded(codes: np.ndarray) -> np.ndarray:
    """The texts of numbers."""
    return np.asarray([_TEXTS[code] for code in codes.reshape(-1).tolist()], object).reshape(codes.shape)
