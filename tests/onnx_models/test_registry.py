"""Every operator's ONNX lowering in onnxruntime against its kernel: lengths known and open, each dtype of its samples and others.

Where a lowering refuses a dtype, a text says why; that is no failure, and the table of docs/onnx.md has it.
"""

from __future__ import annotations

import copy

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install 'dy2st[onnx]'")

from onnx_models.running import assert_same, of_one_operator, opened, run
from ops.samples import collect
from support.sampling import case_in_failure

from dy2st.onnx.lowering.refusal import OnnxError
from dy2st.ops.registry import OPERATORS, lookup

SAMPLES = collect()
LOWERED = {name: SAMPLES[name] for name, definition in sorted(OPERATORS.items()) if callable(definition.onnx)}


def results(name: str, case) -> object:
    """What the kernel gives, or None where it raises."""
    with np.errstate(all="ignore"):
        return lookup(name).kernel(*copy.deepcopy(list(case.operands)), **case.attrs)


def check(name: str, case, blur) -> None:
    program, values = of_one_operator(name, case.operands, case.attrs, blur)
    expected = results(name, case)
    assert_same(expected, run(program, values), name)


@pytest.mark.parametrize("name", LOWERED)
def test_known_lengths(name):
    for k, case in enumerate(LOWERED[name]):
        with case_in_failure(f"sample {k}"):
            try:
                check(name, case, lambda type_: type_)
            except OnnxError as error:
                pytest.skip(str(error))


@pytest.mark.parametrize("name", LOWERED)
def test_open_lengths(name):
    for k, case in enumerate(LOWERED[name]):
        with case_in_failure(f"sample {k}"):
            try:
                check(name, case, opened)
            except OnnxError as error:
                pytest.skip(str(error))
