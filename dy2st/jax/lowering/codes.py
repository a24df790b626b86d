"""The numbers of texts that are known: JAX's arrays hold no texts. A text has the same one wherever it comes from."""

from __future__ import annotations

from typing import Any

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


def decoded(codes: np.ndarray) -> np.ndarray:
    """The texts of codes."""
    return np.asarray([_TEXTS[code] for code in codes.reshape(-1).tolist()], object).reshape(codes.shape)
