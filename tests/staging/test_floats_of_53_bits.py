"""A Python float that only the Program knows has 53 bits wherever it comes out: results, state, files, ONNX, JAX."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st.static import InputSpec

SPECS = [InputSpec([None], "float32", "x")]


def third(x):
    return 16777217 + x.sum().item() / 3


def parts(x):
    k = x.sum().item()
    return [k + 0.1, {"a": k + 16777217.0}], (k * 1e300, k + 1)


class Counter(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.seen = 16777216.0

    def forward(self, x):
        self.seen = self.seen + x.sum().item()
        return self.seen


def test_s_23_a_float_that_staging_does_not_know_leaves_with_53_bits():
    found = paddle.jit.to_static(third)(paddle.zeros([1]))
    assert found.item() == third(paddle.zeros([1])) == 16777217.0 and found.dtype == "float64"


def test_s_23_a_float_inside_a_result_has_53_bits():
    x = paddle.to_tensor([1.0])
    (tenth, held), (large, one) = paddle.jit.to_static(parts)(x)
    assert [tenth.item(), held["a"].item(), large.item(), one.item()] == [1.1, 16777218.0, 1e300, 2.0]


def test_s_23_a_float_beside_a_float32_tensor_still_gives_float32():
    doubled = paddle.jit.to_static(lambda x: x * (x.sum().item() + 0.1))
    assert doubled(paddle.ones([2])).dtype == "float32"


def test_s_23_a_float_of_a_loaded_model_has_53_bits(tmp_path):
    paddle.jit.save(paddle.jit.to_static(third), str(tmp_path / "third"), input_spec=SPECS)
    assert paddle.jit.load(str(tmp_path / "third"))(paddle.zeros([1])).item() == 16777217.0


@pytest.mark.parametrize("backend, package", [("onnxruntime", "onnxruntime"), ("jax", "jax")])
def test_s_23_a_float_of_another_engine_has_53_bits(backend, package):
    pytest.importorskip(package)
    assert paddle.jit.to_static(third, backend=backend, input_spec=SPECS)(paddle.zeros([1])).item() == 16777217.0


def test_s_23_a_float_in_state_has_53_bits():
    net = paddle.jit.to_static(Counter())
    assert [net(paddle.ones([1])).item() for _ in range(2)] == [16777217.0, 16777218.0] and net.seen == 16777218.0
