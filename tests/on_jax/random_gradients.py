"""Gradients of random functions by their floats: `jax.grad` of the pure function against eager code's `backward()`."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from property.compare import TooLong, limited
from property.modules import CALLS, STATE, forget, module_of, specs

import dy2st.jax
from dy2st import Tensor, to_tensor
from dy2st.errors import Dy2stError
from dy2st.runtime.tensors.tape import OverwrittenError

NO_SLOPE = (bool, int, float, str, type(None))  # gradients end at numbers


class NotCompared(Exception):
    """What comes out has no counterpart by its place: it is of one of several kinds, a row of tuples, or a dict."""


def compare(text: str) -> str:
    """"differs ...", "agrees" where some gradient isn't zero, else why nothing was compared."""
    if any(name in text[text.index("def f(") :] for name in STATE):
        return "state outlives a call"
    static, plain = module_of(text), module_of(text)
    try:
        with limited(30), jax.enable_x64(True):
            function = _function(static.f)
            told = [_of_call(function, plain.f, call) for call in CALLS[:6]]
    except (Dy2stError, NotCompared, TooLong) as reason:
        return f"not compared: {reason}"
    finally:
        forget(static)
        forget(plain)
    return next((x for x in told if x.startswith("differs")), "agrees" if "agrees" in told else "no slope")


def _function(f: Any) -> tuple | None:
    """The pure function and its parameters; None where each path raises, as staging may say."""
    try:
        return dy2st.jax.function(lambda x0, n, b: f(x0 * 1.0, n, b), specs())
    except Dy2stError:
        raise
    except Exception:
        return None


def _of_call(function: tuple | None, plain: Any, call: tuple) -> str:
    vector, n, b = call
    x = to_tensor(np.array(vector, "float32"), stop_gradient=False)
    try:
        expected = plain(x * 1.0, to_tensor(np.array(n, "int64")), to_tensor(np.array(b)))
    except Exception:
        return "raises"
    if function is None:
        return f"differs for {call}: staging raises"
    f, params = function
    floats = [part.sum().astype("float64") for part in _with_slopes(expected)]
    if floats:
        try:
            sum(floats).backward()  # type: ignore[union-attr]
        except OverwrittenError as error:
            raise NotCompared(str(error)) from None

    def loss(x: Any) -> Any:
        return jnp.asarray(_summed(expected, f(params, x, np.int64(n), np.bool_(b))[0]), "float64")

    given = jax.jit(jax.grad(loss))(np.array(vector, "float32"))
    wanted = np.zeros(len(vector)) if x.grad is None else x.grad.numpy()
    if not np.allclose(given, wanted, rtol=1e-3, atol=1e-4, equal_nan=True):
        return f"differs for {call}: eager {wanted}, JAX {given}"
    return "agrees" if np.any(wanted) else "no slope"


def _with_slopes(result: Any) -> list[Tensor]:
    """The tensors of a result that carry gradients."""
    if isinstance(result, tuple | list):
        return [x for part in result for x in _with_slopes(part)]
    if not isinstance(result, (Tensor, *NO_SLOPE)):
        raise NotCompared(type(result).__name__)
    return [result] if isinstance(result, Tensor) and not result.stop_gradient else []


def _summed(expected: Any, found: Any) -> Any:
    """The sum of the floats that JAX gives where a result has tensors. NotCompared: it isn't told where they are."""
    if isinstance(expected, NO_SLOPE):
        return 0.0
    if isinstance(expected, Tensor) and isinstance(found, jax.Array | np.ndarray):
        return found.sum().astype("float64") if jnp.issubdtype(found.dtype, jnp.inexact) else 0.0
    if isinstance(expected, list) and isinstance(found, tuple) and getattr(found[0], "ndim", 0):
        rows, count = found
        is_there = (jnp.arange(rows.shape[0]) < count).reshape([-1] + [1] * (rows.ndim - 1))
        are_tensors = all(isinstance(x, Tensor) for x in expected)
        return _summed(to_tensor(0.0), jnp.where(is_there, rows, 0)) if are_tensors else 0.0
    kind = list if isinstance(expected, list) else tuple
    is_alike = isinstance(expected, kind) and isinstance(found, kind) and len(expected) == len(found)
    if not is_alike or kind is tuple and all(isinstance(part, tuple) for part in found[1:]):
        raise NotCompared(f"a {type(expected).__name__}")
    return sum((_summed(*pair) for pair in zip(expected, found)), 0.0)
