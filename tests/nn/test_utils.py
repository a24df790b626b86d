"""Weights computed of other parameters, gradients clipped by hand, parameters as a vector; initializers with patterns."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import dy2st
from dy2st import jit, nn, optimizer
from dy2st.nn import initializer, utils
from dy2st.static import InputSpec

X = np.random.default_rng(0).standard_normal((2, 3, 5, 4)).astype("float32")


def static(net, *shape):
    return jit.to_static(net, input_spec=[InputSpec(list(shape), "float32", "x")])


@pytest.mark.parametrize("dim", [0, 1, 3, None])
def test_weight_norm(dim, tmp_path):
    net = nn.Conv2D(3, 4, 3)
    x = dy2st.to_tensor(X)
    expected, weight = net(x).numpy(), net.weight.numpy().copy()
    utils.weight_norm(net, dim=dim)
    assert sorted(n for n, _ in net.named_parameters()) == ["bias", "weight_g", "weight_v"]
    np.testing.assert_allclose(net(x).numpy(), expected, rtol=1e-4, atol=1e-5)
    net.weight_g.set_value(net.weight_g * 2)
    np.testing.assert_allclose(net.weight.numpy(), weight * 2, rtol=1e-5)
    program = static(net, None, 3, None, 4)
    for _ in range(2):
        net.weight_v.set_value(net.weight_v + 0.1)
        np.testing.assert_allclose(program(x).numpy(), net.forward(x).numpy(), rtol=1e-4, atol=1e-5)
    program(x).sum().backward()
    assert net.weight_g.grad is not None and net.weight_v.grad is not None
    jit.save(program, str(tmp_path / "net"))
    np.testing.assert_allclose(jit.load(str(tmp_path / "net"))(x).numpy(), program(x).numpy(), rtol=1e-5)
    value = net.weight.numpy()
    utils.remove_weight_norm(net)
    assert [n for n, _ in net.named_parameters()] == ["bias", "weight"]
    np.testing.assert_array_equal(net.weight.numpy(), value)


class Model(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = utils.weight_norm(nn.Linear(3, 2), dim=1)

    def forward(self, x):
        return x @ self.linear.weight


def test_user_code_that_reads_a_computed_weight_is_staged_once():
    net = Model()
    program, x = static(net, None, 3), dy2st.to_tensor(X[0, :, 0, :3])
    for _ in range(3):
        np.testing.assert_allclose(program(x).numpy(), (x @ net.linear.weight).numpy(), rtol=1e-5)
        net.linear.weight_g.set_value(net.linear.weight_g * 1.5)
    assert len(program.forward.program_cache) == 1


def test_spectral_norm_comes_near_the_largest_singular_value():
    net = utils.spectral_norm(nn.Linear(4, 3))
    matrix, x = net.weight_orig.numpy(), dy2st.to_tensor(X[0, 0])
    for _ in range(60):
        net(x)
    size = np.linalg.svd(matrix, compute_uv=False)[0]
    np.testing.assert_allclose(net.weight.numpy(), matrix / size, rtol=1e-3)
    net.eval()
    kept = net.weight_u.numpy().copy()
    np.testing.assert_allclose(static(net, None, 4)(x).numpy(), net(x).numpy(), rtol=1e-5)
    np.testing.assert_array_equal(net.weight_u.numpy(), kept)


def test_spectral_norm_moves_its_vectors_in_a_program():
    one = utils.spectral_norm(nn.Conv2D(3, 4, 3))
    other, x = copy.deepcopy(one), dy2st.to_tensor(X)
    program = static(other, None, 3, None, 4)
    for _ in range(3):
        np.testing.assert_allclose(program(x).numpy(), one(x).numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(other.weight_u.numpy(), one.weight_u.numpy(), rtol=1e-4)


def test_a_gradient_clipped_by_hand():
    p, q = (nn.Parameter(np.array(v, "float32")) for v in ([3.0, 0.0], [4.0]))
    (p * p / 2).sum().backward()
    (q * q / 2).sum().backward()
    assert utils.clip_grad_norm_([p, q], 1.0).item() == 5.0
    np.testing.assert_allclose(p.grad.numpy(), [0.6, 0], rtol=1e-5)
    utils.clip_grad_value_([p, q], 0.5)
    np.testing.assert_allclose(q.grad.numpy(), [0.5])
    optimizer.SGD(1.0, [p, q]).step()
    np.testing.assert_allclose(p.numpy(), [2.5, 0], rtol=1e-5)


def test_parameters_as_a_vector():
    net = nn.Linear(3, 2)
    vector = utils.parameters_to_vector(net.parameters())
    assert vector.shape == [8]
    utils.vector_to_parameters(vector * 0 + 2, net.parameters())
    assert (net.weight.numpy() == 2).all() and not net.weight.stop_gradient


def test_orthogonal():
    for shape in ([4, 6], [6, 4], [3, 2, 2]):
        made = initializer.Orthogonal(2.0).values(shape).reshape(shape[0], -1)
        square = made @ made.T if made.shape[0] <= made.shape[1] else made.T @ made
        np.testing.assert_allclose(square, 4 * np.eye(min(made.shape)), atol=1e-9)


def test_dirac_kernels_give_their_input():
    net = nn.Conv2D(4, 4, 3, padding=1, groups=2, weight_attr=initializer.Dirac(2))
    x = dy2st.to_tensor(np.random.default_rng(1).standard_normal((1, 4, 5, 5)).astype("float32"))
    np.testing.assert_allclose(net(x).numpy(), x.numpy())


def test_bilinear_kernels_interpolate():
    found = initializer.Bilinear().values([1, 1, 4, 4])[0, 0]
    np.testing.assert_allclose(found, np.outer([0.25, 0.75, 0.75, 0.25], [0.25, 0.75, 0.75, 0.25]))


def test_a_global_initializer_comes_before_the_layers_own():
    initializer.set_global_initializer(initializer.Constant(0.5), initializer.Constant(0.1))
    try:
        net = nn.Linear(2, 2, bias_attr=initializer.Constant(7.0))
        assert net.weight.tolist() == [[0.5, 0.5], [0.5, 0.5]] and net.bias.tolist() == [7, 7]
        assert nn.Conv2D(1, 1, 1).bias.tolist() == [np.float32(0.1)]
    finally:
        initializer.set_global_initializer(None)
    assert nn.Linear(2, 2).bias.tolist() == [0, 0]


def test_kaiming_by_what_goes_out():
    made = initializer.KaimingUniform(mode="fan_out").values([100, 4])
    assert np.abs(made).max() <= np.sqrt(6 / 4) and np.abs(made).max() > 1
    with pytest.raises(ValueError, match="leave it out"):
        initializer.KaimingNormal(fan_in=3, mode="fan_out")


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match="no parameter 'kernel'"):
        utils.weight_norm(nn.Linear(2, 2), "kernel")
    with pytest.raises(RuntimeError, match="computed of other parameters already"):
        utils.weight_norm(utils.spectral_norm(nn.Linear(2, 2)))
    with pytest.raises(ValueError, match="no weight_norm"):
        utils.remove_weight_norm(nn.Linear(2, 2))
