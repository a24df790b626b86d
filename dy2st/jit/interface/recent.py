"""What was used last is kept, and no more than `limits.programs` of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from ...config import limits

Key = TypeVar("Key")
Value = TypeVar("Value")


def recent(kept: OrderedDict[Key, Value], key: Key, make: Callable[[], Value]) -> Value:
    """What `kept` has under the key, made now where it has nothing; what was used longest ago goes, where it is too much."""
    try:
        value = kept[key]
    except KeyError:
        value = make()
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > limits.programs:
        kept.popitem(last=False)
    return value
