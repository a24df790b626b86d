"""Attributes as JSON. Lists and plain scalars stand for themselves; what JSON lacks is an object with one key:

{"tuple": [...]}  {"dict": [[key, value], ...]}  {"ref": 2}  {"float": "nan"}  {"int": "0x1f..."}
"""

from __future__ import annotations

import math
import re
from typing import Any

from ..errors import ModelFileError
from ..ir.core import Ref
from .untrusted import brief, expect, within

_LARGE = 1 << 63
_HEX = re.compile(r"-?0x[0-9a-f]+")
_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def encode(value: Any) -> Any:
    """The JSON tree of an attribute."""
    kind = type(value)
    if kind is list:
        return [encode(part) for part in value]
    if kind is tuple:
        return {"tuple": [encode(part) for part in value]}
    if kind is dict:
        return {"dict": [[key, encode(part)] for key, part in value.items()]}
    if kind is Ref:
        return {"ref": value.index}
    if kind is float and not math.isfinite(value):
        return {"float": repr(value)}
    if kind is int and abs(value) >= _LARGE:
        return {"int": hex(value)}
    if value is None or kind in (bool, int, float, str):
        return value
    raise TypeError(f"{value!r} ({kind.__name__}) can't be an attribute")


def decode(tree: Any, where: str, depth: int = 0) -> Any:
    """The attribute of a JSON tree; ModelFileError where it is none."""
    within("depth", depth, f"{where}: nesting of an attribute")
    if isinstance(tree, list):
        return [decode(part, where, depth + 1) for part in tree]
    if not isinstance(tree, dict):
        return tree
    if len(tree) != 1:
        raise ModelFileError(f"{where}: an attribute can't be an object of {len(tree)} keys")
    ((tag, body),) = tree.items()
    if tag == "tuple":
        return tuple(decode(part, where, depth + 1) for part in expect(body, list, where))
    if tag == "dict":
        made = dict(_pair(pair, where, depth) for pair in expect(body, list, where))
        if len(made) < len(body):
            raise ModelFileError(f"{where}: a dict attribute has a key twice")
        return made
    if tag == "ref":
        return Ref(expect(body, int, where))
    if tag == "float" and isinstance(body, str) and body in _FLOATS:
        return _FLOATS[body]
    if tag == "int" and isinstance(body, str) and _HEX.fullmatch(body):
        return int(body, 16)
    raise ModelFileError(f"{where}: {brief(tag)} with {brief(body)} is not an attribute")


def _pair(pair: Any, where: str, depth: int) -> tuple[str, Any]:
    if len(expect(pair, list, where)) != 2:
        raise ModelFileError(f"{where}: a dict attribute takes pairs of key and value")
    return expect(pair[0], str, where), decode(pair[1], where, depth + 1)
