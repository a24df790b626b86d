"""The numbers of texts that are known: JAX's arrays hold no texts. A text has the same one wherever and whenever it comes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import numpy as np

from ...errors import EngineError

_CODES: dict[str, int] = {}
_TEXTS: dict[int, str] = {0: ""}  # 0 stands where no path reads a text
_HEARD: list[set[str]] = []


def _code(text: str) -> int:
    for heard in _HEARD:
        heard.add(text)
    if text not in _CODES:
        code = 1 + int.from_bytes(sha256(text.encode("utf-8", "surrogatepass")).digest()[:4], "big") % (2**31 - 1)
        if code in _TEXTS:
            raise EngineError(f"{_TEXTS[code]!r} and {text!r} have one number in JAX; change one of the texts")
        _CODES[text], _TEXTS[code] = code, text
    return _CODES[text]


@contextmanager
def heard() -> Iterator[set[str]]:
    """The texts that are given a number within."""
    texts: set[str] = set()
    _HEARD.append(texts)
    try:
        yield texts
    finally:
        _HEARD[:] = [x for x in _HEARD if x is not texts]


def know(texts: Iterable[str]) -> None:
    """Take in texts whose numbers another process has used."""
    for text in texts:
        _code(text)


def coded(array: Any) -> Any:
    """An array of texts as int64; another one as it is."""
    if array.dtype != object:
        return array
    return np.asarray([_code(text) for text in array.reshape(-1).tolist()], np.int64).reshape(array.shape)


def decoded(codes: np.ndarray) -> np.ndarray:
    """The texts of codes. EngineError: nobody has told this process the text."""
    given = codes.reshape(-1).tolist()
    if unknown := [code for code in given if code not in _TEXTS]:
        raise EngineError(f"the text number {unknown[0]} isn't known in this process")
    return np.asarray([_TEXTS[code] for code in given], object).reshape(codes.shape)
