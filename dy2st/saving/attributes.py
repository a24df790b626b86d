"""Plain values as JSON. Lists and plain scalars stand for themselves; what JSON lacks is an object with one key, its tag:

{"tuple": [...]}  {"dict": [[key, value], ...]}  {"ref": 2}  {"float": "nan"}  {"int": "0x1f..."}
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import ModelFileError
from ..ir.core import Ref
from .untrusted import brief, expect, within

_LARGE = 1 << 63
_HEX = re.compile(r"-?0x[0-9a-f]+")
_ROWS: dict[str, Callable[[list], Any]] = {"list": list, "tuple": tuple}
_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def plain(value: Any) -> Any:
    """The JSON of a plain scalar; TypeError where it is none."""
    kind = type(value)
    if kind is Ref:
        return {"ref": value.index}
    if kind is float and not math.isfinite(value):
        return {"float": repr(value)}
    if kind is int and abs(value) >= _LARGE:
        return {"int": hex(value)}
    if value is None or kind in (bool, int, float, str):
        return value
    raise TypeError(f"{value!r} ({kind.__name__}) can't be an attribute")


def of_plain(tag: str, body: Any, where: str) -> Any:
    """The scalar that an object of one key stands for; ModelFileError where it is none."""
    if tag == "ref":
        return Ref(expect(body, int, where))
    if tag == "float" and isinstance(body, str) and body in _FLOATS:
        return _FLOATS[body]
    if tag == "int" and isinstance(body, str) and _HEX.fullmatch(body):
        return int(body, 16)
    raise ModelFileError(f"{where}: {brief(tag)} with {brief(body)} is not an attribute")


def encode(value: Any, leaf: Callable[[Any], Any] = plain) -> Any:
    """The JSON tree of a value. leaf: the JSON of what is no list, tuple or dict."""
    kind = type(value)
    if kind is list:
        return [encode(part, leaf) for part in value]
    if kind is tuple:
        return {"tuple": [encode(part, leaf) for part in value]}
    if kind is dict:
        return {"dict": [[key, encode(part, leaf)] for key, part in value.items()]}
    return leaf(value)


def decode(
    tree: Any,
    where: str,
    leaf: Callable[[str, Any, str], Any] = of_plain,
    keys: tuple[type, ...] = (str,),
    rows: Mapping[str, Callable[[list], Any]] = _ROWS,
    depth: int = 0,
) -> Any:
    """The value of a JSON tree; ModelFileError where it is none.

    leaf: what an object of another tag stands for, from the tag, the body and `where`. keys: the classes of a dict's keys.
    rows: what is made of a row of values, by its tag.
    """
    within("depth", depth, f"{where}: nesting of values")
    again = lambda part: decode(part, where, leaf, keys, rows, depth + 1)  # noqa: E731
    if isinstance(tree, list):
        return [again(part) for part in tree]
    if not isinstance(tree, dict):
        return tree
    if len(tree) != 1:
        raise ModelFileError(f"{where}: an attribute can't be an object of {len(tree)} keys")
    ((tag, body),) = tree.items()
    if tag in rows:
        return rows[tag]([again(part) for part in expect(body, list, where)])
    if tag != "dict":
        return leaf(tag, body, where)
    pairs = [expect(pair, list, where) for pair in expect(body, list, where)]
    if any(len(pair) != 2 or type(pair[0]) not in keys for pair in pairs):
        raise ModelFileError(f"{where}: a dict takes pairs of key and value")
    made = {key: again(part) for key, part in pairs}
    if len(made) < len(pairs):
        raise ModelFileError(f"{where}: a dict has a key twice")
    return made
