"""Which jaxprs take less than a branch of XLA's, so that both arms may be computed, and one selected."""

from __future__ import annotations

import math
from typing import Any

import jax
import numpy as np
from jax.extend.core import Jaxpr

_MOST_EQUATIONS, _MOST_ELEMENTS = 24, 64
_CHEAP = frozenset(
    """
    add sub mul div rem neg abs sign max min and or not xor eq ne lt le gt ge select_n convert_element_type broadcast_in_dim
    reshape squeeze
    """.split()
)


def is_cheap(jaxpr: Jaxpr) -> bool:
    """Whether a jaxpr hands values on, and computes but a few whole numbers: those have no slope, which might be nan."""
    return _count(jaxpr) <= _MOST_EQUATIONS and all(math.prod(x.aval.shape) <= _MOST_ELEMENTS for x in jaxpr.outvars)


def _count(jaxpr: Jaxpr) -> float:
    """The equations of a jaxpr; infinity where one isn't cheap."""
    return sum(map(_of_equation, jaxpr.eqns))


def _of_equation(equation: Any) -> float:
    inner = equation.params.get("jaxpr")
    if inner is not None and equation.primitive.name in ("jit", "pjit"):
        return _count(inner.jaxpr)
    is_small = all(_is_whole(x.aval.dtype) and math.prod(x.aval.shape) <= _MOST_ELEMENTS for x in equation.outvars)
    return 1 if is_small and equation.primitive.name in _CHEAP else math.inf


def _is_whole(dtype: Any) -> bool:
    """Whether it is of ints or bools; that of keys of random numbers isn't."""
    return any(jax.dtypes.issubdtype(dtype, kind) for kind in (np.integer, np.bool_))
