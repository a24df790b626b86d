"""Random operators in onnxruntime: shape and dtype as the kernel's, moments as their distribution says, other numbers each run.

Two sessions draw the same numbers; `onnxruntime.set_seed` tells the process otherwise for what is drawn outside of loops.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install 'dy2st[onnx]'")

from onnx_models.cases import DRAWN, LOWERED, SAME, expected
from onnx_models.running import of_one_operator, opened, run, session
from ops.samples.sample import Sample, sample
from support.sampling import case_in_failure

import dy2st as paddle
import dy2st.onnx
from dy2st.onnx.lowering.natives import flattened
from dy2st.onnx.lowering.program import lower
from dy2st.static import InputSpec

LARGE = (200, 150)
X = np.zeros(LARGE)
PROBABILITIES = np.resize([0.0, 0.25, 0.75, 1.0], LARGE)


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


MOMENTS = [  # operator, sample, mean, standard deviation, least, largest
    ("uniform", sample(shape=LARGE, min=-1.0, max=3.0, dtype="float32"), 1, 4 / 12**0.5, -1, 3),
    ("uniform", sample(shape=LARGE, min=-1.0, max=3.0, dtype="float64"), 1, 4 / 12**0.5, -1, 3),
    ("uniform_like", sample(X.astype("float16"), min=-1.0, max=3.0), 1, 4 / 12**0.5, -1, 3),
    ("normal", sample(shape=LARGE, mean=2.0, std=3.0, dtype="float32"), 2, 3, -np.inf, np.inf),
    ("normal_like", sample(X, mean=2.0, std=3.0), 2, 3, -np.inf, np.inf),
    ("randint", sample(shape=LARGE, low=-2, high=3, dtype="int32"), 0, 2**0.5, -2, 2),
    ("randperm", sample(n=30_000, dtype="int64"), 14_999.5, 30_000 / 12**0.5, 0, 29_999),
    ("bernoulli", sample(PROBABILITIES), 0.5, 0.5, 0, 1),
    ("dropout_mask", sample(X, p=0.25), 1, (1 / 3) ** 0.5, 0, 4 / 3),
    ("dropout_mask", sample(X, p=0.25, upscale=False), 0.75, 0.1875**0.5, 0, 1),
    ("multinomial", sample(np.array([1.0, 0.0, 3.0]), count=30_000, replacement=True), 1.5, 0.75**0.5, 0, 2),
    *(("standard_gamma", sample(X + a), a, a**0.5, 0, np.inf) for a in (0.3, 1.0, 2.5, 1e6)),
    *(("poisson", sample((X + rate).astype("float32")), rate, rate**0.5, 0, np.inf) for rate in (0.2, 3.0, 16.0, 17.0, 1000.0)),
    *(("binomial", sample(X + n, X + p), n * p, (n * p * (1 - p)) ** 0.5, 0, n) for n, p in ((1, 0.3), (7, 0.9), (1000, 0.01))),
    ("binomial", sample(np.full((200, 1), 10.0), np.full(150, 0.5)), 5, 2.5**0.5, 0, 10),
]


@pytest.mark.parametrize(("name", "case", "mean", "std", "least", "largest"), MOMENTS)
def test_moments(name, case, mean, std, least, largest):
    found = drawn(name, case).astype("float64")
    error = 6 * std / found.size**0.5  # six standard errors: once in a billion by chance
    assert abs(found.mean() - mean) <= error
    assert abs(found.std() - std) <= 2 * error
    assert least <= found.min() and found.max() <= largest


def test_what_only_some_may_be():
    """A permutation has each number once; without replacement no place comes twice; probabilities of 0 and 1 are certain."""
    assert sorted(drawn("randperm", sample(n=50, dtype="int64"))) == [*range(50)]
    weights = np.array([[0.0, 1.0, 2.0, 3.0], [1.0, 1.0, 0.0, 5.0]])
    picks = drawn("multinomial", sample(weights, count=3, replacement=False))
    assert [sorted(row) for row in picks.tolist()] == [[1, 2, 3], [0, 1, 3]]
    flags = drawn("bernoulli", sample(PROBABILITIES))
    assert (flags[PROBABILITIES == 0] == 0).all() and (flags[PROBABILITIES == 1] == 1).all()


EDGES = [  # operator, sample, what every draw is
    ("standard_gamma", sample(np.array([0.0, np.nan])), [0, np.nan]),
    ("poisson", sample(np.array([0.0, 0.0])), [0, 0]),
    ("binomial", sample(np.array([0.0, 9.0, 9.0]), np.array([0.5, 0.0, 1.0])), [0, 0, 9]),
    ("binomial", sample(np.zeros((0, 3)), np.zeros(3)), np.zeros((0, 3))),
]


@pytest.mark.parametrize(("name", "case", "wanted"), EDGES)
def test_what_is_certain(name, case, wanted):
    np.testing.assert_array_equal(expected(name, case), wanted)
    np.testing.assert_array_equal(drawn(name, case), wanted)


COUNTED = [  # operator, sample, the probability of each number
    ("poisson", sample(X + 2.0), lambda k: math.exp(-2.0) * 2.0**k / math.factorial(k)),
    ("poisson", sample(X + 20.0), lambda k: math.exp(-20.0) * 20.0**k / math.factorial(k)),
    ("binomial", sample(X + 6, X + 0.3), lambda k: math.comb(6, k) * 0.3**k * 0.7 ** (6 - k)),
    ("binomial", sample(X + 30, X + 0.6), lambda k: math.comb(30, k) * 0.6**k * 0.4 ** (30 - k)),
]


@pytest.mark.parametrize(("name", "case", "chance"), COUNTED)
def test_how_often_each_number_comes(name, case, chance):
    found = drawn(name, case).astype(int)
    for k in range(41):
        p = chance(k)
        assert abs((found == k).mean() - p) <= 6 * (p * (1 - p) / found.size) ** 0.5 + 1 / found.size


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


@pytest.mark.parametrize(
    ("name", "case"),
    [
        ("randint", sample(shape=(2,), low=3, high=3, dtype="int64")),
        ("multinomial", sample(np.array([1.0, -1.0]), count=1)),
        ("multinomial", sample(np.array([0.0, 0.0]), count=1)),
        ("multinomial", sample(np.array([1.0, 0.0, 2.0]), count=3)),
        ("standard_gamma", sample(np.array([1.0, -1.0]))),
        ("poisson", sample(np.array([1.0, -1.0]))),
        ("poisson", sample(np.array([np.nan]))),
        ("poisson", sample(np.array([1e19]))),
        ("binomial", sample(np.array([-1.0]), np.array([0.5]))),
        ("binomial", sample(np.array([5.0]), np.array([1.5]))),
        ("binomial", sample(np.array([5.0]), np.array([np.nan]))),
    ],
)
def test_what_the_kernel_refuses_fails(name, case):
    assert isinstance(expected(name, case), ValueError)
    with pytest.raises(Exception, match="ONNXRuntimeError"):
        drawn(name, case)
