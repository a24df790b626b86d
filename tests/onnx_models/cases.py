"""Cases of operators for onnxruntime: samples as they are, in other dtypes, of no elements, and what the kernel gives of them."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from onnx_models.running import assert_same, of_one_operator, run
from ops.samples import collect
from ops.samples.sample import Sample

from dy2st.dtypes import DTYPES
from dy2st.errors import Dy2stError
from dy2st.ir.shape import shape_agrees
from dy2st.ir.types import TensorType, Type
from dy2st.onnx.lowering.refusal import OnnxError
from dy2st.ops.registry import OPERATORS, infer_types, lookup
from dy2st.runtime.tensors.value_types import type_of_native

SAMPLES = collect()
# Operators on Python values (`tuple.get`) have tests of their own, in test_python_operators.py.
LOWERED = {name: SAMPLES[name] for name, op in sorted(OPERATORS.items()) if callable(op.onnx) and "." not in name}
DRAWN = [name for name in LOWERED if OPERATORS[name].random]
FIXED = {name: samples for name, samples in LOWERED.items() if name not in DRAWN and not OPERATORS[name].io}
DTYPE_NAMES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64")
ROUNDING = {"float16": 4e-3, "float32": 2e-5, "float64": 1e-9}
SAME: Callable = lambda type_: type_  # noqa: E731


def expected(name: str, case: Sample) -> Any:
    """What the kernel gives; its exception where it raises."""
    with warnings.catch_warnings(action="ignore"):
        try:
            return lookup(name).kernel(*copy.deepcopy(list(case.operands)), **case.attrs)
        except Exception as error:
            return error


def accepts(name: str, case: Sample) -> bool:
    """Whether inference takes the operands, and the kernel gives what it says, or raises what the operator is known to raise."""
    try:
        inferred = infer_types(lookup(name), [type_of_native(x) for x in case.operands], case.attrs)
    except (Dy2stError, TypeError, ValueError):
        return False
    found = expected(name, case)
    if isinstance(found, Exception):
        return type(found).__name__ in lookup(name).raises
    given = found if isinstance(found, tuple) else (found,)
    return all(_fits(x, type_) for type_, x in zip(inferred, given))


def _fits(x: Any, type_: Type) -> bool:
    array = np.asarray(x)
    return not isinstance(type_, TensorType) or array.dtype.name == type_.dtype and shape_agrees(type_.shape, array.shape)


def check(name: str, case: Sample, blur: Callable = SAME, opset: int | None = None) -> str:
    """Hold the kernel's result against onnxruntime's; "" or the text of a refusal. Where the kernel raises, that fails too."""
    program, values = of_one_operator(name, case.operands, case.attrs, blur)
    wanted = expected(name, case)
    try:
        given = run(program, values, opset)
    except OnnxError as refusal:
        return str(refusal)
    except Exception as failure:
        if isinstance(wanted, Exception):
            return ""
        raise AssertionError(f"{name} fails in onnxruntime: {failure}") from failure
    assert not isinstance(wanted, Exception), f"{name} gives {given!r} in onnxruntime; the kernel raises {wanted!r}"
    assert_same(wanted, given, name, *rounding(case))
    return ""


def rounding(case: Sample) -> tuple[float, float]:
    """The tolerances, of the narrowest floating-point dtype among the operands and attributes."""
    dtypes = [x.dtype.name for x in arrays(case)] + [case.attrs.get("dtype")]
    rtol = max((ROUNDING[d] for d in dtypes if d in ROUNDING), default=ROUNDING["float32"])
    return rtol, rtol


def arrays(case: Sample) -> list[np.ndarray]:
    """The arrays among the operands."""
    return [x for x in case.operands if isinstance(x, np.ndarray)]


def changed(case: Sample, change: Callable[[np.ndarray], np.ndarray]) -> Sample:
    """The sample with other arrays."""
    return Sample(tuple(change(x) if isinstance(x, np.ndarray) else x for x in case.operands), case.attrs)


def recast(case: Sample, dtype: str) -> Sample | None:
    """The sample with the arrays of its main dtype in another: that of its fractions, else of its first array."""
    found = arrays(case)
    main = next((x.dtype for x in found if x.dtype.kind == "f"), found[0].dtype if found else None)
    if main is None or main.kind not in "biuf":
        return None
    target = DTYPES[dtype].numpy

    def cast(x: np.ndarray) -> np.ndarray:
        if x.dtype != main:
            return x
        least = 0 if target.kind in "bu" else -np.inf  # which keeps what is in order
        with np.errstate(all="ignore"):
            return np.asarray(np.maximum(np.trunc(x) if target.kind in "iu" else x, least)).astype(target)

    return changed(case, cast)


def emptied(case: Sample) -> Iterator[Sample]:
    """The sample with nothing along all axes of a length, for each length of its first array."""
    found = arrays(case)
    for length in sorted({*found[0].shape} if found else ()):

        def cut(x: np.ndarray, length: int = length) -> np.ndarray:
            return np.array(x[tuple(slice(0 if n == length else n) for n in x.shape)])

        yield changed(case, cut)
