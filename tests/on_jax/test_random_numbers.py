"""Random numbers in JAX: distributions as the kernels', keys that follow `dy2st.seed`, draws that differ."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

from on_jax.running import run  # noqa: E402
from onnx_models.cases import DRAWN, LOWERED, expected  # noqa: E402
from onnx_models.distributions import (  # noqa: E402
    COUNTED,
    EDGES,
    MOMENTS,
    REFUSED,
    check_counts,
    check_moments,
    check_supports,
)
from onnx_models.running import of_one_operator  # noqa: E402
from ops.samples.sample import sample  # noqa: E402
from support.sampling import sampled  # noqa: E402

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st import nn  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = np.zeros(6, "float32")


def drawn(name, case):
    return run(*of_one_operator(name, case.operands, case.attrs))


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(DRAWN, 6))
def test_shapes(name):
    for case in LOWERED[name]:
        given, wanted = drawn(name, case), expected(name, case)
        assert (given.shape, given.dtype) == (wanted.shape, wanted.dtype)


@pytest.mark.long
@pytest.mark.parametrize(("name", "case", "mean", "std", "least", "largest"), sampled(MOMENTS, 6))
def test_moments(name, case, mean, std, least, largest):
    check_moments(drawn(name, case), mean, std, least, largest)


@pytest.mark.long
@pytest.mark.parametrize(("name", "case", "chance"), sampled(COUNTED, 1))
def test_how_often_each_number_comes(name, case, chance):
    check_counts(drawn(name, case), chance)


@pytest.mark.long
@pytest.mark.parametrize(("name", "case", "wanted"), sampled(EDGES, 2))
def test_what_is_certain(name, case, wanted):
    np.testing.assert_array_equal(drawn(name, case), wanted)


@pytest.mark.long
@pytest.mark.parametrize(("name", "case"), sampled(REFUSED, 4))
def test_what_the_kernel_refuses_fails(name, case):
    with pytest.raises(ValueError, match=name):
        drawn(name, case)


def test_what_only_some_may_be():
    check_supports(drawn)


def distance(found, share_below):
    """The largest distance between shares of a sample and of a distribution, times the root of its size (Kolmogorov, Smirnov)."""
    found = np.sort(found.reshape(-1).astype("float64"))
    steps = np.arange(found.size + 1) / found.size
    wanted = share_below(found)
    return max(np.max(steps[1:] - wanted), np.max(wanted - steps[:-1])) * found.size**0.5


SHARES = {
    "uniform": (dict(min=-1.0, max=3.0), lambda x: (x + 1) / 4),
    "normal": (dict(mean=2.0, std=3.0), lambda x: 0.5 * (1 + erf((x - 2) / 18**0.5))),
}


def erf(x):
    return np.asarray(jax.scipy.special.erf(x))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", SHARES)
def test_shares(name, dtype):
    attributes, share_below = SHARES[name]
    assert distance(drawn(name, sample(shape=(100_000,), dtype=dtype, **attributes)), share_below) < 3  # 3e-8 by chance


@pytest.mark.parametrize(
    ("low", "high"), [(-(2**62), 2**62 + 2**61), (0, 2**62), (-(2**63), 2**63 - 1), (5, 2**33), (-7, -4), (0, 1)]
)
def test_integers_of_any_bounds(low, high):
    """Also those of more bits than a float has."""
    found = drawn("randint", sample(shape=(20_000,), low=low, high=high, dtype="int64")).astype(object)
    assert low <= found.min() and found.max() < high
    if high - low > 100:
        assert distance(np.asarray((found - low) / (high - low)), lambda x: x) < 3
        for bit in range(3):
            assert abs((found >> bit & 1).mean() - 0.5) < 0.03


def draws(x):
    """Numbers of draws side by side, in loops of known and of unknown length, and in a branch."""
    found = [paddle.rand([6]), paddle.rand([6])]
    for _ in range(3):
        found.append(paddle.rand([6]) + x)
        found.append(paddle.rand([6]) + x)
    total, turns = x, x.sum()
    while turns < 4:
        part = paddle.rand([6])
        for _ in range(2):
            part = part * 10 + paddle.rand([6])
        total = total * 100 + part
        turns += 1
    if x.sum() == 0:
        found.append(paddle.rand([6]))
    else:
        found.append(paddle.rand([6]) - 1)
    return paddle.stack(found), total


SPECS = [InputSpec([6], "float32", "x")]


def test_no_two_draws_are_alike():
    f, params = dy2st.jax.function(draws, SPECS)
    call, seen = jax.jit(f), []
    for _ in range(3):
        (found, total), state, status = call(params, X)
        status.throw()
        seen += [np.asarray(found).reshape(-1), np.asarray(total)]
        params = params | state
    numbers = np.concatenate(seen)
    assert len(np.unique(numbers.round(6))) == numbers.size


def test_the_seed_says_the_key():
    paddle.seed(3)
    (_, first), (_, second) = (dy2st.jax.function(draws, SPECS) for _ in range(2))
    paddle.seed(3)
    f, again = dy2st.jax.function(draws, SPECS)
    np.testing.assert_array_equal(first["random key"], again["random key"])
    assert (first["random key"] != second["random key"]).any()
    np.testing.assert_array_equal(f(first, X)[0][0], jax.jit(f)(again, X)[0][0])  # f is pure: one key, the same numbers


@pytest.mark.parametrize(
    "keys", [lambda: jax.random.split(jax.random.key(0), 4), lambda: np.arange(8, dtype="uint32").reshape(4, 2)]
)
def test_keys_of_a_batch(keys):
    f, _ = dy2st.jax.function(draws, SPECS)
    (found, _), state, _ = jax.vmap(f, ({"random key": 0}, None))({"random key": keys()}, X)
    assert len(np.unique(np.asarray(found).round(6))) == found.size
    assert jax.tree_util.tree_map(lambda x: (x.shape, x.dtype), state["random key"]) == (keys().shape, keys().dtype)


def test_what_is_no_key():
    f, _ = dy2st.jax.function(draws, SPECS)
    with pytest.raises(TypeError, match="a key is uint32"):
        f({"random key": np.zeros(2, "int32")}, X)


class Dropped(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc, self.drop = nn.Linear(6, 6), nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.fc(x))


def test_gradients_know_what_was_dropped():
    f, params = dy2st.jax.function(Dropped(), SPECS)
    floats = {name: x for name, x in params.items() if name.startswith("fc")}
    y, slopes = f(params, X + 1)[0], jax.grad(lambda p: f(params | p, X + 1)[0].sum())(floats)
    np.testing.assert_array_equal(slopes["fc.bias"], np.where(np.asarray(y) == 0, 0, 2))
    net = Dropped()
    net.eval()
    assert "random key" not in dy2st.jax.function(net, SPECS)[1]


def test_the_engine_follows_the_seed():
    static = paddle.jit.to_static(draws, input_spec=SPECS, backend="jax")
    with paddle.no_grad():
        paddle.seed(5)
        first, second = (static(paddle.zeros([6]))[0].numpy() for _ in range(2))
        paddle.seed(5)
        again = static(paddle.zeros([6]))[0].numpy()
    np.testing.assert_array_equal(first, again)
    assert (first != second).all()


def test_a_failing_call_of_the_engine_says_so():
    def checked(x):
        y = paddle.randint(3, 9, [6])
        if y.min() < 9:
            raise KeyError(f"below {int(y.max() * 0 + 9)}")
        return x

    static = paddle.jit.to_static(checked, input_spec=SPECS, backend="jax")
    with paddle.no_grad(), pytest.raises(KeyError, match="below 9"):
        static(paddle.zeros([6]))
