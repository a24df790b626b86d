"""Nested dicts, lists and tuples of tensors and plain values as JSON, with the arrays beside it.

A tensor is `{"tensor": its name}`, a dict `{"dict": [[key, value], ...]}`, a list or tuple `{"list": [...]}`. A float that JSON
lacks is `{"float": "nan"}`. Everything else is itself. The tensors of a flat dict are stored under their keys.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..config import file_limits
from ..ir.names import free
from .attributes import decode, of_plain

_PLAIN = (bool, int, str)


def packed(tree: Any, is_tensor: Callable[[Any], bool]) -> tuple[Any, dict[str, np.ndarray]]:
    """The JSON of a tree and its arrays by name; TypeError says where there is something else."""
    arrays: dict[str, np.ndarray] = {}
    return _pack(tree, "", is_tensor, arrays, 0), arrays


def _pack(value: Any, path: str, is_tensor: Callable, arrays: dict[str, np.ndarray], depth: int) -> Any:
    if depth > file_limits.depth:
        raise TypeError(f"save: {path[:60]}... is nested deeper than {file_limits.depth} (file_limits.depth), or within itself")
    again = lambda part, key: _pack(part, f"{path}.{key}" if path else str(key), is_tensor, arrays, depth + 1)  # noqa: E731
    if is_tensor(value) or isinstance(value, np.ndarray):
        name = free(path or "tensor", arrays, ":")  # `{"a.b": x, "a": {"b": y}}` has two tensors for one name
        arrays[name] = np.asarray(value)
        return {"tensor": name}
    if isinstance(value, Mapping):
        for key in value:
            if type(key) not in (str, int):
                raise TypeError(f"save: the key {key!r} of {path or 'the dict'} is neither a str nor an int")
        return {"dict": [[key, again(part, key)] for key, part in value.items()]}
    if isinstance(value, (list, tuple)):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {kind: [again(part, i) for i, part in enumerate(value)]}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if value is None or type(value) in _PLAIN:
        return value
    raise TypeError(
        f"save: {path or 'the object'} is a {type(value).__name__}; a file holds tensors, numbers, texts, None, and dicts, lists "
        "and tuples of them: save the state dict of a Layer or an optimizer, and models by jit.save"
    )


def unpacked(tree: Any, arrays: Mapping[str, np.ndarray], make: Callable[[np.ndarray], Any]) -> Any:
    """What `packed` packed, each array through `make`; ModelFileError for anything else."""

    def leaf(tag: str, body: Any, where: str) -> Any:
        if tag == "tensor" and type(body) is str and body in arrays:
            return make(arrays[body])
        return of_plain(tag, body, where)

    return decode(tree, "the saved tree", leaf, (str, int))
