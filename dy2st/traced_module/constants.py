"""Constant arguments as JSON. Plain values are kept as everywhere in saved files; the others are objects of one key:

{"node": 3}  {"dtype": "float32"}  {"slice": [a, b, c]}  {"ellipsis": null}  {"array": "constant.0"}
{"unbound": "y"}  {"no value": null}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import pytree
from ..dtypes import DTYPES, DType
from ..errors import ModelFileError
from ..runtime.heap.markers import Unbound, no_value
from ..saving.attributes import decode as decode_plain
from ..saving.attributes import encode as encode_plain
from ..saving.attributes import of_plain, plain
from ..saving.untrusted import brief, expect
from .node import Node

_WORDS = {"ellipsis": Ellipsis, "no value": no_value}
_INT_DIGITS = 3000  # hexadecimal ones; Python prints no integer of over 4300 decimal digits


def encode(value: Any, index_of: Callable[[Node], int], store: Callable[[np.ndarray], str]) -> Any:
    """The JSON tree of an argument; `store` keeps an array and gives its name."""

    def leaf(part: Any) -> Any:
        base = pytree.base_of(type(part))
        if base in (list, tuple, dict):  # a subclass
            return encode_plain(base(part), leaf)
        if isinstance(part, Node):
            return {"node": index_of(part)}
        if isinstance(part, slice):
            return {"slice": encode_plain([part.start, part.stop, part.step], leaf)}
        if isinstance(part, DType):
            return {"dtype": part.name}
        if part is Ellipsis:
            return {"ellipsis": None}
        if isinstance(part, Unbound):
            return {"unbound": part.name}
        if part is no_value:
            return {"no value": None}
        if isinstance(part, np.ndarray | np.generic):
            return {"array": store(np.asarray(part))}
        return plain(part)

    return encode_plain(value, leaf)


def decode(tree: Any, node: Callable[[int], Node], array: Callable[[str], np.ndarray], where: str) -> Any:
    """The argument of a JSON tree; ModelFileError where it is none."""

    def leaf(tag: str, body: Any, where: str) -> Any:
        if tag == "node":
            return node(expect(body, int, where))
        if tag == "dtype" and isinstance(body, str) and body in DTYPES:
            return DTYPES[body]
        if tag in _WORDS and body is None:
            return _WORDS[tag]
        if tag == "unbound" and isinstance(body, str) and body.isprintable():
            return Unbound(body)
        if tag == "array":
            return array(expect(body, str, where))
        if tag == "float" or tag == "int" and isinstance(body, str) and len(body) < _INT_DIGITS:
            return of_plain(tag, body, where)
        raise ModelFileError(f"{where}: {brief(tag)} is no argument")

    def sliced(parts: list) -> slice:
        if len(parts) != 3:
            raise ModelFileError(f"{where}: a slice of {len(parts)} parts is no argument")
        return slice(*parts)

    return decode_plain(tree, where, leaf, (str, int, bool), {"tuple": tuple, "slice": sliced})
