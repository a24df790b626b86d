"""A Program through its ONNX model in onnxruntime, and one operator as such a Program."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dy2st.graphs.calls import GraphCall
from dy2st.graphs.exceptions import raised
from dy2st.ir.builder import Builder
from dy2st.ir.core import Program
from dy2st.ir.join import join_all
from dy2st.ir.native import Record
from dy2st.ir.types import ListType, TensorType, TupleType, Type
from dy2st.onnx.lowering.program import Lowered, lower
from dy2st.ops.registry import infer_types, lookup
from dy2st.passes.values.pure_types import PureTypes
from dy2st.runtime.tensors.value_types import type_of_native

SCALARS = (bool, int, float, str, type(None))


def session(lowered: Lowered) -> Any:
    """The checked model in onnxruntime, which says nothing of its own."""
    import onnx
    import onnxruntime

    onnx.checker.check_model(lowered.model, full_check=True)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(lowered.model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def run(program: Program, values: list, opset: int | None = None) -> Any:
    """The result of a Program for native values, computed by onnxruntime; or the exception that the model tells of."""
    return Model(program, opset)(*values)


class Model:
    """A Program in onnxruntime: called with native values, it gives the result, or raises what the model tells of."""

    def __init__(self, program: Program, opset: int | None = None):
        self.lowered = lower(program, opset)
        self.call = GraphCall(self.lowered.inputs, self.lowered.outputs)
        self.session = session(self.lowered) if self.call.names else None

    def __call__(self, *values: Any) -> Any:
        feeds = self.call.feeds([*values], {}, {})
        answer = self.call.answer(self.session.run(self.call.names, feeds) if self.session else [])
        if answer.error:
            raise raised(self.lowered.errors[answer.error - 1], answer.details)
        return answer.result


def of_one_operator(
    name: str, operands: tuple, attrs: dict[str, Any], blur=lambda type_: type_, constants: tuple = SCALARS
) -> tuple[Program, list]:
    """A Program that is one operator, and the values of its arguments: the operands but for those of the classes `constants`.

    blur: type of an argument -> the type that is declared.
    """
    b = Builder()
    arrays = {f"x{k}": x for k, x in enumerate(operands) if not isinstance(x, constants)}
    types: dict[str, Type] = {key: blur(pure(type_of(x))) for key, x in arrays.items()}
    with b.function("main", **types) as arguments:
        given = dict(zip(types, arguments))
        values = [given[f"x{k}"] if f"x{k}" in given else b.const(x) for k, x in enumerate(operands)]
        inferred = tuple(map(pure, infer_types(lookup(name), [v.type for v in values], attrs)))
        result = b.op(name, *values, types=inferred, **attrs)
        if len(inferred) != 1:
            result = b.op("tuple.new", *result, types=infer_types(lookup("tuple.new"), [*inferred], {}))
        b.return_(result)
    return b.program, list(arrays.values())


def pure(type_: Type) -> Type:
    """What stands for a type where there is no heap."""
    return PureTypes(Program()).of(type_)


def type_of(value: Any) -> Type:
    """The type of a native value; of namedtuples and lists that of their items."""
    if isinstance(value, Record):
        return TupleType(tuple(map(type_of, value)), value.name, value.fields)
    return ListType(join_all(map(type_of, value))) if isinstance(value, list) else type_of_native(value)


def opened(type_: Type) -> Type:
    """A tensor's type with all lengths open but those of 1."""
    if not isinstance(type_, TensorType):
        return type_
    return TensorType(type_.dtype, tuple(d if d == 1 else None for d in type_.shape or ()))


def assert_same(expected: Any, given: Any, where: str, rtol: float = 1e-5, atol: float = 1e-6) -> None:
    """Two native values are equal, arrays of floats up to rounding."""
    if isinstance(expected, (tuple, list)):
        assert len(expected) == len(given), f"{where}: {given!r}, expected {expected!r}"
        for k, (a, b) in enumerate(zip(expected, given)):
            assert_same(a, b, f"{where}[{k}]", rtol, atol)
        return
    if isinstance(expected, (np.ndarray, np.generic)):
        a, b = np.asarray(expected), np.asarray(given)
        assert (a.shape, a.dtype) == (b.shape, b.dtype), f"{where}: {b.dtype}{b.shape}, expected {a.dtype}{a.shape}"
        if a.dtype.kind in "biu":
            rtol, atol = 0, 0
        np.testing.assert_allclose(b, a, rtol=rtol, atol=atol, err_msg=where)
        return
    assert type(expected) is type(given), f"{where}: {given!r}, expected {expected!r}"
    equal = same_float(expected, given) if isinstance(expected, float) else expected == given
    assert equal, f"{where}: {given!r}, expected {expected!r}"


def same_float(a: float, b: float) -> bool:
    """Whether two floats are equal but for rounding; zeros have the same sign."""
    if math.isnan(a) or a == 0:
        return str(a) == str(b)
    return math.isclose(a, b, rel_tol=1e-12)
