"""A number whose class follows the path, beside tensors of every dtype: an exported model gives what plain Python does."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install 'dy2st[onnx]'")

from staging.numbers_by_path import CASES, calls, of, outcome, specs
from support.sampling import sampled

import dy2st.onnx
from dy2st import jit
from dy2st.errors import ConversionError


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
