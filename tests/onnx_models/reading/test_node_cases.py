"""ONNX's own tests of its operators: loaded, run, saved, and loaded once more without their lengths."""

from __future__ import annotations

import io

import pytest

pytest.importorskip("onnx", reason="models are read with the package onnx: pip install '.[onnx]'")

from onnx_models.reading.cases import all_cases, apart, check, why_refused, with_open_lengths
from support.rates import fewest
from support.sampling import case_in_failure, sampled

import dy2st
from dy2st.errors import Dy2stError

COUNTED = [case for case in all_cases() if not apart(case)]
OPEN = 0.93  # of the cases work whatever the lengths of their first input


def test_of_all_cases_at_least_95_in_100_pass():
    refused = sum(map(bool, map(why_refused, COUNTED)))
    assert len(COUNTED) > 1000 and refused <= 0.05 * len(COUNTED)


@pytest.mark.long
def test_what_a_case_expects_is_what_the_loaded_model_gives():
    for case in sampled(COUNTED, 120):
        with case_in_failure(case.name):
            if why_refused(case):
                with pytest.raises((AssertionError, Dy2stError)):
                    check(dy2st.onnx.load(case.model), case)
            else:
                check(dy2st.onnx.load(case.model), case)


@pytest.mark.long
def test_a_loaded_model_saved_by_jit_gives_the_same():
    for case in sampled([case for case in COUNTED if not why_refused(case)], 40):
        with case_in_failure(case.name):
            file = io.BytesIO()
            dy2st.jit.save(dy2st.onnx.load(case.model), file)
            file.seek(0)
            check(dy2st.jit.load(file), case)


@pytest.mark.long
def test_lengths_that_only_the_program_knows_change_no_result():
    """What needs a length, as the number of axes to reduce, is refused; nothing is computed otherwise."""
    tried = sampled([case for case in COUNTED if not why_refused(case)], 60)
    refused = 0
    for case in tried:
        with case_in_failure(case.name):
            try:
                model = dy2st.onnx.load(with_open_lengths(case.model))
            except dy2st.errors.ConversionError:
                refused += 1
            else:
                check(model, case)
    assert len(tried) - refused >= fewest(OPEN, len(tried))
