"""x[mask] = values, one for each place that the mask picks: each element of x is asked which value it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax.numpy as jnp

from .forms import laid_out
from .operators.indexing import taken
from .value import JaxValue

if TYPE_CHECKING:
    from .writer import JaxWriter


def put(g: JaxWriter, x: JaxValue, value: JaxValue, mask: JaxValue) -> JaxValue | None:
    """`x` with the rows of a value where a mask along its first axes holds; None: other axes of the value are open.

    A check fails where there are neither as many rows as places nor one.
    """
    rest = x.data.shape[mask.data.ndim :]
    part = jnp.asarray(laid_out(value))
    extra = part.ndim - 1 - len(rest)
    if value.count is not None and value.axis != extra or any(n != 1 for n in part.shape[:extra]):
        return None
    part = part.reshape(part.shape[extra:])
    is_taken = jnp.asarray(mask.data).reshape(-1)
    number = jnp.cumsum(is_taken, dtype="int64")
    have = jnp.asarray(part.shape[0] if value.count is None else value.count)
    total = number[-1] if is_taken.size else jnp.asarray(0, "int64")
    g.fails_unless(g.made((total == have) | (have == 1)), "Expand", "there are not as many values as places")
    if not part.size or not x.data.size:
        return x
    rows = taken(part, jnp.where(have == 1, 0, number - 1), 0)
    data = jnp.asarray(x.data).reshape(-1, *rest)
    return g.made(jnp.where(is_taken.reshape(-1, *[1] * len(rest)), rows, data).reshape(x.data.shape))
