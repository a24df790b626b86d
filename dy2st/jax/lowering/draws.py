"""Random numbers of keys. Those of 64 bits are made of words of 32, which JAX draws in any setting of `jax_enable_x64`."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax


def uniform(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Numbers spread evenly over [0, 1)."""
    if dtype == "float32":
        return jax.random.uniform(key, shape, dtype)
    return _words(key, shape, 53).astype(dtype) * 2.0**-53


def normal(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Normally distributed numbers."""
    if dtype == "float32":
        return jax.random.normal(key, shape, dtype)
    middles = _words(key, shape, 52).astype(dtype) * 2.0**-51 + (2.0**-52 - 1.0)  # between -1 and 1, and neither
    return lax.erf_inv(middles) * math.sqrt(2)


def integers(key: Any, shape: tuple[int, ...], first: Any, end: Any) -> Any:
    """Integers from `first` up to but not including `end`, int64: the share that 128 random bits say, of what lies between."""
    span = (end - first).astype("uint64")
    high, low = (_words(part, shape, 64) for part in jax.random.split(key))
    below, more = high * span, _high_half(low, span)
    carried = (below + more < below).astype("uint64")
    return first + (_high_half(high, span) + carried).astype("int64")


def _high_half(a: Any, b: Any) -> Any:
    """The upper 64 bits of a product, uint64."""
    half, mask = jnp.asarray(32, "uint64"), jnp.asarray(2**32 - 1, "uint64")
    outer = (a >> half) * (b & mask) + ((a & mask) * (b & mask) >> half)
    inner = (a & mask) * (b >> half) + (outer & mask)
    return (a >> half) * (b >> half) + (outer >> half) + (inner >> half)


def _words(key: Any, shape: tuple[int, ...], bits: int) -> Any:
    """Random bits, uint64."""
    high, low = jax.random.bits(key, (2, *shape), "uint32").astype("uint64")
    return ((high << jnp.asarray(32, "uint64")) | low) >> jnp.asarray(64 - bits, "uint64")
