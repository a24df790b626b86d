"""NaN, infinities, signs of zero, empty tensors and extremes of integers: NumPy's values, in every engine."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from api import special_numbers
from support.sampling import sampled

MISSING = {form for form, module in {"ONNX Runtime": "onnxruntime", "JAX": "jax"}.items() if find_spec(module) is None}
CASES = [case for case in special_numbers.CASES if case[2] not in MISSING]


@pytest.mark.long
@pytest.mark.parametrize("case", sampled(CASES, 80), ids="-".join)
def test_a_function_of_special_numbers_is_numpys(case: tuple[str, str, str]) -> None:
    kind, words = special_numbers.outcome(case)
    assert kind != "wrong", words


@pytest.mark.parametrize("form", special_numbers.FORMS[:4])
@pytest.mark.parametrize("name", ["var", "std"])
def test_s_26_the_variance_of_no_elements_is_nan(name: str, form: str) -> None:
    assert special_numbers.outcome((name, "no elements", form)) == ("equal", "")
