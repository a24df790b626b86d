"""Every operator's ONNX lowering in onnxruntime against its kernel: in each dtype, of nothing, of one number, of nan and inf.

Where a lowering refuses a dtype, a text says why; that is no failure, and the table of docs/onnx.md has it.
"""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install '.[onnx]'")

from onnx_models.cases import DTYPE_NAMES, FIXED, SAME, accepts, arrays, changed, check, emptied, expected, recast
from onnx_models.running import assert_same, of_one_operator, opened, run
from ops.samples.sample import Sample, sample
from support.sampling import case_in_failure

from dy2st.dtypes import DTYPES
from dy2st.ir.builder import Builder
from dy2st.ir.core import Program, Value
from dy2st.ops.families import FAMILIES
from dy2st.ops.half import MOVES
from dy2st.ops.registry import infer_types, lookup
from dy2st.runtime.tensors.value_types import type_of_native

ELEMENTWISE = [
    name
    for family in ("activation", "cast", "compare", "elementwise", "erf", "floats", "integers", "select", "special", "unary")
    for name in FAMILIES[family].split()
    if name in FIXED
]
_LARGEST = {"float16": 6e4, "float32": 3e38, "float64": 1e308}
_LEAST = {"float16": 6e-8, "float32": 1e-42, "float64": 5e-320}


@pytest.mark.parametrize("name", FIXED)
def test_dtypes(name):
    for k, plain in enumerate(FIXED[name]):
        for dtype in DTYPE_NAMES:
            case = recast(plain, dtype)
            if case is not None and accepts(name, case):
                with case_in_failure(f"sample {k} of {dtype}"):
                    check(name, case)


def moved(name: str, case: Sample) -> tuple[Program, list, list]:
    """A Program that casts its arguments of fractions to bfloat16, and what the operator makes of them to float32; operands."""
    b, values = Builder(), [x.astype("float32") if x.dtype.kind == "f" else x for x in arrays(case)]
    types = {f"x{k}": type_of_native(x) for k, x in enumerate(values)}

    def cast(x: Value, dtype: str) -> Value:
        return b.op("cast", x, types=infer_types(lookup("cast"), [x.type], {"dtype": dtype}), dtype=dtype)

    with b.function("main", **types) as given:
        rest = iter([cast(x, "bfloat16") if x.type.dtype == "float32" else x for x in given])
        operands = [next(rest) if isinstance(x, np.ndarray) else b.const(x) for x in case.operands]
        inferred = infer_types(lookup(name), [x.type for x in operands], case.attrs)
        b.return_(cast(b.op(name, *operands, types=inferred, **case.attrs), "float32"))
    narrow = iter([x.astype(DTYPES["bfloat16"].numpy) if x.dtype == "float32" else x for x in values])
    return b.program, values, [next(narrow) if isinstance(x, np.ndarray) else x for x in case.operands]


@pytest.mark.parametrize("name", sorted(name for name in FIXED if name in MOVES))
def test_bfloat16_is_moved(name):
    pytest.importorskip("ml_dtypes", reason="NumPy gets bfloat16 from ml_dtypes: pip install '.[bfloat16]'")
    for k, plain in enumerate(FIXED[name]):
        is_taken = plain.attrs.get("dtype", "float32") == "float32" and plain.attrs.get("results", 1) == 1
        if is_taken and any(x.dtype.kind == "f" for x in arrays(plain)):
            with case_in_failure(f"sample {k}"):
                program, values, operands = moved(name, plain)
                wanted = lookup(name).kernel(*operands, **plain.attrs)
                assert_same(wanted.astype("float32"), run(program, values), name, 0, 0)


@pytest.mark.parametrize("blur", [SAME, opened], ids=["known lengths", "open lengths"])
@pytest.mark.parametrize("name", FIXED)
def test_of_nothing(name, blur):
    """Where the kernel raises, onnxruntime must not give a result."""
    for k, plain in enumerate(FIXED[name]):
        for case in emptied(plain):
            if accepts(name, case):
                with case_in_failure(f"sample {k} with the shapes {[x.shape for x in arrays(case)]}"):
                    check(name, case, blur)


RAISES = [
    ("max", sample(np.zeros((3, 0)), axis=1)),
    ("argmin", sample(np.zeros(0))),
    ("bincount", sample(np.array([1, -1]))),
    ("pow", sample(np.array([2, 3]), np.array([1, -1]))),
    ("one_hot", sample(np.zeros((0, 2), "int64"), num_classes=-1)),
    ("histogram", sample(np.array([1.0, np.inf]))),
]


@pytest.mark.parametrize(("name", "case"), RAISES)
def test_what_the_kernel_raises_for_fails(name, case):
    assert isinstance(expected(name, case), ValueError)
    program, values = of_one_operator(name, case.operands, case.attrs, opened)
    with pytest.raises(Exception, match="ONNXRuntimeError"):
        run(program, values)


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_of_one_number(name):
    for k, plain in enumerate(FIXED[name]):
        case = changed(plain, lambda x: x.reshape(-1)[:1].reshape(()))
        with case_in_failure(f"sample {k}"):
            check(name, case)


def special(dtype: str) -> np.ndarray:
    """Numbers at which functions turn or end."""
    if "int" in dtype:
        ends = np.iinfo(dtype)
        below = [-1, -2, -7] if ends.min else []
        return np.unique(np.array([ends.min, ends.min + 1, 0, 1, 2, 3, 7, ends.max - 1, ends.max, *below], dtype))
    ends = [np.nan, np.inf, -np.inf, _LARGEST[dtype], -_LARGEST[dtype], _LEAST[dtype]]
    return np.array([0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, 1e-4, -1e-4, 20.25, -20.25, 88, -95, *ends], dtype)


def crossed(case: Sample, dtype: str) -> Sample:
    """The sample with all pairs of special numbers in place of its arrays of this dtype."""
    places = [k for k, x in enumerate(case.operands) if isinstance(x, np.ndarray) and x.dtype == dtype]
    grids = [grid.reshape(-1) for grid in np.meshgrid(*[special(dtype)] * len(places))]
    operands = [np.resize(x, grids[0].size) if isinstance(x, np.ndarray) else x for x in case.operands]
    for place, grid in zip(places, grids):
        operands[place] = grid
    return Sample(tuple(operands), case.attrs)


def is_beyond(name: str, case: Sample) -> bool:
    """A cast out of range is defined nowhere; onnxruntime's erf rounds to -1, so that its gelu of -inf is nan."""
    return name == "cast" and "int" in case.attrs["dtype"] or name == "gelu"


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_of_special_numbers(name):
    for k, plain in enumerate(FIXED[name]):
        for dtype in DTYPE_NAMES[1:]:
            narrow = recast(plain, dtype)
            if narrow is None or not any(x.dtype == dtype for x in arrays(narrow)):
                continue
            case = crossed(narrow, dtype)
            if accepts(name, case) and not is_beyond(name, case):
                with case_in_failure(f"sample {k} of {dtype}"):
                    check(name, case)
