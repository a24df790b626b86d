"""Sequential, LayerList, LayerDict, ParameterList behave as list and dict, and their parts are found."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import nn


def linears(*widths):
    return [nn.Linear(a, b) for a, b in zip(widths, widths[1:])]


def test_sequential_applies_in_order():
    a, b = linears(2, 3, 4)
    net = nn.Sequential(a, nn.ReLU(), b)
    x = dy2st.ones([1, 2])
    np.testing.assert_array_equal(net(x).numpy(), b(nn.functional.relu(a(x))).numpy())
    assert len(net) == 3 and net[-1] is b and [type(m).__name__ for m in net[:2]] == ["Linear", "ReLU"]
    named = nn.Sequential(("first", a), ("second", b))
    assert named["second"] is b and list(named.state_dict())[0] == "first.weight"
    net[1] = nn.Tanh()
    assert isinstance(net[1], nn.Tanh)
    net.append(nn.Identity())
    assert len(net) == 4


def test_layer_list_is_a_list():
    a, b, c = linears(1, 2, 3, 4)
    layers = nn.LayerList([a, b])
    layers.append(c)
    assert [*layers] == [a, b, c] and layers[1] is b and len(layers[1:]) == 2 and b in layers
    layers.insert(0, c)
    layers[1] = b
    del layers[0]
    assert [*layers] == [b, b, c]
    layers.extend([a])
    assert list(layers.state_dict()) == [f"{i}.{n}" for i in range(4) for n in ("weight", "bias")]
    with pytest.raises(TypeError, match="LayerList holds Layers, not int"):
        layers.append(1)


def test_layer_dict_is_a_dict():
    a, b = linears(1, 2, 3)
    layers = nn.LayerDict({"a": a})
    layers["b"] = b
    assert list(layers) == ["a", "b"] and "a" in layers and layers["b"] is b and list(layers.values()) == [a, b]
    assert layers.pop("a") is a and len(layers) == 1
    layers.update([("c", a)])
    assert [name for name, _ in layers.named_children()] == ["b", "c"]
    layers.clear()
    assert not layers.parameters()


def test_parameter_list():
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.weights = nn.ParameterList([self.create_parameter([2]) for _ in range(2)])

    net = Net()
    assert [name for name, _ in net.named_parameters()] == ["weights.0", "weights.1"]
    assert net.weights[1] is net.parameters()[1]
    with pytest.raises(TypeError, match="holds Parameters, not Tensor"):
        net.weights.append(dy2st.ones([1]))
