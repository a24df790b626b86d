"""P-06: attributes and arguments that Paddle's users write."""

from __future__ import annotations

import math

import pytest

import dy2st as paddle
from dy2st import nn

X = paddle.ones([1, 2])


def test_p_06_full_takes_a_text_that_spells_a_number():
    assert paddle.full([2], "-inf").tolist() == [-math.inf] * 2
    assert paddle.full([1], "1.5", "int32").tolist() == [1] and paddle.full_like(X, "3").tolist() == [[3, 3]]
    with pytest.raises(ValueError, match="spells one, not 'abc'"):
        paddle.full([2], "abc")


def filled(x):
    return paddle.where(x > 1, x, paddle.full(x.shape, "-inf"))


def test_p_06_a_static_function_takes_the_text_too():
    assert paddle.jit.to_static(filled)(X).tolist() == [[-math.inf] * 2]


class Skips(nn.Layer):
    def __init__(self):
        super().__init__()
        self.layers = nn.LayerList([nn.Linear(2, 2), None])
        self.layers.append(None)
        self.named = nn.LayerDict({"there": nn.Linear(2, 2), "not": None})

    def forward(self, x):
        for layer in self.layers:
            if layer is not None:
                x = layer(x)
        for key in self.named:
            x = x if self.named[key] is None else self.named[key](x)
        return x


def test_p_06_lists_of_layers_hold_none(tmp_path):
    net = Skips()
    assert list(net.state_dict()) == ["layers.0.weight", "layers.0.bias", "named.there.weight", "named.there.bias"]
    assert len(net.layers) == 3 and net.layers[1] is None and "(1): None" in repr(net)
    expected = net(X).tolist()
    static = paddle.jit.to_static(net)
    assert static(X).tolist() == expected
    paddle.jit.save(static, str(tmp_path / "net"))
    assert paddle.jit.load(str(tmp_path / "net"))(X).tolist() == expected


def test_p_06_attributes_of_layers_and_parameters():
    assert nn.MultiHeadAttention(4, 2, need_weights=True).need_weights is True
    for cls in (nn.AdaptiveAvgPool1D, nn.AdaptiveAvgPool2D, nn.AdaptiveAvgPool3D, nn.AdaptiveMaxPool1D, nn.AdaptiveMaxPool2D):
        assert cls(1, name="pool")._name == "pool"
    assert nn.MaxPool2D(3).ksize == nn.AvgPool2D(3).ksize == 3
    assert nn.GRU(2, 2).flatten_parameters() is None
    weight = nn.Linear(2, 2).weight
    nn.initializer.Constant(2.0)(weight, weight.block)
    assert weight.tolist() == [[2, 2], [2, 2]]


@pytest.mark.parametrize("method", ["cuda", "pin_memory"])
def test_p_06_there_is_no_gpu_to_move_a_tensor_to(method):
    with pytest.raises(ValueError, match="tensors live on the CPU"):
        getattr(X, method)()
    with pytest.raises(ValueError, match="the CPU"):
        nn.Linear(2, 2).to("gpu")
