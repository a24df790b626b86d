"""A computation with the numbers of 64 bits in 32: for callers without `jax_enable_x64`.

A jaxpr that was traced in 64 bits is computed again, each equation with operands and parameters of 32.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import zero_from_primal
from jax.extend.core import ClosedJaxpr, Jaxpr, Literal

from ..errors import ConversionError

_HALF = {np.dtype(f"{kind}{2 * bits}"): np.dtype(f"{kind}{bits}") for kind, bits in (("int", 32), ("uint", 32), ("float", 32))}
_HALF[np.dtype("complex128")] = np.dtype("complex64")


def half(dtype: Any) -> Any:
    """The dtype of 32 bits in the place of one of 64; another one as it is."""
    return _HALF.get(dtype, dtype)


def fitted(x: Any, what: str) -> Any:
    """An array in 32 bits. ConversionError: it is known, and has an int that 32 bits don't hold."""
    target = half(x.dtype)
    if target == x.dtype:
        return x
    if isinstance(x, jax.core.Tracer):
        return x.astype(target)
    with np.errstate(over="ignore"):
        found = np.asarray(x).astype(target)
    is_lost = found != np.asarray(x)
    if target.kind in "iu" and np.any(is_lost):
        raise ConversionError(f"{what} has {np.asarray(x)[is_lost].flat[0]}, which 32 bits don't hold (x32=True)")
    return found


def _constant(x: Any) -> Any:
    """A constant of the computation. The ends of int64 are those of int32."""
    array = np.asarray(x) if isinstance(x, np.ndarray | np.generic | int | float | jax.Array) and not _is_traced(x) else x
    if isinstance(array, np.ndarray) and array.dtype in (np.int64, np.uint64):
        ends, narrow = np.iinfo(array.dtype), np.iinfo(half(array.dtype))
        array = np.where(array == ends.max, narrow.max, np.where(array == ends.min, narrow.min, array))
    return fitted(array, "the model")


def _is_traced(x: Any) -> bool:
    return isinstance(x, jax.core.Tracer) or jax.dtypes.issubdtype(getattr(x, "dtype", np.dtype(bool)), jax.dtypes.prng_key)


def computed(jaxpr: ClosedJaxpr, *arguments: Any) -> list[Any]:
    """What a computation gives of arguments in 32 bits, with `jax_enable_x64` off.

    ConversionError: a constant doesn't fit.
    """
    return _run(jaxpr.jaxpr, [_constant(x) for x in jaxpr.consts], arguments)


def _run(jaxpr: Jaxpr, constants: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
    found: dict[Any, Any] = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*constants, *arguments]))

    def read(x: Any) -> Any:
        return _typed(_constant(x.val), half(x.aval.dtype)) if isinstance(x, Literal) else found[x]

    for equation in jaxpr.eqns:
        given = [read(x) for x in equation.invars]
        is_wide = any(half(x.aval.dtype) != x.aval.dtype for x in (*equation.invars, *equation.outvars))
        if equation.primitive.name == "custom_jvp_call" and is_wide:
            results = _with_rule(equation.params["call_jaxpr"], equation.params["jvp_jaxpr_fun"], given)
        else:
            bound = equation.primitive.get_bind_params({k: _narrow(x) for k, x in equation.params.items()})
            parts, parameters = bound if isinstance(bound, tuple) else ((), bound)  # the former in JAX 0.8
            results = equation.primitive.bind(*parts, *given, **parameters)
        found.update(zip(equation.outvars, results if equation.primitive.multiple_results else [results]))
    return [read(x) for x in jaxpr.outvars]


def _typed(x: Any, dtype: Any) -> Any:
    return jnp.asarray(x, dtype)


def _with_rule(jaxpr: ClosedJaxpr, slopes_of: Any, given: Sequence[Any]) -> list[Any]:
    """A function that has its own rule for gradients.

    slopes_of: gives the rule in 64 bits, told of each operand whether its slope is 0, and of each result whether its is.
    """

    @jax.custom_jvp
    def same(*given: Any) -> list[Any]:
        return computed(jaxpr, *given)

    @same.defjvp
    def rule(given: Any, slopes: Any) -> Any:
        without = [x.dtype == jax.dtypes.float0 for x in slopes]
        with jax.enable_x64(True):
            found, constants, are_zero = slopes_of.call_wrapped(*without)
        parts = iter(computed(ClosedJaxpr(found, constants), *given, *(x for x, no in zip(slopes, without) if not no)))
        results = [next(parts) for _ in are_zero]
        return results, [zero_from_primal(x) if no else next(parts) for x, no in zip(results, are_zero)]

    return same(*given)


def _narrow(parameter: Any) -> Any:
    """A parameter of an equation: dtypes and inner computations are in 32 bits."""
    if isinstance(parameter, ClosedJaxpr):
        return _again(parameter)
    if isinstance(parameter, Jaxpr):
        return _again(ClosedJaxpr(parameter, [])).jaxpr
    if isinstance(parameter, tuple):
        made: Callable[..., Any] = tuple if type(parameter) is tuple else type(parameter)._make  # type: ignore[attr-defined]
        return made([_narrow(x) for x in parameter]) if any(isinstance(x, ClosedJaxpr) for x in parameter) else parameter
    return half(parameter) if isinstance(parameter, np.dtype) else parameter


def _again(jaxpr: ClosedJaxpr) -> ClosedJaxpr:
    inputs = [x.update(dtype=half(x.dtype)) for x in jaxpr.in_avals]
    return jax.make_jaxpr(lambda *given: computed(jaxpr, *given))(*inputs)
