"""Constant arguments as JSON. Plain values are kept as everywhere in saved files; the others are objects of one key:

{"node": 3}  {"dtype": "float32"}  {"slice": [a, b, c]}  {"ellipsis": null}  {"array": "constant.0"}
{"unbound": "y"}  {"no value": null}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..config import file_limits
from ..dtypes import DTYPES, DType
from ..errors import ModelFileError
from ..runtime.heap.markers import Unbound, no_value
from ..saving.attributes import decode as decode_plain
from ..saving.attributes import encode as encode_plain
from ..saving.untrusted import brief, expect
from .node import Node

_WORDS = {"ellipsis": Ellipsis, "no value": no_value}
_INT_DIGITS = 3000  # hexadecimal ones; Python prints no integer of over 4300 decimal digits


def encode(value: Any, index_of: Callable[[Node], int], store: Callable[[np.ndarray], str]) -> Any:
    """The JSON tree of an argument; `store` keeps an array and gives its name."""
    again = lambda part: encode(part, index_of, store)  # noqa: E731
    if isinstance(value, Node):
        return {"node": index_of(value)}
    if isinstance(value, list):
        return [again(part) for part in value]
    if isinstance(value, tuple):
        return {"tuple": [again(part) for part in value]}
    if isinstance(value, dict):
        return {"dict": [[key, again(part)] for key, part in value.items()]}
    if isinstance(value, slice):
        return {"slice": [again(part) for part in (value.start, value.stop, value.step)]}
    if isinstance(value, DType):
        return {"dtype": value.name}
    if value is Ellipsis:
        return {"ellipsis": None}
    if isinstance(value, Unbound):
        return {"unbound": value.name}
    if value is no_value:
        return {"no value": None}
    if isinstance(value, np.ndarray | np.generic):
        return {"array": store(np.asarray(value))}
    return encode_plain(value)


def decode(tree: Any, node: Callable[[int], Node], array: Callable[[str], np.ndarray], where: str, depth: int = 0) -> Any:
    """The argument of a JSON tree; ModelFileError where it is none."""
    if depth > file_limits.depth:
        raise ModelFileError(f"{where}: an argument nested deeper than {file_limits.depth} (file_limits.depth)")
    again = lambda part: decode(part, node, array, where, depth + 1)  # noqa: E731
    if isinstance(tree, list):
        return [again(part) for part in tree]
    if not isinstance(tree, dict) or len(tree) != 1:
        return decode_plain(tree, where)
    ((tag, body),) = tree.items()
    if tag == "node":
        return node(expect(body, int, where))
    if tag == "tuple":
        return tuple([again(part) for part in expect(body, list, where)])
    if tag == "dict":
        pairs = [expect(pair, list, where) for pair in expect(body, list, where)]
        if any(len(pair) != 2 or type(pair[0]) not in (str, int, bool) for pair in pairs):
            raise ModelFileError(f"{where}: a dict takes pairs of key and value")
        if len({key for key, _ in pairs}) < len(pairs):
            raise ModelFileError(f"{where}: a dict has a key twice")
        return {key: again(part) for key, part in pairs}
    if tag == "slice" and isinstance(body, list) and len(body) == 3:
        return slice(*[again(part) for part in body])
    if tag == "dtype" and isinstance(body, str) and body in DTYPES:
        return DTYPES[body]
    if tag in _WORDS and body is None:
        return _WORDS[tag]
    if tag == "unbound" and isinstance(body, str) and body.isprintable():
        return Unbound(body)
    if tag == "array":
        return array(expect(body, str, where))
    if tag == "float" or tag == "int" and isinstance(body, str) and len(body) < _INT_DIGITS:
        return decode_plain(tree, where)
    raise ModelFileError(f"{where}: {brief(tag)} is no argument")
