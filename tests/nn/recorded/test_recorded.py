"""Every case gives what Paddle 3.3 gave: results, gradients and buffers, eagerly, as a Program, and saved and loaded."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import dy2st
from dy2st import jit
from dy2st.static import InputSpec

from .case import Case, leaves, network, run, set_state
from .record import FAMILIES, cases, recorded

EXPECTED = {family: recorded(family) for family in FAMILIES}
CASES = [pytest.param(family, name, case, id=name) for family in FAMILIES for name, case in cases(family).items()]


def compare(found: dict, expected: dict) -> None:
    assert sorted(found) == sorted(expected)
    for name, values in expected.items():
        assert found[name].dtype == values.dtype, name
        assert found[name].shape == values.shape, name
        np.testing.assert_allclose(found[name], values, rtol=2e-4, atol=2e-5, err_msg=name)


def specs(case: Case) -> list[InputSpec]:
    """The axes `case.open` of the first tensor have unknown lengths, and those of others that are as long."""
    first = case.arrays[0].shape

    def length(i: int, d: int) -> int | None:
        return None if i in case.open and i < len(first) and first[i] == d else d

    return [
        InputSpec([length(i, d) for i, d in enumerate(a.shape)], str(a.dtype), f"x{n}") for n, a in enumerate(case.arrays)
    ]


@pytest.mark.parametrize(("family", "name", "case"), CASES)
def test_as_paddle(family, name, case, tmp_path):
    expected = EXPECTED[family][name]
    net = network(dy2st, case)
    compare(run(dy2st, net, case), expected)
    set_state(dy2st, net)
    net.clear_gradients()
    static = jit.to_static(net, input_spec=specs(case))
    jit.save(static, str(tmp_path / "net"))
    compare(run(dy2st, static, case), expected)
    outs = [x for x in leaves(jit.load(str(tmp_path / "net"))(*map(dy2st.to_tensor, case.arrays))) if x is not None]
    for i, out in enumerate(outs):
        np.testing.assert_allclose(out.numpy(), expected[f"out{i}"], rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize(("family", "name", "case"), CASES if importlib.util.find_spec("paddle") else [])
def test_the_record_is_what_paddle_gives(family, name, case):
    paddle = importlib.import_module("paddle")
    compare(run(paddle, network(paddle, case), case), EXPECTED[family][name])
