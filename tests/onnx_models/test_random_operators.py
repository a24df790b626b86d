"""Random operators in onnxruntime: shape and dtype as the kernel's, moments as their distribution says, other numbers each run.

Two sessions draw the same numbers; `onnxruntime.set_seed` tells the process otherwise for what is drawn outside of loops.
"""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install '.[onnx]'")

from onnx_models.cases import DRAWN, LOWERED, SAME, expected
from onnx_models.distributions import COUNTED, EDGES, MOMENTS, REFUSED, check_counts, check_moments, check_supports
from onnx_models.running import of_one_operator, opened, run, session
from ops.samples.sample import Sample, sample
from support.sampling import case_in_failure

import dy2st as paddle
import dy2st.onnx
from dy2st.graphs.lowering.arrays import flattened
from dy2st.onnx.lowering.program import lower
from dy2st.static import InputSpec


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("blur", [SAME, opened], ids=["known lengths", "open lengths"])
def test_shapes(name, blur):
    for k, case in enumerate(LOWERED[name]):
        with case_in_failure(f"sample {k}"):
            program, values = of_one_operator(name, case.operands, case.attrs, blur)
            given, wanted = run(program, values), expected(name, case)
            assert (given.shape, given.dtype) == (wanted.shape, wanted.dtype)


def drawn(name: str, case: Sample) -> np.ndarray:
    program, values = of_one_operator(name, case.operands, case.attrs)
    return run(program, values)


@pytest.mark.parametrize(("name", "case", "mean", "std", "least", "largest"), MOMENTS)
def test_moments(name, case, mean, std, least, largest):
    check_moments(drawn(name, case), mean, std, least, largest)


def test_what_only_some_may_be():
    check_supports(drawn)


@pytest.mark.parametrize(("name", "case", "wanted"), EDGES)
def test_what_is_certain(name, case, wanted):
    np.testing.assert_array_equal(expected(name, case), wanted)
    np.testing.assert_array_equal(drawn(name, case), wanted)


@pytest.mark.parametrize(("name", "case", "chance"), COUNTED)
def test_how_often_each_number_comes(name, case, chance):
    check_counts(drawn(name, case), chance)


def test_weights_decide_the_first_of_several_picks():
    weights = np.tile([1.0, 3.0], (20_000, 1))
    first = drawn("multinomial", sample(weights, count=1, replacement=False))
    assert abs(first.mean() - 0.75) < 0.02


def test_each_run_draws_others():
    program, values = of_one_operator("uniform_like", (np.zeros(8),), {"min": 0.0, "max": 1.0})
    lowered = lower(program)
    (given,), (port,) = lowered.inputs, lowered.outputs
    feeds = dict(zip(given.leaves, flattened(given.type, values[0])))
    model = session(lowered)
    once, again = (model.run(port.leaves, feeds)[0] for _ in range(2))
    assert (once != again).all()


def loops_of_draws(x, n):
    first, second = x * 0, x * 0
    for _ in range(int(n)):
        first = first + paddle.rand([6])
    for _ in range(int(n)):
        second = second + paddle.rand([6])
    if x.sum() > 0:
        third = paddle.rand([6])
    else:
        third = paddle.rand([6]) * 2
    return first, second, third


def test_loops_and_branches_draw_apart(tmp_path):
    specs = [InputSpec([6], "float32"), InputSpec([], "int64")]
    session = dy2st.onnx.Session(dy2st.onnx.export(loops_of_draws, tmp_path / "model", specs))
    for x in (paddle.ones([6]), -paddle.ones([6])):
        rows = np.array([part.numpy() for part in session(x, paddle.to_tensor(1))])
        assert len(np.unique(rows.round(3))) == rows.size


@pytest.mark.parametrize(("name", "case"), REFUSED)
def test_what_the_kernel_refuses_fails(name, case):
    assert isinstance(expected(name, case), ValueError)
    with pytest.raises(Exception, match="ONNXRuntimeError"):
        drawn(name, case)
