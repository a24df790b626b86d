"""Objects that a Program gives back as they are, and what they hold: a partial, a bound method, a class, a mapping proxy."""

from __future__ import annotations

import gc
import types
from typing import Any

from ... import pytree
from ..joining.activation import is_staged
from ..recorder.keepers import kept_by
from ..recorder.recorder import Recorder
from ..recorder.values import is_plain_object


def holds_staged(rec: Recorder, value: Any) -> bool:
    """Whether an object from which a Program takes no fields holds a value that only the Program knows."""
    return any(is_staged(rec, part) for part in pytree.nodes(value, lambda part: _held(rec, part)))


def _held(rec: Recorder, value: Any) -> list:
    """What is looked into: what holds values itself, and objects made while recording; others are as they were before."""
    if isinstance(value, types.FunctionType):
        return [value.__closure__ or (), value.__defaults__ or (), value.__kwdefaults__ or {}, vars(value)]
    if isinstance(value, type):
        return list(vars(value).values())
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, types.BuiltinMethodType):
        return gc.get_referents(value)
    made = is_plain_object(value) and rec.heap.birth(value) is not None
    return list(vars(value).values()) if made else kept_by(value)
