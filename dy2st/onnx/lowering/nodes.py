"""Nodes of a model: of which dtype each computes, and which shapes it gives.

Where onnxruntime has no kernel for a dtype, the node computes in a wider one that gives the same elements (`dtypes.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ...dtypes import BY_NUMPY, DTYPES
from ...graphs.lowering.builder import own_dtype
from ...graphs.lowering.lengths import Length
from ...graphs.lowering.refusal import InexpressibleError, NeedsOpsetError
from ...graphs.lowering.values import Array, GraphType, GraphValue
from ...graphs.lowering.writer import Writer
from ...ir.visible import visible
from ...ops.lowered.drawn import drawn_in
from ...saving.locations import file_name
from ..packages import onnx
from . import protos
from .dtypes import computed_in
from .folding import folded
from .fusions import Fusions
from .scope import Constants, GraphScope, Names
from .splitting import Cut, Split

_AXES_AS_INPUTS = 18  # the opset from which on reductions take them so
_SPREAD = 10368889  # an odd number: seeds that follow each other are far apart, as first numbers are then
_SMALL = 64  # elements: of longer constants, inference of lengths is told the type alone


class Nodes(Fusions, Writer):
    """Writes the nodes of one model. opset: the version of ONNX's operators."""

    def __init__(self, opset: int):
        super().__init__(GraphScope())
        self.opset = opset
        self.names = Names()
        self.constants = Constants(self.names)
        self._seeds = 0
        self._rectified: set[str] = set()  # names of what Relu gives
        self.casts: set[str] = set()

    @property
    def scope(self) -> GraphScope:
        """The innermost graph."""
        found = self.scopes[-1]
        assert isinstance(found, GraphScope)
        return found

    # --- nodes -------------------------------------------------------------------------------------------------------------

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

    def _fitted(self, schema: Any, inputs: Sequence[Any]) -> tuple[list[GraphValue | None], dict[str, str]]:
        """The inputs in the dtypes that the node computes in, and the type parameters whose results are narrower."""
        formals = [formal.type_str for formal in _formals(schema.inputs, len(inputs))]
        wanted: dict[str, str] = {}
        for x, name in zip(inputs, formals):
            if isinstance(x, GraphValue) and not x.is_number and _is_parameter(name):
                wanted.setdefault(name, x.dtype)
        for x, name in zip(inputs, formals):
            if x is not None and name not in wanted:
                wanted[name] = own_dtype(x) if _is_parameter(name) else _fixed_dtype(name)
        computed = {n: _computed_in(schema, n, dtype) if _is_parameter(n) else dtype for n, dtype in wanted.items()}
        given = [None if x is None else self.cast(self.value(x, wanted[n]), computed[n]) for x, n in zip(inputs, formals)]
        return given, {n: dtype for n, dtype in wanted.items() if computed[n] != dtype}

    def _append(self, schema: Any, inputs: list[GraphValue | None], outputs: int, attributes: dict[str, Any]) -> list[GraphValue]:
        while inputs and inputs[-1] is None:
            inputs.pop()
        names = [self.names.fresh(f"{self.label or schema.name}") for _ in range(outputs)]
        attributes = {key: value for key, value in attributes.items() if value is not None}
        node = onnx().helper.make_node(
            schema.name, ["" if x is None else x.name for x in inputs], names, self.names.fresh(f"{self.label}/{schema.name}"),
            doc_string=self.line(), **attributes,
        )  # fmt: skip
        types = self._inferred(schema, node, [x for x in inputs if x is not None])
        if schema.name == "Relu":
            self._rectified.update(names)
        if schema.name == "Cast":
            self.casts.update(names)
        self.scope.add(node, [types[name] for name in names])
        return [GraphValue(name, types[name]) for name in names]

    def line(self) -> str | None:
        """The user's line, as a file tells it."""
        return f"{visible(file_name(self.loc))}:{self.loc.line}" if self.loc else None

    def _inferred(self, schema: Any, node: Any, inputs: list[GraphValue]) -> dict[str, GraphType]:
        types = {x.name: protos.type_proto(x.type) for x in inputs}
        known = {x.name: protos.tensor_proto(x.name, x.array) for x in inputs if x.array is not None and x.array.size <= _SMALL}
        opsets = [onnx().helper.make_opsetid("", self.opset)]
        try:
            found = onnx().shape_inference.infer_node_outputs(schema, node, types, known, opset_imports=opsets)
        except onnx().shape_inference.InferenceError as error:
            raise InexpressibleError(f"{node.op_type} of {', '.join(str(x.type) for x in inputs)}: {error}") from None
        return {name: protos.type_of(found[name]) for name in node.output}

    # --- values --------------------------------------------------------------------------------------------------------------

    def const(self, value: Any, dtype: str | None = None, hint: str = "const") -> GraphValue:
        """As that of Primitives."""
        if dtype == "string" or isinstance(value, str):
            return self.constants.value(np.asarray(value, object), "string", hint)
        try:
            array = np.asarray(value, DTYPES[dtype].numpy if dtype else None)
        except (OverflowError, ValueError):
            raise InexpressibleError(f"{value} is no {dtype}") from None
        return self.constants.value(array, dtype or BY_NUMPY[array.dtype].name, hint)

    def typed(self, x: GraphValue, type_: GraphType) -> GraphValue:
        """As that of Primitives."""
        if not isinstance(type_, Array) or not isinstance(x.type, Array) or type_.shape is None:
            return x
        if x.shape is not None and len(x.shape) == len(type_.shape):
            dims = tuple(b if isinstance(b, int) or a is None else a for a, b in zip(x.shape, type_.shape))
            return GraphValue(x.name, Array(x.dtype, dims), x.array, x.is_number)
        return GraphValue(x.name, Array(x.dtype, type_.shape), x.array, x.is_number) if x.shape is None else x

    def typed_sequence(self, x: GraphValue, type_: GraphType) -> GraphValue:
        """As that of Primitives."""
        return GraphValue(x.name, type_)

    def zeros(self, dtype: str, shape: Any) -> GraphValue:
        """As that of Primitives: constant where its lengths are known."""
        dims = [None] if isinstance(shape, GraphValue) else [None if isinstance(d, Length) else self.known(d) for d in shape]
        if None not in dims:
            return self.const(np.full(dims, "", object) if dtype == "string" else np.zeros(dims, DTYPES[dtype].numpy), dtype)
        if dtype == "string":
            return self.Expand(self.const(""), self.ints(shape))
        return self.filled(dtype, 0, shape)

    def filled(self, dtype: str, value: Any, shape: Any) -> GraphValue:
        """As that of Primitives; NumPy raises for a number beyond the dtype."""
        known = self.known(value)
        if known is None:
            return self.Expand(self.cast(self.value(value, dtype), dtype), self.ints(shape))
        wide = _computed_in(_schema("ConstantOfShape", self.opset), "T2", dtype)
        number = np.asarray([self.within_bounds(known, dtype)])
        held = protos.tensor_proto("value", number.astype(DTYPES[wide].numpy))
        return self.cast(self.ConstantOfShape(self.ints(shape), value=held), dtype)

    def cut(self, x: GraphValue, axis: int, start: int, stop: int) -> GraphValue:
        """As a Builder's; part of a Split where all of `x` is cut so."""
        found = super().cut(x, axis, start, stop)
        length = None if x.shape is None else x.shape[axis]
        if isinstance(length, int) and 0 <= start < (stop := min(stop, length)) and found.name in self.scope.given:
            whole = self.scope.cuts.note(x.name, axis % len(x.shape or ()), length, Cut(start, stop, found.name))
            if whole:
                sizes = self.const([cut.stop - cut.start for cut in whole])
                self.scope.cuts.add(Split(x.name, axis, sizes.name, tuple(cut.name for cut in whole)))
        return found

    def named(self, x: GraphValue, name: str) -> GraphValue:
        """`x` by a node of its own, which gives it a name."""
        name = self.names.fresh(name)
        node = onnx().helper.make_node("Identity", [x.name], [name], self.names.fresh(f"{name}/Identity"))
        self.scope.add(node, [x.type])
        return GraphValue(name, x.type)

    def is_rectified(self, x: GraphValue) -> bool:
        """As that of Primitives."""
        return x.name in self._rectified

    def draw(self, operator: str, shape: Any, dtype: str) -> GraphValue:
        """As that of Primitives."""
        element, dims = self.element(drawn_in(dtype)), self.ints(shape)
        if dims.array is not None and dims.array.size:
            return self.node(operator, shape=dims.array.tolist(), dtype=element, seed=self._seed())
        return self.node(f"{operator}Like", self.filled("float32", 0, dims), dtype=element, seed=self._seed())

    def _seed(self) -> float | None:
        """What a node in a loop or branch begins to draw with; None outside, where onnxruntime begins by the node's number.

        By that number alone, nodes of two graphs would draw the same.
        """
        if len(self.scopes) == 1:
            return None
        self._seeds += 1
        return float(self._seeds * _SPREAD % 2**24)


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
