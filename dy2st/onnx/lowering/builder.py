"""What a lowering writes nodes with: `g.Relu(x)` is a node, and what it gives.

    relu = define("relu", ..., onnx=lambda g, x: g.Relu(x))

Every operator of ONNX is a method of its name: inputs by position, attributes by keyword; None is an input that is left out. A
Python number or an array among the inputs is a constant, of the dtype of the tensors that it meets. Where onnxruntime has no
kernel for a dtype, the node computes in a wider one that gives the same elements (`dtypes.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ...dtypes import BY_NUMPY, DTYPES
from ...graphs.lowering.lengths import Length, Lengths
from ...graphs.lowering.refusal import InexpressibleError, NeedsOpsetError
from ...graphs.lowering.values import ELEMENTS, Array, OnnxType, OnnxValue
from ...ir.core import Loc
from ...ir.types import NONE
from ...ir.visible import visible
from ...ops.complex_numbers import NO_COMPLEX
from ...ops.lowered.drawn import drawn_in
from ...ops.rules import REAL_OF
from ...saving.locations import file_name
from ..packages import onnx
from . import protos
from .dtypes import computed_in
from .folding import folded
from .fusions import Fusions
from .scope import Constants, Names, Scope
from .splitting import Cut, Split

_AXES_AS_INPUTS = 18  # the opset from which on reductions take them so
_SPREAD = 10368889  # an odd number: seeds that follow each other are far apart, as first numbers are then
_SMALL = 64  # elements: of longer constants, inference of lengths is told the type alone


class Builder(Fusions, Lengths):
    """Writes the nodes of one model, in the innermost graph that is open.

    opset: the version of ONNX's operators. label: what the names of nodes begin with, the operator and the user's line.
    loc: that line.
    """

    def __init__(self, opset: int):
        self.opset = opset
        self.names = Names()
        self.constants = Constants(self.names)
        self.scopes = [Scope()]
        self.label = ""
        self.loc: Loc | None = None
        self._seeds = 0
        self.row_of: dict[str, tuple[OnnxValue, int]] = {}  # name of a tensor -> the tensor whose row it is, and which
        self._vectors: dict[str, OnnxValue] = {}  # name of a length, int64[] -> the same as int64[1]
        self._rectified: set[str] = set()  # names of what Relu gives
        self.casts: set[str] = set()

    @contextmanager
    def labelled(self, end: str) -> Iterator[None]:
        """Nodes are called so, with this behind it."""
        label, self.label = self.label, f"{self.label}{end}"
        try:
            yield
        finally:
            self.label = label

    # --- nodes -------------------------------------------------------------------------------------------------------------

    def __getattr__(self, operator: str) -> Callable[..., Any]:
        if not operator[:1].isupper():
            raise AttributeError(operator)
        return partial(self.node, operator)

    def node(self, operator: str, *inputs: Any, outputs: int = 1, **attributes: Any) -> Any:
        """Append a node; its output, or a tuple of several.

        InexpressibleError: onnxruntime has no kernel for the dtype, nor for a wider one. NeedsOpsetError: the operator is newer.
        """
        schema = _schema(operator, self.opset)
        given, narrow = self._fitted(schema, inputs)
        known = folded(operator, given, attributes) if self.opset >= _AXES_AS_INPUTS else None
        results = self._append(schema, given, outputs, attributes) if known is None else [self.const(known)]
        names = [output.type_str for output in _formals(schema.outputs, outputs)]
        found = [self.cast(x, narrow[name]) if name in narrow else x for x, name in zip(results, names)]
        return found[0] if outputs == 1 else tuple(found)

    def _fitted(self, schema: Any, inputs: Sequence[Any]) -> tuple[list[OnnxValue | None], dict[str, str]]:
        """The inputs in the dtypes that the node computes in, and the type parameters whose results are narrower."""
        formals = [formal.type_str for formal in _formals(schema.inputs, len(inputs))]
        wanted: dict[str, str] = {}
        for x, name in zip(inputs, formals):
            if isinstance(x, OnnxValue) and not x.is_number and _is_parameter(name):
                wanted.setdefault(name, x.dtype)
        for x, name in zip(inputs, formals):
            if x is not None and name not in wanted:
                wanted[name] = _own_dtype(x) if _is_parameter(name) else _fixed_dtype(name)
        computed = {n: _computed_in(schema, n, dtype) if _is_parameter(n) else dtype for n, dtype in wanted.items()}
        given = [None if x is None else self.cast(self.value(x, wanted[n]), computed[n]) for x, n in zip(inputs, formals)]
        return given, {n: dtype for n, dtype in wanted.items() if computed[n] != dtype}

    def _append(self, schema: Any, inputs: list[OnnxValue | None], outputs: int, attributes: dict[str, Any]) -> list[OnnxValue]:
        while inputs and inputs[-1] is None:
            inputs.pop()
        names = [self.names.fresh(f"{self.label or schema.name}") for _ in range(outputs)]
        attributes = {key: value for key, value in attributes.items() if value is not None}
        node = onnx().helper.make_node(
            schema.name, ["" if x is None else x.name for x in inputs], names, self.names.fresh(f"{self.label}/{schema.name}"),
            doc_string=self._line(), **attributes,
        )  # fmt: skip
        types = self._inferred(schema, node, [x for x in inputs if x is not None])
        if schema.name == "Relu":
            self._rectified.update(names)
        if schema.name == "Cast":
            self.casts.update(names)
        self.scope.add(node, [types[name] for name in names])
        return [OnnxValue(name, types[name]) for name in names]

    def _line(self) -> str | None:
        """The user's line, as a file tells it."""
        return f"{visible(file_name(self.loc))}:{self.loc.line}" if self.loc else None

    def _inferred(self, schema: Any, node: Any, inputs: list[OnnxValue]) -> dict[str, OnnxType]:
        types = {x.name: protos.type_proto(x.type) for x in inputs}
        known = {x.name: protos.tensor_proto(x.name, x.array) for x in inputs if x.array is not None and x.array.size <= _SMALL}
        opsets = [onnx().helper.make_opsetid("", self.opset)]
        try:
            found = onnx().shape_inference.infer_node_outputs(schema, node, types, known, opset_imports=opsets)
        except onnx().shape_inference.InferenceError as error:
            raise InexpressibleError(f"{node.op_type} of {', '.join(str(x.type) for x in inputs)}: {error}") from None
        return {name: protos.type_of(found[name]) for name in node.output}

    # --- values --------------------------------------------------------------------------------------------------------------

    def value(self, x: Any, dtype: str | None = None) -> OnnxValue:
        """A value of the graph: itself, or a constant made of a Python number or an array; a number is cast to `dtype`."""
        if isinstance(x, OnnxValue):
            return self.cast(x, dtype) if x.is_number and dtype else x
        return self.const(x, dtype)

    def is_rectified(self, x: OnnxValue) -> bool:
        """Whether a Relu gave `x`: no element is below 0, though some may be nan."""
        return x.name in self._rectified

    def const(self, value: Any, dtype: str | None = None, hint: str = "const") -> OnnxValue:
        """A constant of a number, a text or an array; without `dtype` it keeps its own: int64, float64, bool."""
        if dtype == "string" or isinstance(value, str):
            return self.constants.value(np.asarray(value, object), "string", hint)
        try:
            array = np.asarray(value, DTYPES[dtype].numpy if dtype else None)
        except (OverflowError, ValueError):
            raise InexpressibleError(f"{value} is no {dtype}") from None
        return self.constants.value(array, dtype or BY_NUMPY[array.dtype].name, hint)

    def ints(self, items: Any) -> OnnxValue:
        """A tensor int64[n] of ints that are known or not; a tensor of ints of one axis stays as it is."""
        if isinstance(items, OnnxValue):
            return self.Reshape(self.cast(items.as_tensor(), "int64"), [-1])
        known = [None if isinstance(item, Length) else self.known(item) for item in items]
        if None not in known:
            return self.const(np.asarray(known, np.int64))
        parts = [self._int(item) if found is None else self.const([int(found)]) for item, found in zip(items, known)]
        return parts[0] if len(parts) == 1 else self.Concat(*parts, axis=0)

    def _int(self, item: Any) -> OnnxValue:
        """An int that only the run knows, as int64[1]."""
        if isinstance(item, Length):
            return item.value
        item = self._vectors.get(item.name, item)
        return self.cast(item, "int64") if item.shape == (1,) else self.Reshape(self.cast(item, "int64"), [1])

    def known(self, x: Any) -> Any:
        """The Python number that an attribute or a constant is; None where only the run tells."""
        return x.item if isinstance(x, OnnxValue) else x

    def is_none(self, x: Any) -> bool:
        """Whether an operand is the Program's None."""
        return x is None or getattr(x, "type", None) == NONE

    def fixed(self, x: Any, what: str) -> Any:
        """The Python number that an attribute or a constant is. InexpressibleError: only the run tells `what`."""
        number = self.known(x)
        if number is None and x is not None:
            raise InexpressibleError(f"{what} is known only when it runs; write an if for each value that it may have")
        return number

    def cast(self, x: OnnxValue, dtype: str | None) -> OnnxValue:
        """`x` in another dtype, as a tensor; itself where that is its own, or None."""
        if dtype is None or x.dtype == dtype:
            return x.as_tensor()
        if x.array is not None and "string" not in (dtype, x.dtype):
            return self.const(x.array.astype(DTYPES[dtype].numpy))
        return self.node("Cast", x.as_tensor(), to=self.element(dtype))

    def alike(self, *operands: Any) -> list[OnnxValue]:
        """Tensors and numbers as tensors of one dtype: that of the first tensor."""
        dtype = next(x.dtype for x in operands if isinstance(x, OnnxValue) and not x.is_number)
        return [self.cast(self.value(x, dtype), dtype) for x in operands]

    def number_dtype(self, x: Any) -> str | None:
        """The dtype of a Python number: bool, int64 or float64; None of a tensor."""
        return None if isinstance(x, OnnxValue) and not x.is_number else _own_dtype(x)

    def shape_of(self, x: OnnxValue) -> OnnxValue:
        """The lengths of `x`, int64[rank]; a constant where they are known."""
        if isinstance(x.type, Array) and x.type.is_fixed:
            return self.const(np.asarray(x.shape, np.int64).reshape(-1))
        return self.Shape(x)

    def length(self, x: OnnxValue, axis: int) -> OnnxValue:
        """The length of an axis, int64[]."""
        if x.shape is not None and isinstance(x.shape[axis], int):
            return self.const(x.shape[axis])
        found = self.Shape(x, start=axis, end=axis + 1 or None)
        number = self.Squeeze(found, [0])
        self._vectors[number.name] = found
        return number

    def rank_of(self, x: OnnxValue) -> int:
        """The number of axes. InexpressibleError: it isn't known."""
        if x.rank is None:
            raise InexpressibleError("the number of axes isn't known before it runs; give the InputSpec a shape, or reshape")
        return x.rank

    def typed(self, x: OnnxValue, type_: OnnxType) -> OnnxValue:
        """The same value with a type that knows as much as either does."""
        if not isinstance(type_, Array) or not isinstance(x.type, Array) or type_.shape is None:
            return x
        if x.shape is not None and len(x.shape) == len(type_.shape):
            dims = tuple(b if isinstance(b, int) or a is None else a for a, b in zip(x.shape, type_.shape))
            return OnnxValue(x.name, Array(x.dtype, dims), x.array, x.is_number)
        return OnnxValue(x.name, Array(x.dtype, type_.shape), x.array, x.is_number) if x.shape is None else x

    def reduce(self, operator: str, x: OnnxValue, axes: Any, keepdims: bool = False) -> OnnxValue:
        """A Reduce operator over `axes`, ints; None: over all of them. Before opset 18 most of them are attributes."""
        keep = int(keepdims)
        if axes is None:
            return self.node(operator, x, keepdims=keep)
        if operator == "ReduceSum" or self.opset >= 18:
            found = self.node(operator, x, self.ints(axes), keepdims=keep)
        else:
            found = self.node(operator, x, axes=[self.fixed(axis, "an axis") for axis in axes], keepdims=keep)
        return self.as_left(found, x, axes, keepdims)

    def place(self, operator: str, x: OnnxValue, axis: int, keepdims: bool = False) -> OnnxValue:
        """ArgMax or ArgMin along one axis."""
        return self.as_left(self.node(operator, x, axis=axis, keepdims=int(keepdims)), x, [axis], keepdims)

    def zeros(self, dtype: str, shape: Any) -> OnnxValue:
        """A tensor of zeros, of empty texts or of False: constant where its lengths are known."""
        dims = [None] if isinstance(shape, OnnxValue) else [None if isinstance(d, Length) else self.known(d) for d in shape]
        if None not in dims:
            return self.const(np.full(dims, "", object) if dtype == "string" else np.zeros(dims, DTYPES[dtype].numpy), dtype)
        if dtype == "string":
            return self.Expand(self.const(""), self.ints(shape))
        return self.filled(dtype, 0, shape)

    def unread(self, dtype: str, shape: Any) -> OnnxValue:
        """A tensor that stands where no path reads it."""
        return self.zeros(dtype, shape)

    def filled(self, dtype: str, value: Any, shape: Any) -> OnnxValue:
        """A tensor of one number, known or not, everywhere."""
        if self.known(value) is None:
            return self.Expand(self.cast(self.value(value, dtype), dtype), self.ints(shape))
        wide = _computed_in(_schema("ConstantOfShape", self.opset), "T2", dtype)
        held = protos.tensor_proto("value", np.asarray([self.known(value)]).astype(DTYPES[wide].numpy))
        return self.cast(self.ConstantOfShape(self.ints(shape), value=held), dtype)

    def cut(self, x: OnnxValue, axis: int, start: int, stop: int) -> OnnxValue:
        """The elements of `x` from `start` to `stop` along an axis: a Slice, or part of a Split where all of `x` is cut so."""
        length = None if x.shape is None else x.shape[axis]
        if isinstance(length, int):
            stop = min(stop, length)
        found = self.Slice(x, [start], [stop], [axis], [1])
        if isinstance(length, int) and 0 <= start < stop and found.name in self.scope.given:
            whole = self.scope.cuts.note(x.name, axis % len(x.shape or ()), length, Cut(start, stop, found.name))
            if whole:
                sizes = self.const([cut.stop - cut.start for cut in whole])
                self.scope.cuts.add(Split(x.name, axis, sizes.name, tuple(cut.name for cut in whole)))
        return found

    def stacked(self, items: Sequence[OnnxValue]) -> list[OnnxValue]:
        """Tensors as rows along a new first axis, in parts that are to be joined: rows of a tensor are a stretch of it."""
        parts: list[OnnxValue] = []
        k = 0
        while k < len(items):
            source, first = self.row_of.get(items[k].name, (None, 0))
            count = 1
            while source is not None and k + count < len(items) and self._is_row(items[k + count], source, first + count):
                count += 1
            if source is None or count == 1:
                parts.append(self.Unsqueeze(items[k], [0]))
            else:
                is_whole = first == 0 and source.shape is not None and source.shape[0] == count
                parts.append(source if is_whole else self.cut(source, 0, first, first + count))
            k += count
        return parts

    def _is_row(self, x: OnnxValue, source: OnnxValue, number: int) -> bool:
        found, place = self.row_of.get(x.name, (None, 0))
        return found is not None and found.name == source.name and place == number

    def element(self, dtype: str) -> int:
        """The number of a dtype in ONNX. InexpressibleError: onnxruntime doesn't compute with it."""
        if dtype in REAL_OF:
            raise InexpressibleError(NO_COMPLEX)
        return ELEMENTS[dtype]

    def typed_sequence(self, x: OnnxValue, type_: OnnxType) -> OnnxValue:
        """A sequence with the type that its place declares."""
        return OnnxValue(x.name, type_)

    def rows_joined(self, a: OnnxValue, b: OnnxValue) -> OnnxValue | None:
        """The rows of two tensors that stand for lists; None of ONNX sequences."""
        return None if a.is_sequence else self.Concat(a, b, axis=0)

    def named(self, x: OnnxValue, name: str) -> OnnxValue:
        """`x` by a node of its own, which gives it a name."""
        name = self.names.fresh(name)
        node = onnx().helper.make_node("Identity", [x.name], [name], self.names.fresh(f"{name}/Identity"))
        self.scope.add(node, [x.type])
        return OnnxValue(name, x.type)

    def draw(self, operator: str, shape: Any, dtype: str) -> OnnxValue:
        """Numbers by "RandomUniform", from 0 up to 1, or by "RandomNormal", of a shape that is known, or that the run tells.

        They are float32 where that is the dtype, else float64.
        """
        element, dims = self.element(drawn_in(dtype)), self.ints(shape)
        if dims.array is not None and dims.array.size:
            return self.node(operator, shape=dims.array.tolist(), dtype=element, seed=self._seed())
        return self.node(f"{operator}Like", self.filled("float32", 0, dims), dtype=element, seed=self._seed())

    def integers(self, shape: Any, first: OnnxValue, end: OnnxValue) -> OnnxValue:
        """Integers from `first` up to but not including `end`, int64[], of a shape.

        InexpressibleError: these are known, and lie too far apart.
        """
        if None not in (first.item, end.item) and end.item - first.item > 2**53:
            self.refuse("floats, of which integers are drawn, tell 2 ** 53 apart: draw two numbers, and put them together")
        low, high = (self.cast(x, "float64") for x in (first, end))
        drawn = self.Floor(self.Mul(self.draw("RandomUniform", shape, "float64"), self.Sub(high, low)))
        return self.cast(self.Add(drawn, low), "int64")

    def detached(self, x: OnnxValue) -> OnnxValue:
        """`x`, through which no gradient flows."""
        return x

    def with_slope(self, value: OnnxValue, x: OnnxValue, slope: OnnxValue) -> OnnxValue:
        """`value`, whose gradient by `x` is `slope` besides what goes through the value."""
        return value

    def without_gradient(self, x: OnnxValue, operands: Sequence[OnnxValue], why: str) -> OnnxValue:
        """`x`, whose gradients by operands have no form, as `why` says."""
        return x

    def _seed(self) -> float | None:
        """What a node in a loop or branch begins to draw with; None outside, where onnxruntime begins by the node's number.

        By that number alone, nodes of two graphs would draw the same.
        """
        if len(self.scopes) == 1:
            return None
        self._seeds += 1
        return float(self._seeds * _SPREAD % 2**24)

    def need(self, opset: int, what: str) -> None:
        """NeedsOpsetError where the model's opset is older than the first in which `what` has a form."""
        if self.opset < opset:
            raise NeedsOpsetError(opset, what)

    # --- graphs in the graph -------------------------------------------------------------------------------------------------

    @property
    def scope(self) -> Scope:
        """The innermost graph."""
        return self.scopes[-1]

    def _region(
        self, operator: str, inputs: Sequence[OnnxValue | None], types: Sequence[OnnxType], **graphs: Any
    ) -> list[OnnxValue]:
        names = [self.names.fresh(self.label or operator) for _ in types]
        node = onnx().helper.make_node(
            operator, ["" if x is None else x.name for x in inputs], names, self.names.fresh(f"{self.label}/{operator}"),
            doc_string=self._line(), **graphs,
        )  # fmt: skip
        self.scope.add(node, types)
        return [OnnxValue(name, type_) for name, type_ in zip(names, types)]


@lru_cache(maxsize=1024)
def _schema(operator: str, opset: int) -> Any:
    """The schema of an operator in an opset. NeedsOpsetError: it is newer."""
    defs = onnx().defs
    try:
        return defs.get_schema(operator, opset, "")
    except defs.SchemaError:
        versions = [s.since_version for s in defs.get_all_schemas_with_history() if s.name == operator and not s.domain]
        raise NeedsOpsetError(min(versions), operator) from None


def _computed_in(schema: Any, parameter: str, dtype: str) -> str:
    return computed_in(schema.name, parameter, dtype, _declared(schema.name, schema.since_version)[parameter])


@lru_cache(maxsize=1024)
def _declared(operator: str, version: int) -> dict[str, frozenset[str]]:
    """Of which dtypes the type parameters of an operator are."""
    constraints = _schema(operator, version).type_constraints
    return {c.type_param_str: frozenset(map(_fixed_dtype, c.allowed_type_strs)) for c in constraints}


def _formals(formals: Sequence[Any], count: int) -> list[Any]:
    """The formal parameters for so many values: the last one stands for any number where it is variadic."""
    return [formals[min(k, len(formals) - 1)] for k in range(count)]


def _is_parameter(name: str) -> bool:
    return "(" not in name


def _fixed_dtype(name: str) -> str:
    """The dtype of a formal parameter such as `tensor(int64)`, or `seq(tensor(int64))`."""
    return {"float": "float32", "double": "float64"}.get(found := name.rpartition("(")[2].rstrip(")"), found)


def _own_dtype(x: Any) -> str:
    """The dtype of a number or an array that meets no tensor."""
    return x.dtype if isinstance(x, OnnxValue) else BY_NUMPY[np.asarray(x).dtype].name
