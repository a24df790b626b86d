"""S-07: two loads of one file in one model."""

from __future__ import annotations

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


def test_s_07_an_optimizer_tells_parameters_of_one_name_apart(tmp_path):
    path = str(tmp_path / "part")
    paddle.jit.save(nn.Linear(2, 2), path, input_spec=[InputSpec([None, 2])])
    whole, half, rest = Two(path), Two(path), Two(path)
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
