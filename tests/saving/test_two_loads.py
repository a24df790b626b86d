"""S-07: two loads of one file in one model."""

from __future__ import annotations

import copy

import dy2st as paddle
from dy2st import nn
from dy2st.static import InputSpec

X = paddle.to_tensor([[1.0, 2.0]])


class Two(nn.Layer):
    def __init__(self, path):
        super().__init__()
        self.first, self.second = paddle.jit.load(path), paddle.jit.load(path)

    def forward(self, x):
        return self.second(self.first(x))


def steps(net, optimizer, count):
    for _ in range(count):
        (net(X) ** 2).sum().backward()
        optimizer.step()
        optimizer.clear_grad()


def adam(net):
    return paddle.optimizer.Adam(0.1, parameters=net.parameters())


def in_a_new_process(path):
    with paddle.utils.unique_name.guard():
        return Two(path)


def test_s_07_names_are_unique_as_in_paddle(tmp_path):
    path = str(tmp_path / "part")
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1D(2), nn.LSTM(2, 2), nn.PReLU())
    copied = copy.deepcopy(net)
    paddle.jit.save(nn.Sequential(net[0], net[1]), path, input_spec=[InputSpec([None, 2])])
    layers = [net, copied, paddle.jit.load(path), paddle.jit.load(path), copy.deepcopy(paddle.jit.load(path))]
    names = [tensor.name for layer in layers for tensor in (*layer.parameters(), *layer.buffers())]
    assert len(set(names)) == len(names)
    assert layers[2].state_dict().keys() == layers[3].state_dict().keys() == layers[4].state_dict().keys()
    with paddle.utils.unique_name.guard():
        again = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1D(2), nn.LSTM(2, 2), nn.PReLU())
    weights = ["linear_0.w_0", "linear_0.b_0", "batch_norm1d_0.w_0", "batch_norm1d_0.b_0"]
    cell = [f"lstm_cell_0.{name}" for name in ("w_0", "w_1", "b_0", "b_1")]
    assert [p.name for p in again.parameters()] == [*weights, *cell, "p_re_lu_0.w_0"]  # as in Paddle 3.3
    assert [b.name for b in again.buffers()] == ["batch_norm1d_0.w_1", "batch_norm1d_0.w_2"]


def test_s_07_what_is_saved_of_loaded_layers_has_no_name_of_this_process(tmp_path):
    path = str(tmp_path / "part")
    paddle.jit.save(nn.Linear(2, 2), path, input_spec=[InputSpec([None, 2])])
    files = []
    for _ in range(2):
        hidden = iter([paddle.jit.load(path).weight])
        weight = next(hidden)
        paddle.jit.save(lambda x: x @ weight, str(tmp_path / "net"), input_spec=[InputSpec([None, 2])])
        files.append([(tmp_path / f"net.{kind}").read_bytes() for kind in ("model.json", "params.safetensors")])
    assert files[0] == files[1]


def test_s_07_an_optimizer_goes_on_with_two_loads_of_one_file(tmp_path):
    path = str(tmp_path / "part")
    paddle.jit.save(nn.Linear(2, 2), path, input_spec=[InputSpec([None, 2])])
    whole, half, rest = (in_a_new_process(path) for _ in range(3))
    steps(whole, adam(whole), 4)
    first = adam(half)
    steps(half, first, 2)
    assert len(first.state_dict()) == 1 + 4 * 3
    rest.set_state_dict(half.state_dict())
    second = adam(rest)
    second.set_state_dict(first.state_dict())
    steps(rest, second, 2)
    for given, expected in zip(rest.parameters(), whole.parameters()):
        assert given.tolist() == expected.tolist()
