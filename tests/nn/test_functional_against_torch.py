"""Functions of nn.functional and their gradients against torch."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
import dy2st.nn.functional as F

torch = pytest.importorskip("torch")
TF = torch.nn.functional
pytestmark = pytest.mark.filterwarnings("ignore:Using padding:UserWarning", "ignore:reduction:UserWarning")
RNG = np.random.default_rng(0)


def array(*shape, dtype="float64"):
    return RNG.standard_normal(shape).astype(dtype)


def compare(ours, theirs, *arrays):
    """Values and gradients of two functions of the same arrays."""
    mine = [dy2st.to_tensor(a, stop_gradient=False) for a in arrays]
    other = [torch.tensor(a, requires_grad=True) for a in arrays]
    y, expected = ours(*mine), theirs(*other)
    np.testing.assert_allclose(y.numpy(), expected.detach().numpy(), rtol=1e-9, atol=1e-9)
    weights = RNG.standard_normal(expected.shape)
    (y * dy2st.to_tensor(weights)).sum().backward()
    (expected * torch.tensor(weights)).sum().backward()
    for a, b in zip(mine, other):
        np.testing.assert_allclose(a.grad.numpy(), b.grad.numpy(), rtol=1e-9, atol=1e-9)


X = array(2, 4, 7, 6)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"stride": 2, "padding": 1},
        {"stride": [2, 1], "padding": [1, 2], "dilation": [1, 2]},
        {"groups": 2, "padding": 1},
        {"groups": 4},
        {"padding": "valid"},
        {"padding": "same"},
        {"padding": "same", "dilation": 2},
    ],
)
def test_conv2d(options):
    weight, bias = array(8, 4 // options.get("groups", 1), 3, 2), array(8)
    compare(lambda *t: F.conv2d(*t, **options), lambda *t: TF.conv2d(*t, **options), X, weight, bias)


def test_conv2d_takes_channels_last_and_uneven_paddings():
    weight, bias = array(3, 4, 3, 3), array(3)
    ours = F.conv2d(
        dy2st.to_tensor(X.transpose(0, 2, 3, 1)),
        dy2st.to_tensor(weight),
        dy2st.to_tensor(bias),
        padding=[1, 0, 2, 1],
        data_format="NHWC",
    )
    theirs = TF.conv2d(TF.pad(torch.tensor(X), (2, 1, 1, 0)), torch.tensor(weight), torch.tensor(bias))
    np.testing.assert_allclose(ours.numpy().transpose(0, 3, 1, 2), theirs.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("kernel", "stride", "padding", "ceil"),
    [(2, None, 0, False), (3, 2, 1, False), ([3, 2], [2, 1], [1, 0], True), (2, 3, 1, True)],
)
def test_pools(kernel, stride, padding, ceil):
    compare(
        lambda x: F.max_pool2d(x, kernel, stride, padding, ceil_mode=ceil),
        lambda x: TF.max_pool2d(x, kernel, stride, padding, ceil_mode=ceil),
        X,
    )
    for exclusive in (True, False):
        compare(
            lambda x: F.avg_pool2d(x, kernel, stride, padding, ceil_mode=ceil, exclusive=exclusive),
            lambda x: TF.avg_pool2d(x, kernel, stride, padding, ceil_mode=ceil, count_include_pad=not exclusive),
            X,
        )
    _, where = F.max_pool2d(dy2st.to_tensor(X), kernel, stride, padding, return_mask=True, ceil_mode=ceil)
    _, expected = TF.max_pool2d(torch.tensor(X), kernel, stride, padding, ceil_mode=ceil, return_indices=True)
    np.testing.assert_array_equal(where.numpy(), expected.numpy())


def test_max_pool_of_the_lowest_numbers_and_nan():
    x = np.full((1, 1, 4, 4), -np.inf)
    x[0, 0, 3, 3] = np.nan
    out, where = F.max_pool2d(dy2st.to_tensor(x), 2, return_mask=True)
    assert np.isnan(out.numpy()[0, 0, 1, 1]) and where.numpy().reshape(-1).tolist() == [0, 2, 8, 15]


@pytest.mark.parametrize("size", [1, 3, (2, 5), (None, 2)])
def test_adaptive_pool(size):
    compare(lambda x: F.adaptive_avg_pool2d(x, size), lambda x: TF.adaptive_avg_pool2d(x, size), X)


ACTIVATIONS = {
    "relu": {},
    "relu6": {},
    "gelu": {},
    "silu": {},
    "hardswish": {},
    "leaky_relu": {"negative_slope": 0.2},
    "elu": {"alpha": 0.7},
    "softplus": {"beta": 2.0, "threshold": 3.0},
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name):
    options = ACTIVATIONS[name]
    compare(lambda x: getattr(F, name)(x, **options), lambda x: getattr(TF, name)(x, **options), array(5, 7) * 4)


def test_hardsigmoid():
    x = array(5, 7) * 4
    expected = np.clip(x * 0.1666667 + 0.5, 0, 1)
    np.testing.assert_allclose(F.hardsigmoid(dy2st.to_tensor(x)).numpy(), expected, rtol=1e-12)


def test_gelu_by_tanh():
    compare(lambda x: F.gelu(x, approximate=True), lambda x: TF.gelu(x, approximate="tanh"), array(5, 7) * 4)


def test_erf_over_its_whole_range():
    from dy2st.ops.erf import erf_array

    x = np.concatenate([np.linspace(-7, 7, 4001), [0.0, np.inf, -np.inf, np.nan]])
    np.testing.assert_allclose(erf_array(x), torch.erf(torch.tensor(x)).numpy(), rtol=1e-14, atol=0)


@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_softmax(axis):
    compare(lambda x: F.softmax(x, axis), lambda x: TF.softmax(x, axis), array(3, 4, 5) * 20)
    compare(lambda x: F.log_softmax(x, axis), lambda x: TF.log_softmax(x, axis), array(3, 4, 5) * 20)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("weighted", [False, True])
def test_cross_entropy_of_labels(reduction, weighted):
    x, label = array(6, 5, 3), RNG.integers(0, 5, (6, 3))
    label[0, 0] = label[2, 1] = 3
    weight = np.abs(array(5)) if weighted else None
    compare(
        lambda x: F.cross_entropy(
            x, dy2st.to_tensor(label), None if weight is None else dy2st.to_tensor(weight), 3, reduction, axis=1
        ),
        lambda x: TF.cross_entropy(
            x, torch.tensor(label), None if weight is None else torch.tensor(weight), ignore_index=3, reduction=reduction
        ),
        x,
    )
    compare(
        lambda x: F.nll_loss(x, dy2st.to_tensor(label), reduction=reduction),
        lambda x: TF.nll_loss(x, torch.tensor(label), reduction=reduction),
        x,
    )


def test_cross_entropy_of_probabilities_and_smoothed_labels():
    x, soft = array(6, 5), np.exp(array(6, 5))
    soft /= soft.sum(1, keepdims=True)
    label = RNG.integers(0, 5, 6)
    compare(
        lambda x: F.cross_entropy(x, dy2st.to_tensor(soft), soft_label=True), lambda x: TF.cross_entropy(x, torch.tensor(soft)), x
    )
    compare(
        lambda x: F.cross_entropy(x, dy2st.to_tensor(label[:, None]), label_smoothing=0.1),
        lambda x: TF.cross_entropy(x, torch.tensor(label), label_smoothing=0.1),
        x,
    )


def test_cross_entropy_where_nothing_counts_is_zero():
    assert F.cross_entropy(dy2st.zeros([2, 3]), dy2st.to_tensor([-100, -100])).item() == 0


def test_a_label_that_is_no_class_is_refused():
    with pytest.raises(IndexError, match="label 7 is outside the 3 classes"):
        F.cross_entropy(dy2st.zeros([2, 3]), dy2st.to_tensor([0, 7]))
    with pytest.raises(IndexError, match="label -1 is outside"):
        F.cross_entropy(dy2st.zeros([2, 3]), dy2st.to_tensor([0, -1]))


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_distances_and_binary_losses(reduction):
    x, y, p = array(4, 3), array(4, 3), 1 / (1 + np.exp(-array(4, 3)))
    compare(lambda a, b: F.mse_loss(a, b, reduction), lambda a, b: TF.mse_loss(a, b, reduction=reduction), x, y)
    compare(lambda a, b: F.l1_loss(a, b, reduction), lambda a, b: TF.l1_loss(a, b, reduction=reduction), x, y)
    compare(
        lambda a, b: F.smooth_l1_loss(a, b, reduction, 0.7),
        lambda a, b: TF.huber_loss(a, b, reduction=reduction, delta=0.7),
        x,
        y,
    )
    compare(
        lambda a, b: F.binary_cross_entropy_with_logits(a, b, reduction=reduction),
        lambda a, b: TF.binary_cross_entropy_with_logits(a, b, reduction=reduction),
        x,
        p,
    )
    labels = (p > 0.5).astype("float64")
    compare(
        lambda a: F.binary_cross_entropy(a, dy2st.to_tensor(labels), reduction=reduction),
        lambda a: TF.binary_cross_entropy(a, torch.tensor(labels), reduction=reduction),
        p,
    )
    compare(
        lambda a: F.kl_div(a, dy2st.to_tensor(p), reduction),
        lambda a: TF.kl_div(a, torch.tensor(p), reduction=reduction),
        x,
    )


def test_layer_norm_and_normalize():
    compare(
        lambda x, w, b: F.layer_norm(x, [3, 4], w, b),
        lambda x, w, b: TF.layer_norm(x, [3, 4], w, b),
        array(2, 5, 3, 4),
        array(3, 4),
        array(3, 4),
    )
    compare(lambda x: F.normalize(x, axis=1), lambda x: TF.normalize(x, dim=1), array(3, 4, 2))


def test_batch_norm_in_training_and_inference():
    mean, var = array(4), np.abs(array(4)) + 0.5
    for training in (True, False):
        running = dy2st.to_tensor(mean.copy()), dy2st.to_tensor(var.copy())
        theirs = torch.tensor(mean), torch.tensor(var)
        compare(
            lambda x, w, b: F.batch_norm(x, *running, w, b, training=training),
            lambda x, w, b: TF.batch_norm(x, *theirs, w, b, training=training),
            X,
            array(4),
            array(4),
        )
        np.testing.assert_allclose(running[0].numpy(), theirs[0].numpy(), rtol=1e-12)
    # Paddle's running variance takes the biased variance of the batch.
    moved = dy2st.to_tensor(mean.copy()), dy2st.to_tensor(var.copy())
    F.batch_norm(dy2st.to_tensor(X), *moved, training=True, momentum=0.8)
    np.testing.assert_allclose(moved[1].numpy(), 0.8 * var + 0.2 * X.var(axis=(0, 2, 3)), rtol=1e-12)


def test_embedding_with_padding():
    ids = np.array([[0, 2, 2], [1, 3, 0]])
    weight = array(4, 3)
    weight[2] = 0
    compare(
        lambda w: F.embedding(dy2st.to_tensor(ids), w, padding_idx=2),
        lambda w: TF.embedding(torch.tensor(ids), w, padding_idx=2),
        weight,
    )
    with pytest.raises(IndexError, match="id 9 is outside the 4 rows"):
        F.embedding(dy2st.to_tensor([9]), dy2st.to_tensor(weight))


@pytest.mark.parametrize("mode", ["constant", "reflect", "replicate", "circular"])
def test_pad(mode):
    compare(lambda x: F.pad(x, [1, 2, 0, 3], mode), lambda x: TF.pad(x, [1, 2, 0, 3], mode), X)


def test_pad_of_every_axis_goes_from_the_first():
    np.testing.assert_array_equal(F.pad(dy2st.ones([2, 1]), [1, 0, 0, 2]).numpy(), np.pad(np.ones((2, 1)), [(1, 0), (0, 2)]))


def test_linear():
    compare(F.linear, lambda x, w, b: TF.linear(x, w.T, b), array(2, 5, 3), array(3, 4), array(4))
