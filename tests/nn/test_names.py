"""Module paths and second names that models import; what a Layer can do beside the essential."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import nn


def test_module_paths():
    from dy2st.jit.api import load, save, to_static
    from dy2st.jit.dy2static import convert_call, convert_ifelse
    from dy2st.nn.layer import Layer
    from dy2st.nn.utils import weight_norm
    from dy2st.optimizer.lr import LRScheduler
    from dy2st.regularizer import L2Decay

    assert Layer is nn.Layer is nn.Module and to_static is dy2st.jit.to_static and callable(convert_ifelse)
    assert all(map(callable, (load, save, convert_call, weight_norm, LRScheduler, L2Decay)))


def test_parts_by_their_dotted_names():
    net = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.BatchNorm1D(3)))
    assert net.get_sublayer("1.0") is net[1][0] and net.get_parameter("0.weight") is net[0].weight
    assert net.get_buffer("1.0._mean") is net[1][0]._mean and net.get_submodule("") is net
    with pytest.raises(AttributeError):
        net.get_parameter("0.kernel")
    assert [n for n, _ in net.named_modules()] == ["", "0", "1", "1.0"] and len(list(net.modules())) == 4


def test_gradients_on_and_off():
    net = nn.Linear(2, 1)
    net.requires_grad_(False)
    assert net(dy2st.ones([1, 2])).stop_gradient
    net.requires_grad_().train(False)
    net(dy2st.ones([1, 2])).sum().backward()
    assert not net.training and net.weight.grad is not None
    net.clear_gradients()
    assert net.weight.grad.tolist() == [[0], [0]]
    net.zero_grad()
    assert net.weight.grad is None
    assert net.double().weight.dtype == "float64" and net.half().bias.dtype == "float16"


def test_a_dict_of_parameters():
    net = nn.ParameterDict({"a": nn.Parameter(np.ones(2, "float32"))})
    net["b"] = nn.Parameter(np.zeros(1, "float32"))
    assert [n for n, _ in net.named_parameters()] == ["a", "b"] == list(net) and net["a"].tolist() == [1, 1]
    del net["a"]
    assert "a" not in net and len(net) == 1
    with pytest.raises(TypeError, match="holds Parameters"):
        net["c"] = dy2st.ones([1])


def test_dropout1d_drops_channels():
    dy2st.seed(0)
    found = nn.functional.dropout1d(dy2st.ones([4, 5, 6])).numpy()
    assert set(found.reshape(-1)) == {0.0, 2.0} and (found == found[:, :, :1]).all()
