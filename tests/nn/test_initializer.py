"""Initializers: bounds and moments, the seed, Paddle's defaults, ParamAttr."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dy2st
from dy2st import nn
from dy2st.nn import initializer as init


def values(initializer, *shape):
    dy2st.seed(0)
    return initializer(nn.Parameter(np.zeros(shape, "float32"))).numpy()


@pytest.mark.parametrize(
    ("initializer", "limit"),
    [
        (init.Uniform(-0.3, 0.3), 0.3),
        (init.XavierUniform(), math.sqrt(6 / 500)),
        (init.XavierUniform(gain=2.0), 2 * math.sqrt(6 / 500)),
        (init.KaimingUniform(), math.sqrt(2) * math.sqrt(3 / 200)),
        (init.TruncatedNormal(0.0, 0.1, -0.2, 0.2), 0.2),
        (init.TruncatedNormal(1.0, 2.0), 2.0),
    ],
)
def test_bounds(initializer, limit):
    found = np.abs(values(initializer, 200, 300))
    assert 0.99 * limit < found.max() <= limit * 1.000001


@pytest.mark.parametrize(
    ("initializer", "deviation"),
    [(init.Normal(0.0, 0.5), 0.5), (init.XavierNormal(), math.sqrt(2 / 500)), (init.KaimingNormal(), math.sqrt(2 / 200))],
)
def test_deviations(initializer, deviation):
    assert abs(values(initializer, 200, 300).std() / deviation - 1) < 0.02


@pytest.mark.parametrize(
    ("arguments", "mean", "deviation"),
    [((), 0.0, 0.88), ((1.0,), 0.72, 0.79), ((0.0, 2.0), 0.0, 1.08), ((0.0, 0.1), 0.0, 0.1), ((5.0,), 1.72, 0.27)],
)
def test_truncated_normal_as_in_paddle(arguments, mean, deviation):
    """Paddle 3.3 gives these: `a` and `b` are values, not multiples of the deviation."""
    found = values(init.TruncatedNormal(*arguments), 200, 300)
    assert abs(found.mean() - mean) < 0.02 and abs(found.std() - deviation) < 0.02


def test_fans_of_a_kernel():
    assert init.fans([8, 4, 3, 3]) == (36, 72) and init.fans([5]) == (5, 5)


def test_fixed_values_and_seed():
    assert values(init.Constant(3.0), 2).tolist() == [3, 3]
    assert values(init.Assign([1.0, 2.0]), 2).tolist() == [1, 2]
    with pytest.raises(ValueError, match=r"shape \[2\] for a parameter of shape \[3\]"):
        values(init.Assign([1.0, 2.0]), 3)
    np.testing.assert_array_equal(values(init.Normal(), 5), values(init.Normal(), 5))


def test_gains():
    assert init.calculate_gain("relu") == pytest.approx(math.sqrt(2))
    assert init.calculate_gain("leaky_relu", 1.0) == pytest.approx(1.0)
    with pytest.raises(ValueError, match="no gain is known for 'sinus'"):
        init.calculate_gain("sinus")


def test_paddles_defaults():
    dy2st.seed(0)
    linear, conv, norm = nn.Linear(200, 300), nn.Conv2D(16, 64, 3), nn.BatchNorm2D(4)
    assert abs(np.abs(linear.weight.numpy()).max() - math.sqrt(6 / 500)) < 1e-3
    assert not linear.bias.numpy().any() and not conv.bias.numpy().any()
    assert abs(conv.weight.numpy().std() / math.sqrt(2 / (9 * 16)) - 1) < 0.05
    assert norm.weight.tolist() == norm._variance.tolist() == [1] * 4 and norm._mean.tolist() == [0] * 4


def test_param_attr():
    attr = nn.ParamAttr(name="mine", initializer=init.Constant(0.5), learning_rate=0.1, trainable=False)
    layer = nn.Linear(2, 2, weight_attr=attr, bias_attr=False)
    assert layer.bias is None and layer.weight.name == "mine" and layer.weight.stop_gradient
    assert layer.weight.numpy().mean() == 0.5 and layer.weight.optimize_attr == {"learning_rate": 0.1}
    assert nn.Linear(1, 1, weight_attr="named").weight.name == "named"
    assert nn.Linear(1, 1, bias_attr=init.Constant(7.0)).bias.item() == 7
    with pytest.raises(TypeError, match="a ParamAttr, an initializer, a name or False, not int"):
        nn.Linear(1, 1, weight_attr=3)
