"""bfloat16: operators compute in float32 and round; held against rounding by bits, at once, as a Program, saved and loaded."""

from __future__ import annotations

import numpy as np
import pytest
from safetensors import safe_open

import dy2st as paddle
import dy2st.nn.functional as F
from dy2st import dtypes, jit, nn
from dy2st.errors import DTypeError
from dy2st.static import InputSpec

VALUES = np.random.default_rng(7).normal(size=(3, 4)).astype(np.float32)


def rounded(x):
    """The nearest number with 8 bits of fraction, of two the even one: float32's bits, cut in half."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


@pytest.fixture(autouse=True)
def with_arrays():
    pytest.importorskip("ml_dtypes")


@pytest.fixture
def x():
    return paddle.to_tensor(VALUES).astype("bfloat16")


def numbers(tensor):
    return tensor.astype("float32").numpy()


def test_casts_round_to_the_nearest_and_numpy_gives_the_bits(x):
    assert x.dtype == paddle.bfloat16 == "bfloat16" and x.dtype.is_floating
    np.testing.assert_array_equal(numbers(x), rounded(VALUES))
    assert x.numpy().dtype == np.uint16
    np.testing.assert_array_equal(x.numpy(), rounded(VALUES).view(np.uint32) >> 16)
    np.testing.assert_array_equal(numbers(paddle.to_tensor(x.numpy(), dtype="bfloat16")), rounded(VALUES))
    with pytest.raises((DTypeError, TypeError)):
        paddle.to_tensor(x.numpy())  # whole numbers, for all that is known
    np.testing.assert_array_equal(np.asarray(x).astype(np.float32), rounded(VALUES))
    assert x[0, 0].item() == float(x[0, 0]) == rounded(VALUES)[0, 0]
    assert paddle.finfo(paddle.bfloat16).eps == 2.0**-7 and paddle.finfo("bfloat16").bits == 16


SAMPLES = {  # a function of paddle's; the same of NumPy's, on numbers that are rounded already
    "add": (lambda x: x + x.T[0, 0], lambda v: v + v[0, 0]),
    "with a number": (lambda x: x * 1.7 - 2, lambda v: rounded(v * np.float32(1.7)) - 2),
    "matmul": (lambda x: x @ x.T, lambda v: v @ v.T),
    "exp": (paddle.exp, np.exp),
    "sum": (lambda x: x.sum(0), lambda v: v.sum(0)),
    "mean": (lambda x: paddle.mean(x), np.mean),
    "max": (lambda x: x.max(-1), lambda v: v.max(-1)),
    "relu": (F.relu, lambda v: np.maximum(v, 0)),
    "where": (lambda x: paddle.where(x > 0, x, -x), np.abs),
    "moved": (lambda x: paddle.concat([x.T[1:], x.T[:1]]).reshape([2, 6]), lambda v: np.roll(v.T, -1, 0).reshape(2, 6)),
    "taken": (lambda x: paddle.gather(x, paddle.arange(2, -1, -2)), lambda v: v[[2, 0]]),
    "sorted": (lambda x: paddle.sort(x, -1), lambda v: np.sort(v, -1)),
}  # fmt: skip


@pytest.mark.parametrize("function, of_numpy", SAMPLES.values(), ids=SAMPLES)
def test_results_are_those_of_float32_rounded(x, function, of_numpy):
    expected = rounded(of_numpy(rounded(VALUES)))
    staged = jit.to_static(function if hasattr(function, "__code__") else lambda x: function(x))
    for found in (function(x), staged(x)):
        assert found.dtype == "bfloat16"
        np.testing.assert_allclose(numbers(found), expected, rtol=2.0**-8, atol=0)


def test_where_dtypes_meet(x):
    assert (x + paddle.to_tensor(VALUES)).dtype == "float32"
    assert (x + paddle.to_tensor(VALUES).astype("float16")).dtype == "float32"
    assert (x + paddle.to_tensor(VALUES).astype("int64")).dtype == "bfloat16"
    assert x.argmax().dtype == "int64" and (x > 0).dtype == "bool"
    ones, drawn = paddle.ones([2], "bfloat16"), paddle.randn([2], "bfloat16")
    for made in (ones, drawn, paddle.full([2], 1.1, "bfloat16"), paddle.zeros_like(x)):
        assert made.dtype == "bfloat16"


def test_writes_in_place_reach_the_memory_that_views_share(x):
    row = x[1]
    row.add_(paddle.ones([4], "bfloat16"))
    x[0] = 2.5
    v = rounded(VALUES)
    v[1], v[0] = rounded(v[1] + 1), 2.5
    np.testing.assert_array_equal(numbers(x), v)


def test_gradients_are_bfloat16(x):
    x.stop_gradient = False
    (x * x * 3.0).sum().backward()
    assert x.grad.dtype == "bfloat16"
    np.testing.assert_allclose(numbers(x.grad), 6 * rounded(VALUES), rtol=2.0**-6)


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.norm = nn.LayerNorm(4)

    def forward(self, x):
        h = self.norm(F.gelu(self.linear(x)))
        while h.abs().max() > 1:
            h = h / 2
        rows = []
        for i in range(h.shape[0]):
            rows.append(h[i] * i)
        return paddle.stack(rows), h.mean().item()


@pytest.fixture(scope="module")
def net():
    paddle.seed(1)
    return Net().to(dtype="bfloat16")


def test_a_model_is_converted_saved_and_loaded_with_the_same_bits(net, x, tmp_path):
    expected = net(x)
    static = jit.to_static(net.forward, input_spec=[InputSpec([None, 4], "bfloat16", "x")])
    jit.save(static, str(tmp_path / "net"))
    for found in (static(x), jit.load(str(tmp_path / "net"))(x)):
        np.testing.assert_array_equal(found[0].numpy(), expected[0].numpy())
        assert float(found[1]) == expected[1]


def test_state_is_kept_in_two_bytes_an_element(net, tmp_path):
    path = str(tmp_path / "net.safetensors")
    paddle.save(net.state_dict(), path)
    with safe_open(path, "np") as file:
        assert file.get_slice("linear.weight").get_dtype() == "BF16"
    other = Net().to(dtype="bfloat16")
    other.set_state_dict(paddle.load(path))
    for name, tensor in net.state_dict().items():
        np.testing.assert_array_equal(other.state_dict()[name].numpy(), tensor.numpy())


@pytest.mark.parametrize("optimizer", [paddle.optimizer.SGD, paddle.optimizer.AdamW, paddle.optimizer.Momentum])
def test_training_follows_that_in_float32(net, x, optimizer):
    narrow, wide = Net(), Net()
    wide.set_state_dict({name: t.astype("float32") for name, t in net.state_dict().items()})
    narrow.to(dtype="bfloat16").set_state_dict(net.state_dict())
    losses = []
    for model, given in ((narrow, x), (wide, x.astype("float32"))):
        opt = optimizer(0.05, parameters=model.parameters())
        for _ in range(5):
            loss = (F.gelu(model.linear(given)) ** 2).mean()
            loss.backward()
            opt.step()
            opt.clear_grad()
        losses.append(float(loss))
        assert model.linear.weight.dtype == ("bfloat16" if model is narrow else "float32")
    assert losses[0] == pytest.approx(losses[1], rel=0.05)


def test_without_the_package_the_name_is_there_and_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ml_dtypes", None)
    assert paddle.to_tensor(VALUES).dtype != paddle.bfloat16
    with pytest.raises(DTypeError, match=r"need the package ml_dtypes, .*: pip install '\.\[bfloat16\]'"):
        dtypes.DTYPES["bfloat16"].numpy  # noqa: B018
