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


def without_gradient(x: Any, *operands: Any, why: str, loc: Loc | None) -> Any:
    """`x`; ConversionError, at the user's line, where it is differentiated, or by an operand."""

    @jax.custom_jvp
    def same(x: Any, *operands: Any) -> Any:
        return x

    @same.defjvp
    def refused(given: Any, slopes: Any) -> Any:
        raise ConversionError(f"no gradient goes through it in JAX: {why}", loc and loc.file, loc and loc.line)

    return same(x, *operands)
