"""Gradients that a Program says of its own, where JAX differentiates it."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from ...errors import ConversionError
from ...ir.core import Loc


@jax.custom_jvp
def with_slope(value: Any, x: Any, slope: Any) -> Any:
    """`value`; by x its slope is `slope`, besides what goes through the value."""
    return value


@with_slope.defjvp
def _slope_said(given: Any, slopes: Any) -> Any:
    (value, _, slope), (through, of_x, _) = given, slopes
    return value, through + jnp.broadcast_to(slope * of_x, value.shape)


@jax.custom_jvp
def put(x: Any, places: tuple, updates: Any) -> Any:
    """`x` with elements put at places. As in eager code each has a slope, also one that a later one at its place replaces.

    JAX's own rule finds out which one has stayed.
    """
    return jnp.asarray(x).at[places].set(updates, mode="drop")


@put.defjvp
def _slope_of_put(given: Any, slopes: Any) -> Any:
    (_, places, _), (of_x, _, of_updates) = given, slopes
    with jax.enable_x64(True):  # a caller's `jit` may have 32 bits alone
        is_replaced = jnp.zeros(of_x.shape, "bool").at[places].set(True, mode="drop")
        kept = jnp.where(is_replaced, jnp.zeros_like(of_x), of_x)
        return put(*given), kept.at[places].add(of_updates, mode="drop")


def without_gradient(x: Any, *operands: Any, why: str, loc: Loc | None) -> Any:
    """`x`; ConversionError, at the user's line, where it is differentiated, or by an operand."""

    @jax.custom_jvp
    def same(x: Any, *operands: Any) -> Any:
        return x

    @same.defjvp
    def refused(given: Any, slopes: Any) -> Any:
        raise ConversionError(f"no gradient goes through it in JAX: {why}", loc and loc.file, loc and loc.line)

    return same(x, *operands)
