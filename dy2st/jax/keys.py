"""The keys that random numbers follow from: JAX has no generator, so a key goes in, and the next one comes out."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from ..ops.random import GENERATOR

_KIND = "threefry2x32"


def fresh() -> np.ndarray:
    """A key that follows from the generator of `dy2st.seed`, uint32[2]."""
    return GENERATOR.rng.integers(2**32, size=2, dtype=np.uint32)


def as_key(key: Any) -> Any:
    """A key as JAX's functions take it: of its two numbers, or itself. TypeError: what is no key."""
    if jax.dtypes.issubdtype(getattr(key, "dtype", None), jax.dtypes.prng_key):
        return key
    if np.shape(key) != (2,) or np.dtype(key.dtype) != np.uint32:
        raise TypeError(f"a key is uint32[2], or what jax.random.key gives, not {key!r}")
    return jax.random.wrap_key_data(key, impl=_KIND)


def parted(key: Any) -> tuple[Any, Any]:
    """The key of a call, and the one for the next call in the form of `key`."""
    used, after = jax.random.split(as_key(key))
    return used, after if jax.dtypes.issubdtype(key.dtype, jax.dtypes.prng_key) else jax.random.key_data(after)
