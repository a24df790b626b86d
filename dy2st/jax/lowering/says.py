"""What a Program prints: the arrays go back to Python while XLA computes, and Python prints them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.custom_batching import custom_vmap

from ...graphs.lowering.packed import Packed
from ...ir.core import Operation
from ...ops.registry import OPERATORS
from .forms import Form, laid_out, natives

if TYPE_CHECKING:
    from .writer import JaxWriter

Say = Callable[[Callable[[], Any]], Any]


def now(prints: Callable[[], Any]) -> None:
    """Print at once."""
    prints()


def says(op: Operation) -> bool:
    """Whether an operation prints."""
    return op.name == "io.print"


def said(g: JaxWriter, op: Operation, operands: Sequence[Packed]) -> None:
    """Print the operands as the kernel does, unless a check has failed before, or another path is taken.

    `vmap` computes both arms of a branch, and turns of loops that have ended.
    """
    assert g.say is not None
    say, kernel = g.say, OPERATORS[op.name].kernel
    leaves: list[Any] = [leaf for x in operands for leaf in x.leaves]
    forms, types = [None if x.array is not None else Form.of(x) for x in leaves], [x.type for x in operands]
    known = [x.array for x in leaves]

    def told(is_fine: Any, arrays: Sequence[Any]) -> None:
        if is_fine:
            rest = iter(arrays)
            there = [x if form is None else np.array(form.array(*next(rest))) for x, form in zip(known, forms)]
            say(partial(kernel, *natives(types, there), **op.attrs))

    given = [(jnp.asarray(laid_out(x)), x.count) for x in leaves if x.array is None]
    _calling(told)(jnp.asarray(g.counts().data), lax.stop_gradient(given))


def _calling(told: Callable[..., None]) -> Callable[..., Any]:
    """Calls `told` while XLA computes; of a batch, for one after the other."""

    @custom_vmap
    def call(*given: Any) -> tuple:
        jax.debug.callback(told, *given, ordered=True)
        return ()

    @call.def_vmap
    def of_batch(count: int, are_batched: Any, *given: Any) -> tuple:
        flags = jax.tree_util.tree_leaves(are_batched)
        flat, form = jax.tree_util.tree_flatten(given)
        whole = [x if flag else jnp.broadcast_to(x, (count, *jnp.shape(x))) for x, flag in zip(flat, flags)]
        lax.map(lambda part: call(*part), jax.tree_util.tree_unflatten(form, whole))
        return (), ()

    return call
