"""Along which axes of a mesh arrays differ from device to device, inside `jax.shard_map`: JAX asks for one kind at each end."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax


def axes_of(*arrays: Any) -> frozenset[str]:
    """The axes along which one of these differs; none outside of `shard_map`. Types of arrays do as well."""
    return frozenset().union(*map(_axes, arrays))


def along(axes: frozenset[str], arrays: Any) -> Any:
    """A tree of arrays, each as one that differs along these axes, too."""

    def one(x: Any) -> Any:
        missing = axes - _axes(x)
        return lax.pcast(x, tuple(sorted(missing)), to="varying") if missing else x

    return jax.tree_util.tree_map(one, arrays) if axes else arrays


def together(arrays: Any) -> Any:
    """A tree of arrays, whose floats differ along all axes along which any array does.

    Made so where a branch needs it, a gradient would be summed up over devices of which some don't take the branch.
    """
    axes = axes_of(*jax.tree_util.tree_leaves(arrays))
    if not axes:
        return arrays
    return jax.tree_util.tree_map(lambda x: along(axes, x) if jnp.issubdtype(jnp.result_type(x), jnp.inexact) else x, arrays)


def _axes(x: Any) -> frozenset[str]:
    type_ = x if isinstance(x, jax.core.ShapedArray) else jax.typeof(x) if isinstance(x, jax.Array) else None
    found = getattr(type_, "vma", None)  # JAX 0.10 has it within another type
    return frozenset(getattr(getattr(type_, "manual_axis_type", None), "varying", ()) if found is None else found)
