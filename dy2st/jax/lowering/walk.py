"""The walk over a Program that computes it in JAX."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ...errors import ShapeError
from ...graphs.lowering import coercion
from ...graphs.lowering.faults import failure_of
from ...graphs.lowering.leaves import is_complex
from ...graphs.lowering.packed import Packed
from ...graphs.lowering.values import GraphValue
from ...graphs.lowering.walk import Walk
from ...ir.core import Operation, Program, Value, refs_unknown
from ...ir.types import FLOAT, NUMBER, TensorType, Type
from ...ops.registry import OPERATORS, infer_types
from . import control, rows, texts
from .cheap import is_cheap
from .forms import laid_out
from .gradients import NEUTRAL, Rule, has_rule, made_of, mixes_rows, share_factors, with_slopes
from .says import said, says
from .writer import JaxWriter, MisfitError


class JaxWalk(Walk):
    """Computes the operations of a Program.

    parameters: their arrays by name. fits: whether the shapes are known to fit all operators; otherwise each is asked.
    """

    target = "JAX"

    def __init__(self, g: JaxWriter, program: Program, parameters: Mapping[str, Any], fits: bool = True):
        super().__init__(g, program)
        self._fits = fits
        self._writer, self._ends_gradients, self._fills_rows = g, False, False
        self._with_slopes = with_slopes(program)
        kept = program.parameters  # passes may have left some out
        self.parameters = {name: self._parameter(kept[name].type, array) for name, array in parameters.items() if name in kept}

    def _parameter(self, type_: Type, array: Any) -> Any:
        """A parameter as operations read it; one of complex numbers has two leaves."""
        if not is_complex(type_):
            return self.g.made(array)  # type: ignore[attr-defined]
        return Packed(self.g, type_, [*map(self._writer.made, (array.real, array.imag))])

    def operation(self, op: Operation) -> None:
        """As a Walk's; `g` knows what the operation may raise."""
        outer, self._writer.failure = self._writer.failure, failure_of(op)
        is_asked = any(value in self._with_slopes for value in op.results)
        self._fills_rows = is_asked and op.name in OPERATORS and "." not in op.name
        self._ends_gradients = is_asked and (has_rule(op) or ends_gradients(op))
        try:
            super().operation(op)
        except MisfitError:
            self.found.update((value, coercion.blanks(self.g, value.type)) for value in op.results)
        self._writer.failure, self._ends_gradients = outer, False
        if is_asked and has_rule(op):
            self._take_rule(op)
        self._fills_rows = False
        if op.name == "gradient_hook":
            why = "a hook on gradients is Python code, which a graph doesn't hold"
            self.found[op.operands[0]] = [self.g.without_gradient(x, [], why) for x in self.found[op.operands[0]]]

    def _take_rule(self, op: Operation) -> None:
        """Let gradients flow by the rule of an operation from its results to its operands."""
        operands: list[list[Any]] = [self.packed(value).leaves for value in op.operands]
        results: list[list[Any]] = [self.found[value] for value in op.results]
        if mixes_rows(op, operands, results):
            why = "the number of items depends on elements, and here they have no gradient; pad to a known length, and mask"
            asked = [x for leaves in operands for x in leaves if x.array is None]
            for value, leaves in zip(op.results, results):
                self.found[value] = [self.g.without_gradient(x, asked, why) for x in leaves]
        elif not any(x.is_text for leaves in (*operands, *results) for x in leaves):
            whole = [[self._whole(x, NEUTRAL.get(op.name, 1)) for x in leaves] for leaves in operands]
            arrays = [[laid_out(x) for x in leaves] for leaves in results]
            found = Rule(op, whole, arrays, share_factors(op, operands, results), self._computed).attached()
            for value, leaves, arrays in zip(op.results, results, found):
                self.found[value] = [rows.in_place_of(x, array) for x, array in zip(leaves, arrays)]

    def _whole(self, x: Any, other: float) -> Any:
        """A value with its room, and another number in the rows that aren't there."""
        return x if x.count is None else self._writer.made(rows.only_there(laid_out(x), x.count, x.axis, other))

    def _computed(self, program: Program, arguments: Sequence[Sequence[Any]]) -> list[Any]:
        """The arrays of what a rule gives for those of its arguments, of which the slopes are the last."""
        walk = JaxWalk(self._writer.alone(), program, {})
        block = program.entry.block
        walk._with_slopes -= made_of(block.args[-1], block)  # a rule is linear in slopes, and that JAX differentiates by itself
        given: list[list[Any]] = [
            [walk.g.made(x, not isinstance(value.type, TensorType)) for x in xs]  # type: ignore[attr-defined]
            for value, xs in zip(block.args, arguments)
        ]
        with jax.numpy_dtype_promotion("strict"):
            (returned,) = walk.block(block, given)
            return [jnp.asarray(x.data) for x in returned.leaves]  # type: ignore[attr-defined]

    def _operator(self, op: Operation) -> list[Any]:
        if not self._fits and "." not in op.name:
            self._ask(op)
        if says(op):
            said(self._writer, op, [self.packed(x) for x in op.operands])
            return []
        text = texts.made(self._writer, op, [self.packed(x) for x in op.operands]) if texts.makes_text(op) else None
        return super()._operator(op) if text is None else [text]

    def _ask(self, op: Operation) -> None:
        """MisfitError: the shapes don't fit the operator, which then raises what it says of them."""
        types = [self._known_type(value) for value in op.operands[: op.n_positional]]
        try:
            infer_types(OPERATORS[op.name], types, refs_unknown(op.attrs))
        except ShapeError as error:
            self.g.check(self.g.const(False), "ShapeError", str(error))
            raise MisfitError(str(error)) from None

    def _known_type(self, value: Value) -> Type:
        """The type of a Value with the shape that its array has."""
        leaves: Any = self.found.get(value, [])
        is_known = isinstance(value.type, TensorType) and len(leaves) == 1
        return TensorType(value.type.dtype, leaves[0].shape) if is_known else value.type  # type: ignore[attr-defined]

    def branch(self, op: Operation, condition: GraphValue, *arms: Callable[[], Sequence[GraphValue]]) -> list[GraphValue]:
        """As a Walk's: `lax.cond`, or both arms where they take less."""
        return control.selected(self._writer, condition, arms) if is_cheap(op) else super().branch(op, condition, *arms)

    def packed(self, value: Value) -> Packed:
        """As a Walk's."""
        found = super().packed(value)
        leaves: list[Any] = [*map(rows.filled, found.leaves)] if self._fills_rows else found.leaves  # type: ignore[arg-type]
        return Packed(self.g, found.type, [*map(self.g.detached, leaves)] if self._ends_gradients else leaves)


def ends_gradients(op: Operation) -> bool:
    """Whether no gradient flows through an operation: it draws, has none, or gives a number."""
    definition = OPERATORS.get(op.name)
    if definition is None:
        return False
    is_of_tensors = "." not in op.name
    return definition.random or is_of_tensors and definition.grad is None or any(x.type in (FLOAT, NUMBER) for x in op.results)
