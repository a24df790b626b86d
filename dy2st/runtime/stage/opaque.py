"""Objects that a Program gives back as they are, and what they hold: a partial, a bound method, a class, a mapping proxy."""

from __future__ import annotations

import gc
import types
from functools import partial
from operator import methodcaller
from typing import Any

from ..proxies import Staged
from ..recorder.recorder import Recorder
from ..recorder.values import is_plain_object
from ..tensors.tensor import Tensor

_METHODS = types.MethodType, types.BuiltinMethodType
_HOLDERS = (partial, methodcaller, type, types.MappingProxyType, types.FunctionType, types.CellType, *_METHODS)


def holds_staged(rec: Recorder, value: Any) -> bool:
    """Whether an object from which a Program takes no fields holds a value that only the Program knows."""
    seen, pending = set(), [value]
    while pending:
        found = pending.pop()
        if isinstance(found, Staged) or isinstance(found, Tensor) and found.is_staged:
            return True
        if id(found) not in seen:
            seen.add(id(found))
            pending += _held(rec, found)
    return False


def _held(rec: Recorder, value: Any) -> list:
    """What is looked into: what holds values itself, and objects made while recording; others are as they were before."""
    if isinstance(value, types.FunctionType):
        return [value.__closure__ or (), value.__defaults__ or (), value.__kwdefaults__ or {}, vars(value)]
    if isinstance(value, type):
        return list(vars(value).values())
    if isinstance(value, dict):
        return [*value, *value.values()]
    if type(value) in (list, tuple, set) or isinstance(value, _HOLDERS) or hasattr(type(value), "cache_info"):
        return gc.get_referents(value)
    made = is_plain_object(value) and rec.heap.birth(value) is not None
    return list(vars(value).values()) if made else []
