"""What gradients of values of any structure need: nothing yet (`adjoint.zeros`), and more of it (`adjoint.add`).

The gradient of a value has the value's own type: arrays for its arrays, and anything where the value holds no floating point.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dtype import FLOWING
from ...ir.native import Record
from ...ir.types import Type
from ..registry import define


def _zeros(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return np.zeros(value.shape, value.dtype)
    if isinstance(value, list):
        return [_zeros(x) for x in value]
    if isinstance(value, dict):
        return {key: _zeros(x) for key, x in value.items()}
    return _same_tuple(value, map(_zeros, value)) if isinstance(value, tuple) else value


def _add(a: Any, b: Any) -> Any:
    if isinstance(a, np.ndarray | np.generic):
        return np.asarray(a + b) if a.dtype.kind in FLOWING else a
    if isinstance(a, list):
        return [*map(_add, a, b)]
    if isinstance(a, dict):
        return {key: _add(x, b[key]) for key, x in a.items()}
    return _same_tuple(a, map(_add, a, b)) if isinstance(a, tuple) else a


def _same_tuple(value: tuple, parts: Any) -> tuple:
    return Record.of(value.name, value.fields, parts) if isinstance(value, Record) else tuple(parts)


def _first(type_: Type, *_: Type) -> Type:
    return type_


zeros = define("adjoint.zeros", kernel=_zeros, infer=_first, reads=(0,), allocates=True)
add = define("adjoint.add", kernel=_add, infer=_first, grad=lambda ctx, g: (g, g), reads=(0, 1), allocates=True)
