"""Layer: what attributes become, walking, state dicts, hooks, modes, copies."""

from __future__ import annotations

import copy
from contextlib import contextmanager

import numpy as np
import pytest

import dy2st
from dy2st import nn
from dy2st.nn.layer import attribute_epoch
from dy2st.nn.parameter import Parameter
from dy2st.ops import dispatch
from dy2st.runtime.library.layer_hooks import inputs_after
from dy2st.runtime.tensors.eager import EagerMode


class Block(nn.Layer):
    def __init__(self, width=3):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.scale = self.create_parameter([width], default_initializer=nn.initializer.Constant(2.0))
        self.mask = dy2st.ones([width])
        self.register_buffer("count", dy2st.zeros([1]))
        self.width = width

    def forward(self, x):
        return self.linear(x) * self.scale * self.mask


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = Block(), Block()
        self.shared = self.first.linear

    def forward(self, x):
        return self.second(self.first(x))


def test_attributes_find_their_table():
    block = Block()
    assert [name for name, _ in block.named_parameters()] == ["scale", "linear.weight", "linear.bias"]
    assert [name for name, _ in block.named_buffers()] == ["mask", "count"]
    assert [name for name, _ in block.named_children()] == ["linear"]
    assert block.width == 3 and isinstance(block.scale, nn.Parameter)


def test_attributes_change_what_they_are():
    block = Block()
    block.mask = None
    assert block.mask is None and [n for n, _ in block.named_buffers()] == ["count"]
    block.mask = dy2st.zeros([3])
    assert [n for n, _ in block.named_buffers()] == ["mask", "count"]
    block.linear = 5
    assert block.linear == 5 and not block.sublayers()
    block.linear = nn.Linear(1, 1)
    assert len(block.sublayers()) == 1
    del block.linear
    with pytest.raises(AttributeError, match="'Block' object has no attribute 'linear'"):
        block.linear  # noqa: B018
    with pytest.raises(TypeError, match="assignment to parameter .scale. should be of type Parameter or None, but got .Tensor."):
        block.scale = dy2st.zeros([3])


def test_a_forgotten_super_init_is_named():
    class Forgot(nn.Layer):
        def __init__(self):
            self.linear = nn.Linear(1, 1)

    with pytest.raises(AttributeError, match=r"must call super\(\).__init__\(\)"):
        Forgot()


def test_each_object_is_walked_once_and_saved_under_every_name():
    net = Net()
    names = [name for name, _ in net.named_parameters()]
    assert "first.linear.weight" in names and "shared.weight" not in names
    assert len(net.parameters()) == len(set(map(id, net.parameters()))) == 6
    assert net.state_dict()["shared.weight"] is net.state_dict()["first.linear.weight"]
    assert [n for n, _ in net.named_sublayers()] == ["first", "first.linear", "second", "second.linear"]
    assert net.sublayers(include_self=True)[0] is net


def test_state_dict_has_persistable_buffers_only():
    assert list(Block().state_dict()) == ["scale", "count", "linear.weight", "linear.bias"]


def test_state_goes_from_one_net_to_another_and_keeps_storage():
    a, b = Net(), Net()
    storage = b.first.scale.numpy()
    missing, unexpected = b.set_state_dict({**{k: v.numpy() * 2 for k, v in a.state_dict().items()}, "extra": np.zeros(1)})
    assert (missing, unexpected) == ([], ["extra"])
    assert b.first.scale.numpy() is storage or np.shares_memory(b.first.scale.numpy(), storage)
    np.testing.assert_array_equal(b.second.linear.weight.numpy(), a.second.linear.weight.numpy() * 2)
    assert b.load_dict({})[0] == list(b.state_dict())


def test_a_wrong_shape_changes_nothing():
    block = Block()
    before = block.scale.numpy().copy()
    with pytest.raises(ValueError, match=r"linear.bias has shape \[3\], the given value \[4\]"):
        block.set_state_dict({"scale": np.zeros(3), "linear.bias": np.zeros(4)})
    np.testing.assert_array_equal(block.scale.numpy(), before)


def test_train_eval_apply_and_dtype():
    net = Net()
    net.eval()
    assert not any(layer.training for layer in net.sublayers(include_self=True))
    assert net.train().second.training
    seen = []
    net.apply(lambda layer: seen.append(type(layer).__name__))
    assert seen[-1] == "Net" and seen.count("Linear") == 3
    net.to(dtype="float64")
    assert net.first.linear.weight.dtype == "float64" and net(dy2st.ones([2, 3], "float64")).dtype == "float64"
    with pytest.raises(ValueError, match="no device 'gpu:0'"):
        net.to("gpu:0")


def test_hooks_see_and_replace():
    block, seen = Block(), []
    before = block.register_forward_pre_hook(lambda layer, inputs: (inputs[0] * 0,))
    after = block.register_forward_post_hook(lambda layer, inputs, outputs: seen.append(inputs[0].tolist()))
    replaced = block.register_forward_post_hook(lambda layer, inputs, outputs: outputs + 1)
    assert block(dy2st.ones([1, 3])).tolist() == [[1, 1, 1]]
    assert seen == [[[0, 0, 0]]]
    for handle in (before, after, replaced, replaced):
        handle.remove()
    assert block(dy2st.ones([1, 3])).tolist() != [[1, 1, 1]] and len(seen) == 1


def test_the_recorder_is_asked_for_path_and_conversion():
    class Mode(EagerMode):
        def __init__(self):
            self.rec, self.entered, self.converted = self, [], []

        @contextmanager
        def enter_layer(self, layer):
            self.entered.append(type(layer).__name__)
            yield

        def convert_call(self, function):
            self.converted.append(function)
            return function

    block, mode = Block(), Mode()

    def nothing(layer, inputs):
        return None

    hook = block.register_forward_pre_hook(nothing)
    with dispatch.entered(mode):
        block(dy2st.ones([1, 3]))
    assert mode.entered == ["Block", "Linear"]
    own = [function for function in mode.converted if function.__module__ != inputs_after.__module__]
    assert own == [nothing, block.forward, block.linear.forward] and len(mode.converted) == 4
    hook.remove()


def test_the_epoch_counts_plain_attributes_and_modes_but_not_buffers():
    block = Block()
    start = attribute_epoch()
    block.mask = dy2st.zeros([3])
    assert attribute_epoch() == start
    block.width = 4
    assert attribute_epoch() > start
    start = attribute_epoch()
    block.eval()
    assert attribute_epoch() > start


def test_deep_copies_are_independent():
    net = Net()
    other = copy.deepcopy(net)
    other.first.scale.set_value(np.zeros(3, "float32"))
    assert net.first.scale.tolist() == [2, 2, 2]
    assert other.shared is other.first.linear
    assert isinstance(other.first.scale, nn.Parameter) and not other.first.scale.stop_gradient


def test_names():
    a, b = nn.Linear(1, 1), nn.Linear(1, 1)
    assert a.full_name() != b.full_name() and a.full_name().startswith("linear_")
    assert a.weight.name.startswith(a.full_name() + ".w") and a.bias.name.startswith(a.full_name() + ".b")
    for wrong in ("a.b", ""):
        with pytest.raises(KeyError, match="no dot"):
            a.add_parameter(wrong, None)
    assert a.add_sublayer("b.0", b) is b and [name for name, _ in a.named_parameters()][2:] == ["b.0.weight", "b.0.bias"]
    with pytest.raises(KeyError, match="already has an attribute 'forward'"):
        a.add_sublayer("forward", b)
    with pytest.raises(TypeError, match="add_sublayer takes a Layer or None, not int"):
        a.add_sublayer("x", 3)


def test_repr_shows_the_tree():
    assert repr(nn.Sequential(nn.Linear(2, 3), nn.ReLU())).splitlines() == [
        "Sequential(",
        "  (0): Linear(in_features=2, out_features=3)",
        "  (1): ReLU()",
        ")",
    ]


def test_gradients_are_cleared():
    block = Block()
    block(dy2st.ones([1, 3])).sum().backward()
    assert block.scale.grad is not None
    block.clear_gradients(False)
    assert all(p.grad is None for p in block.parameters())
    block.scale.trainable = False
    block(dy2st.ones([1, 3])).sum().backward()
    assert block.scale.grad is None


@pytest.mark.parametrize("size", ["three", -1, 2.5])
def test_the_shape_of_a_parameter_is_checked(size):
    with pytest.raises(ValueError, match="Linear: a parameter's shape holds ints >= 0"):
        nn.Linear(3, size)


def test_s_08_what_is_replaced_keeps_its_place():
    net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 4))
    setattr(net, "0", nn.Linear(2, 3))
    net.add_sublayer("0", nn.Linear(2, 3))
    assert list(net.state_dict()) == ["0.weight", "0.bias", "1.weight", "1.bias"]
    assert net(dy2st.ones([1, 2])).shape == [1, 4]
    net.w, net.v = net.create_parameter([1]), net.create_parameter([1])
    net.register_buffer("p", dy2st.ones([1]))
    net.register_buffer("q", dy2st.ones([1]))
    net.w, net.p = net.create_parameter([2]), None
    net.register_buffer("p", dy2st.ones([2]), persistable=False)
    assert [name for name, _ in net.named_parameters()][:2] == ["w", "v"]
    assert [name for name, _ in net.named_buffers()] == ["p", "q"] and "p" not in net.state_dict()


OTHERS = {
    "Tensor": lambda: dy2st.ones([3]), "ndarray": lambda: np.ones(3), "float": lambda: 1.5, "ReLU": nn.ReLU, "str": lambda: "s",
}


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("kind", OTHERS)
def test_a_parameter_stays_one(kind, static):
    net, value = nn.Linear(2, 3), OTHERS[kind]()

    def f(x):
        net.weight = value
        return x

    with pytest.raises(TypeError, match="assignment to parameter 'weight' should be of type Parameter or None, but got"):
        (dy2st.jit.to_static(f) if static else f)(dy2st.ones([1]))
    assert isinstance(net._parameters["weight"], Parameter)
    net.bias = None
    assert net.bias is None
