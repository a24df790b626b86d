"""A number whose class follows the path, beside tensors of every dtype: an exported model gives what plain Python does."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install '.[onnx]'")

from onnx_models.running import of_one_operator, run
from staging.numbers_by_path import CASES, calls, of, outcome, specs
from support.sampling import sampled

import dy2st.onnx
from dy2st import jit
from dy2st.errors import ConversionError
from dy2st.static import InputSpec


@pytest.mark.long
@pytest.mark.parametrize("operator, dtype, kind", sampled(CASES, 50))
def test_a_number_by_path(operator, dtype, kind, tmp_path):
    f = of(operator, kind)
    expected = [outcome(f, call) for call in calls(dtype)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            session = dy2st.onnx.Session(dy2st.onnx.export(jit.to_static(f, input_spec=specs(dtype)), tmp_path / "model"))
        except ConversionError as error:
            assert "every call of this function raises" in str(error)
            assert {kind for kind, _ in expected} == {"raised"}
            return
    for call, (dtype, values) in zip(calls(dtype), expected):
        found = outcome(session, call)
        if dtype.startswith("float"):
            assert found[0] == dtype
            np.testing.assert_allclose(found[1], values, rtol=1e-6)
        else:
            assert found == (dtype, values)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_remainder_of_zero_has_the_sign_of_the_divisor(dtype):
    x = np.array([2, -2, 2, -2, 0, -0.0, np.inf, 3], dtype)
    y = np.array([1, 1, -1, -1, -3, 3, 2, -np.inf], dtype)
    with np.errstate(invalid="ignore"):
        expected = np.remainder(x, y)
    found = run(*of_one_operator("remainder", (x, y), {}, lambda type_: type_))
    np.testing.assert_array_equal(found, expected)
    known = ~np.isnan(expected)
    assert (np.signbit(found) == np.signbit(expected))[known].all()


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32"])
def test_an_int_beyond_a_narrow_dtype_raises(dtype, tmp_path):
    def f(x, n):
        return x + n.item(), x * 2

    specs = [InputSpec([2], dtype), InputSpec([], "int64")]
    session = dy2st.onnx.Session(dy2st.onnx.export(jit.to_static(f, input_spec=specs), tmp_path / "model"))
    ends = np.iinfo(dtype)
    for n in (ends.min - 1, ends.min, 0, ends.max, ends.max + 1):
        x = np.array([0, 1], dtype)
        expected, found = (outcome(lambda *call, g=g: g(*call)[0], (x, np.int64(n))) for g in (f, session))
        assert found == expected
