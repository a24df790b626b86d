"""What lowerings of operators are given while JAX traces: `g.Relu(x)` computes at once.

The same lowerings write ONNX models. Shapes are known here, since JAX compiles for each set of them; so what ONNX computes of
lengths in nodes is computed by NumPy while the Program is traced, and only what depends on elements is left to XLA.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...dtypes import DTYPES
from ...graphs.lowering.faults import Failure
from ...graphs.lowering.lengths import Length
from ...graphs.lowering.refusal import InexpressibleError
from ...graphs.lowering.scope import Scope
from ...graphs.lowering.values import ELEMENTS, GraphType, GraphValue
from ...graphs.lowering.writer import Writer
from ...ops.lowered.drawn import drawn_in
from . import along_rows, control, draws, masks, rows, slices, slopes
from .codes import coded
from .fitting import own_places
from .items import Items
from .operators import NODES
from .operators.indexing import PLACES, is_inside, outside
from .says import Say
from .value import JaxValue

_SMALL = 4096  # elements: what is known and no larger is computed while the Program is traced
_BY_JAX = frozenset(
    "AveragePool Conv ConvTranspose Erf Gelu GlobalAveragePool MaxPool ReduceLogSumExp ScatterElements ScatterND".split()
)
_OF_DATA = (jax.errors.ConcretizationTypeError, jax.errors.TracerArrayConversionError, jax.errors.TracerIntegerConversionError)


class JaxWriter(Writer):
    """The `g` of a lowering in JAX.

    capacity: for how many rows there is room in a list whose length only the run knows. key: what random numbers follow from, if
    any are drawn. say: what is given each function that prints, if any do. x32: whether 64 bits become 32 (`narrow.py`).
    failure: what the operation that is being computed may raise.
    """

    knows_shapes = True
    finds_nan = True
    divides_down = True
    rounds_integers = False
    asks_before = True
    is_elementary = True  # formulas of ONNX's operators round on purpose, and XLA takes x + 1 - 1 for x

    def __init__(self, capacity: int, key: Any = None, say: Say | None = None, x32: bool = False):
        super().__init__(Scope())
        self.capacity, self._key, self.say, self._x32 = capacity, key, say, x32
        self.failure: Failure | None = None
        self._numbers, self._draws = count(), count()
        self.shape_of_value: dict[str, JaxValue] = {}  # name of a vector of lengths, one of them open -> what has them
        self._is_taken = self.const(True)

    def alone(self) -> JaxWriter:
        """A writer for another Program: it draws and prints nothing."""
        return JaxWriter(self.capacity, x32=self._x32)

    # --- values --------------------------------------------------------------------------------------------------------------

    def made(self, data: Any, is_number: bool = False, count: Any = None, is_text: bool = False, axis: int = 0) -> JaxValue:
        """A value of an array; with `count`, of which only so many rows are there, along that axis."""
        if isinstance(count, np.ndarray):
            data, count, axis = np.moveaxis(data[: int(count)], 0, axis), None, 0
        data = data if isinstance(data, jax.Array) else np.asarray(data)
        return JaxValue(f"v{next(self._numbers)}", data, is_number, count, is_text, axis)

    def listed(self, items: Sequence[JaxValue]) -> JaxValue:
        """A list of these items, at least one."""
        if all(x.count is None for x in items) and len({x.data.shape for x in items}) == 1:
            return self.Concat(*(self.Unsqueeze(x, [0]) for x in items), axis=0)
        return Items(f"v{next(self._numbers)}", items)

    def turn_of(self, number: Any, trips: int | None) -> JaxValue:
        """The number of a turn, int64[], of so many at most."""
        found = self.made(number)
        found.below = trips
        return found

    def const(self, value: Any, dtype: str | None = None, hint: str = "const") -> GraphValue:
        """As that of Primitives."""
        if dtype == "string" or isinstance(value, str):
            return self.made(np.asarray(value, object))
        try:
            return self.made(np.asarray(value, DTYPES[dtype].numpy if dtype else None))
        except (OverflowError, ValueError):
            raise InexpressibleError(f"{value} is no {dtype}") from None

    def filled(self, dtype: str, value: Any, shape: Any) -> GraphValue:
        """As that of Primitives."""
        if self.known(value) is None:
            return self.Expand(self.cast(self.value(value, dtype), dtype), self.ints(shape))
        kind = object if dtype == "string" else DTYPES[dtype].numpy
        dims = self.lengths_of(shape)
        m = np if dtype == "string" or math.prod(dims) <= _SMALL else jnp
        return self.made(m.full(dims, np.asarray(self.known(value)).astype(kind)))

    def refuse_open(self) -> NoReturn:
        """InexpressibleError: a length depends on elements."""
        self.refuse("a length depends on elements, and JAX's arrays have known lengths; pad to a known length, and mask")

    def unread(self, dtype: str, shape: Any) -> GraphValue:
        """As that of Primitives."""
        nothing = np.asarray("", object) if dtype == "string" else np.zeros((), DTYPES[dtype].numpy)
        lengths = self.ints(shape).array
        if lengths is None:
            self.refuse_open()
        found = self.made(np.broadcast_to(nothing, lengths))
        found.is_blank = True
        return found

    def rows_joined(self, a: Any, b: Any) -> GraphValue | None:
        """As a Builder's; items of different shapes are apart."""
        return rows.joined(self, a, b)

    def length(self, x: Any, axis: int) -> GraphValue:
        """As a Builder's."""
        return self.made(x.count) if x.shape[axis] is None else self.const(x.shape[axis])

    def dim(self, x: Any, axis: int) -> Any:
        """As that of Lengths: known, but for the number of rows of a list."""
        return super().dim(x, axis) if x.shape[axis] is None else x.shape[axis]

    # --- nodes ---------------------------------------------------------------------------------------------------------------

    def node(self, operator: str, *inputs: Any, outputs: int = 1, **attributes: Any) -> Any:
        """What an operator gives, or a tuple of several; known where its inputs are."""
        if attributes.get("to") == ELEMENTS["string"] or any(isinstance(x, JaxValue) and x.recipe is not None for x in inputs):
            self.refuse("JAX computes no texts; return what the text is made of and format it outside")
        if operator.startswith("Sequence") or operator == "ConcatFromSequence":
            return rows.of_sequence(self, operator, inputs, attributes)
        if operator not in NODES:
            raise InexpressibleError(f"ONNX's {operator}, by which it is expressed, has no form in JAX")
        given = self._of_one_dtype(operator, inputs)
        if operator == "Concat" and len(given) > 1:
            given = [x for x in given if not rows.is_bare(x)] or given[:1]
        attributes = {key: value for key, value in attributes.items() if value is not None}
        if any(x is not None and x.count is not None for x in given):
            return along_rows.node(self, operator, given, attributes)
        if operator == "NonZero" and given[0].array is None:
            return rows.places_of(self, given[0])
        if operator in ("Range", "Slice") and any(x.array is None for x in given[operator == "Slice" :] if x is not None):
            return rows.counted(self, *given) if operator == "Range" else rows.node(self, operator, given, attributes)
        return self.computed(operator, given, attributes, outputs)

    def computed(self, operator: str, given: Sequence[Any], attributes: dict[str, Any], outputs: int = 1) -> Any:
        """An operator of arrays that are there as a whole."""
        arrays = [None if x is None else x.data for x in given]
        has_text = any(x is not None and x.is_text for x in given)
        if has_text and not all(x is None or x.array is not None for x in given):
            arrays = [None if x is None else coded(x) for x in arrays]
        is_known = operator not in _BY_JAX and all(isinstance(x, np.ndarray) for x in arrays if x is not None)
        m = np if is_known and sum(x.size for x in arrays if x is not None) <= _SMALL else jnp
        if operator in PLACES and not is_inside(operator, given[0], given[1], attributes):
            self.places(outside(operator, m if m is np else jnp, arrays[0], arrays[1], attributes), operator)
        try:
            with np.errstate(all="ignore"):
                found = NODES[operator](m, *arrays, **attributes)
        except _OF_DATA:
            self.refuse_open()
        except (IndexError, TypeError, ValueError) as error:
            return self._misfit(operator, given, error)
        is_text = has_text and operator not in ("Equal", "Shape", "Size")
        return tuple(map(self.made, found)) if isinstance(found, tuple) else self.made(found, is_text=is_text)

    def put(self, x: Any, value: Any, index: Sequence[Any], reduction: str | None) -> GraphValue | None:
        """As that of Primitives."""
        is_asked = x.count is None and slices.is_told_by_run(self, index)
        return slices.put(self, x, value, index, reduction == "add") if is_asked else None

    def put_each(self, x: Any, value: Any, mask: Any) -> GraphValue | None:
        """As that of Primitives."""
        return None if x.count is not None or mask.count is not None else masks.put(self, x, value, mask)

    def places(self, is_outside: Any, operator: str) -> None:
        """Flag that a place isn't there."""
        if is_outside is not None:
            self.fails_unless(self.made(jnp.logical_not(is_outside)), operator, "index out of range")

    def fails_unless(self, holds: GraphValue, operator: str, why: str) -> None:
        """Flag what the operation raises, where it may raise."""
        exception = self.failure.exception(operator) if self.failure is not None else None
        if exception is not None:
            self.check(holds, exception, f"{self.label}: {why}")

    def checked(self, x: GraphValue, holds: GraphValue | bool) -> GraphValue:
        """`x`; flags the failure of the operation where `holds` is false."""
        if self.known(holds) is not True:
            self.fails_unless(self.value(holds), "", "not for these values")
        return x

    def of_lengths(self, x: Any, dims: Sequence[Any]) -> GraphValue:
        """As that of Lengths; lengths that only the run knows are compared."""
        if self.has_lengths(x, dims) or x.count is None and self.ints(dims).array is not None:
            return super().of_lengths(x, dims)
        return self.checked(x, self.agree(self.shape_of(x), self.ints(dims)))

    def reshaped(self, x: Any, dims: Sequence[Any]) -> GraphValue:
        """As that of Lengths."""
        lengths = [-1 if isinstance(d, Length) else d for d in dims]
        if x.count is None or lengths.count(-1) != 1:
            return super().reshaped(x, dims)
        found = rows.reshaped(self, x, lengths)
        asked: Any = dims[lengths.index(-1)]
        if isinstance(asked, Length):  # one that doesn't fit raises, where the operation takes any
            self.fails_unless(self.made(found.count == asked.value.data[0]), "Reshape", "shapes don't fit")  # type: ignore[attr-defined]
        return found

    def _misfit(self, operator: str, given: Sequence[Any], error: Exception) -> Any:
        """Shapes that don't fit raise as the Program runs. Its result is never read then."""
        if self.failure is None or "ShapeError" not in self.failure.exceptions:
            raise InexpressibleError(
                f"{operator} of {', '.join(str(x.type) for x in given if x is not None)}: {error}"
            ) from error
        self.check(self.const(False), "ShapeError", f"{self.label}: {error}")
        raise MisfitError(str(error)) from error

    def _of_one_dtype(self, operator: str, inputs: Sequence[Any]) -> list[Any]:
        own = own_places(operator)
        alike = [x for k, x in enumerate(inputs) if k not in own and x is not None]
        tensors = [x for x in alike if isinstance(x, GraphValue) and not x.is_number]
        dtype = tensors[0].dtype if tensors else self.number_dtype(alike[0]) if alike else None
        given: list[Any] = []
        for k, x in enumerate(inputs):
            if x is None:
                given.append(None)
            elif k in own:
                given.append(self.value(x).as_tensor())
            else:
                given.append(self.cast(self.value(x, dtype), dtype))
        return given

    # --- random numbers, gradients -------------------------------------------------------------------------------------------

    def draw(self, operator: str, shape: Any, dtype: str) -> GraphValue:
        """As that of Primitives."""
        drawn = {"RandomUniform": draws.uniform, "RandomNormal": draws.normal}[operator]
        kind = drawn_in(dtype)
        return self.made(drawn(self._next_key(), self.lengths_of(shape), "float32" if self._x32 else kind).astype(kind))

    def integers(self, shape: Any, first: GraphValue, end: GraphValue) -> GraphValue:
        """As a Builder's, however far apart the bounds are."""
        low, high = (jnp.asarray(x.data) for x in (first, end))  # type: ignore[attr-defined]
        if self._x32:
            if any(x.item is not None and not -(2**31) <= x.item < 2**31 for x in (first, end)):
                self.refuse("a bound of integers is beyond 32 bits (x32=True)")
            bounds = (x.astype("int32") for x in (low, high))
            found = jax.random.randint(self._next_key(), self.lengths_of(shape), *bounds, "int32")
            return self.made(found.astype("int64"))
        return self.made(draws.integers(self._next_key(), self.lengths_of(shape), low, high))

    @property
    def is_narrow(self) -> bool:
        """Whether what is traced in 64 bits is computed in 32."""
        return self._x32

    @property
    def is_silent(self) -> bool:
        """Whether nothing is drawn or printed, so that what is computed may be computed again."""
        return self.say is None and self._key is None

    def _next_key(self) -> Any:
        """A key that no other draw has."""
        return jax.random.fold_in(self._key, next(self._draws))

    @contextmanager
    def in_turn(self, number: Any, is_fine: Any) -> Iterator[None]:
        """What is computed within is in the turn of a loop, number int64[]: each turn has keys of its own.

        is_fine: whether no check had failed before, bool[]; None where nothing is printed.
        """
        outer = self._key
        if self._key is not None:
            self._key = jax.random.fold_in(self._next_key(), number.astype("uint32"))
        try:
            with self.only_where(self.made(True if is_fine is None else is_fine)):
                yield
        finally:
            self._key = outer

    @contextmanager
    def only_where(self, condition: GraphValue) -> Iterator[None]:
        """What is computed within counts only where `condition`, bool[], holds."""
        outer, self._is_taken = self._is_taken, condition
        try:
            yield
        finally:
            self._is_taken = outer

    def counts(self, condition: Any = None) -> JaxValue:
        """Whether what is computed here counts, bool[]: the path is taken, no check has failed before, and `condition` holds.

        Where nothing is printed, nobody asks.
        """
        if self.say is None:
            return self.made(True)
        found: Any = self.goes_on(self._is_taken)
        return found if condition is None else self.And(found, condition)

    def lengths_of(self, shape: Any) -> tuple[int, ...]:
        """Lengths that are known."""
        lengths = self.ints(shape)
        if lengths.array is None:
            self.refuse_open()
        return tuple(lengths.array.tolist())

    def detached(self, x: GraphValue) -> GraphValue:
        """As that of Primitives: gradients end here."""
        carries = x.array is None and jnp.issubdtype(x.data.dtype, np.inexact)  # type: ignore[attr-defined]
        return x.of(lax.stop_gradient(x.data)) if carries else x  # type: ignore[attr-defined]

    def with_slope(self, value: Any, x: Any, slope: Any) -> GraphValue:
        """As that of Primitives."""
        return value if x.array is not None else value.of(slopes.with_slope(*(jnp.asarray(p.data) for p in (value, x, slope))))

    def without_gradient(self, x: Any, operands: Sequence[Any], why: str) -> GraphValue:
        """As that of Primitives: refuses where JAX differentiates it."""
        return x.of(slopes.without_gradient(*(jnp.asarray(part.data) for part in (x, *operands)), why=why, loc=self.loc))

    # --- graphs --------------------------------------------------------------------------------------------------------------

    def code(self) -> Any:
        """The code of the first check of the innermost graph that fails."""
        return self.fault().data  # type: ignore[attr-defined]

    def branch(self, condition: GraphValue, *arms: Callable[[], Sequence[GraphValue]]) -> list[GraphValue]:
        """As that of Primitives: `lax.cond`."""
        if condition.item is not None:
            return [*arms[0 if condition.item else 1]()]
        return control.branch(self, condition, arms)

    def loop(
        self,
        trips: GraphValue | None,
        condition: GraphValue | Callable[..., GraphValue] | None,
        carried: Sequence[GraphValue],
        types: Sequence[GraphType],
        turn: Callable[..., tuple[GraphValue, Sequence[GraphValue], Sequence[GraphValue]]],
        count: int | None = None,
    ) -> list[GraphValue]:
        """As that of Primitives: `lax.scan` where the number of turns is known, else `lax.while_loop`.

        condition: it may be a function of what is carried, too, which tells whether there is a turn; then `turn` doesn't.
        """
        return control.Loop(self, trips, condition, carried, turn, count).found()


class MisfitError(Exception):
    """Operands of an operator whose shapes don't fit: what follows on this path isn't computed."""
