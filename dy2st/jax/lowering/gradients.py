"""The gradient of an operation in JAX is that of its rule in the registry, which eager code takes.

JAX could differentiate what a lowering computes. But then ties, borders and zeros get other gradients, and nan comes from a path
that isn't taken. So the gradient of a result is that which the rule writes, as a Program of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import zero_from_primal

from ...errors import ConversionError
from ...ir.core import Block, Function, Operation, Program, Value
from ...ir.types import BOOL, FLOAT, INT, NONE, STR, TensorType, TupleType, Type
from ...passes.backward import NotDifferentiableError, gradient
from . import varying
from .forms import laid_out
from .value import JaxValue

OWN = frozenset(
    """
    abs acos acosh amax amin asin asinh atan atan2 atanh cholesky clip cummax cummin detach_scatter eigvalsh elu erfinv expm1
    fmax fmin hardswish hypot l1_norm l2_norm leaky_relu lgamma logaddexp log10 log1p log2 max max_unshared maximum min
    min_unshared minimum polygamma pow product_of_others put_along_axis relu relu6 remainder sinh softplus svdvals
    """.split()
)
"""Operators whose lowering JAX would differentiate in another way, somewhere: tests hold all others against their rules."""
_ALONG_AN_AXIS = frozenset("cummax cummin detach_scatter product_of_others put_along_axis".split())
_SHARING = frozenset("max min amax amin".split())
NEUTRAL = {
    **dict.fromkeys(("max", "amax", "max_unshared"), -np.inf),
    **dict.fromkeys(("min", "amin", "min_unshared"), np.inf),
    **dict.fromkeys(("l1_norm", "l2_norm"), 0.0),
}
"""Padding value that contributes nothing to the reduction."""
Compute = Callable[[Program, Sequence[Sequence[Any]]], list[Any]]


def has_rule(op: Operation) -> bool:
    """Whether the gradient of an operation is that of a rule that JAX wouldn't follow by itself."""
    return op.name in OWN and any(is_float(value.type) for value in op.operands) and any(is_float(x.type) for x in op.results)


def mixes_rows(op: Operation, operands: Sequence[Sequence[JaxValue]], results: Sequence[Sequence[JaxValue]]) -> bool:
    """Whether a rule doesn't tell the gradient of rows whose number only the run knows, from arrays with room for more."""
    leaves = [x for part in operands for x in part]
    rooms = {x.data.shape[0] for x in leaves if x.count is not None}
    if not rooms or op.name in NEUTRAL:
        return False
    try:
        np.broadcast_shapes(*(laid_out(x).shape for x in leaves))
    except ValueError:
        return True
    return len(rooms) > 1 or op.name in _ALONG_AN_AXIS or any(x.count is None for part in results for x in part)


def share_factors(op: Operation, operands: Sequence[Sequence[JaxValue]], results: Sequence[Sequence[JaxValue]]) -> list[Any]:
    """Factors of the gradients of results, None for 1.

    Where the maximum is -inf, padding ties with it: each share of its gradient is too small by the part that isn't padding.
    """
    if op.name not in _SHARING:
        return [None for _ in results]
    (x,), (result,) = operands[0], results[0]
    if x.count is None or result.count is not None:  # no padding is reduced
        return [None]
    growth = jnp.asarray(x.data.shape[0] / jnp.maximum(x.count, 1), result.data.dtype)
    return [jnp.where(result.data == NEUTRAL[op.name], growth, jnp.ones_like(growth))]


def is_float(type_: Type) -> bool:
    """Whether gradients flow through a value of the type: it is a tensor of floats."""
    return isinstance(type_, TensorType) and type_.dtype.startswith(("float", "bfloat"))


def with_slopes(program: Program) -> set[Value]:
    """The Values by which what a Program gives may have a slope; not those that only tell a bool, an int or a place."""
    found: set[Value] = set()
    for function in program.functions.values():
        _follow(function.block, found)
    return found


def made_of(value: Value, block: Block) -> set[Value]:
    """The Values of a Block without inner ones that a Value has a part in."""
    found = {value}
    for op in block.ops:
        if any(x in found for x in op.operands):
            found.update(op.results)
    return found


def _follow(block: Block, found: set[Value]) -> None:
    for op in reversed(block.ops):
        if op.blocks or not op.results or any(x in found for x in op.results):
            found.update(x for x in op.operands if not _is_whole(x.type))
        for inner in op.blocks:
            _follow(inner, found)


def _is_whole(type_: Type) -> bool:
    """Whether nothing in a value has a slope."""
    if isinstance(type_, TensorType):
        return type_.dtype.startswith(("int", "uint", "bool"))
    return type_ in (BOOL, INT, STR, NONE)


class Rule:
    """The rule of one operation.

    operands: their leaves, which are whole. results: the arrays of the results. factors: of the gradients of results, as
    `share_factors` has them. compute: gives the arrays of what a Program returns for those of its arguments.
    """

    def __init__(
        self,
        op: Operation,
        operands: Sequence[Sequence[JaxValue]],
        results: Sequence[Sequence[Any]],
        factors: Sequence[Any],
        compute: Compute,
    ):
        self.op, self.results, self.factors, self.compute = op, results, factors, compute
        known = [leaves[0].item if _is_scalar(value.type) else None for value, leaves in zip(op.operands, operands)]
        self.free = [k for k, number in enumerate(known) if number is None]
        self.constants = {k: number for k, number in enumerate(known) if number is not None}
        self.arrays = [[x.data for x in operands[k]] for k in self.free]
        self.asked = [k for k, place in enumerate(self.free) if is_float(op.operands[place].type)]

    def program(self) -> Program:
        """From the operands that aren't constants, and the gradient of the result, to the gradients of the floats among them.

        ConversionError: the rule has no form as a Program.
        """
        op = self.op
        block = Block(_shaped(op.operands[k].type, arrays) for k, arrays in zip(self.free, self.arrays))
        values = dict(zip(self.free, block.args))
        for k, number in self.constants.items():
            values[k] = _added(block, Operation("const", (), {"value": number}, [op.operands[k].type])).result
        types = [_shaped(value.type, arrays) for value, arrays in zip(op.results, self.results)]
        operands = [values[k] for k in range(len(op.operands))]
        made = _added(block, Operation(op.name, operands, dict(op.attrs), types, (), op.loc, op.path, op.n_positional))
        if len(types) > 1:
            made = _added(block, Operation("tuple.new", made.results, None, [TupleType(tuple(types))]))
        _added(block, Operation("return", [made.result]))
        try:
            return gradient(Program({"main": Function("main", block)}), self.asked)
        except NotDifferentiableError as error:
            raise ConversionError(str(error), op.loc and op.loc.file, op.loc and op.loc.line) from None

    def attached(self) -> list[list[Any]]:
        """The results, with slopes by the operands. JAX may differentiate them again, backward and forward.

        A rule gives the slopes of operands from those of results, and is linear in these. So forward it is its transpose, which
        JAX transposes again where it goes backward.
        """

        @jax.custom_jvp
        def results(results: Any, arrays: Any, factors: Any) -> Any:
            return results

        @results.defjvp
        def forward(given: Any, slopes: Any) -> Any:
            found, arrays, factors = given
            program = self.program()  # of what is differentiated alone
            axes = varying.axes_of(*jax.tree_util.tree_leaves(given))
            with jax.enable_x64(True):
                weights = varying.along(axes, self._weights())
                _, transposed = jax.vjp(lambda weights: self._backward(program, arrays, _grown(weights, factors)), weights)
                (weights,) = transposed([slopes[1][k][0] for k in self.asked])
            of_results = [[_slope(x, w) for x, w in zip(xs, parts)] for xs, parts in zip(found, weights)]
            return results(found, arrays, factors), of_results

        return results([[jnp.asarray(x) for x in xs] for xs in self.results], self.arrays, self.factors)

    def _weights(self) -> list[list[Any]]:
        return [[jnp.zeros(x.shape, x.dtype if _is_of_floats(x) else "float32") for x in xs] for xs in self.results]

    def _backward(self, program: Program, arrays: Sequence[Sequence[Any]], weights: Sequence[Sequence[Any]]) -> list[Any]:
        """The slopes of the operands that are asked about."""
        pairs = ((x, w) for xs, ws in zip(self.results, weights) for x, w in zip(xs, ws))
        return self.compute(program, [*arrays, [w if _is_of_floats(x) else jnp.zeros(x.shape, x.dtype) for x, w in pairs]])


def _grown(weights: Sequence[Sequence[Any]], factors: Sequence[Any]) -> list[list[Any]]:
    return [[*xs] if factor is None else [x * factor for x in xs] for xs, factor in zip(weights, factors)]


def _is_scalar(type_: Type) -> bool:
    return type_ in (BOOL, INT, FLOAT, STR)


def _shaped(type_: Type, arrays: Sequence[Any]) -> Type:
    return TensorType(type_.dtype, tuple(arrays[0].shape)) if isinstance(type_, TensorType) and len(arrays) == 1 else type_


def _added(block: Block, op: Operation) -> Operation:
    block.append(op)
    return op


def _is_of_floats(x: Any) -> bool:
    return jnp.issubdtype(x.dtype, np.floating)


def _slope(x: Any, weight: Any) -> Any:
    """A slope as JAX takes it: integers have none."""
    return weight if _is_of_floats(x) else zero_from_primal(x)
