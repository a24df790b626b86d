"""Sublayers that a call replaces: they keep their places in the tables of the Layer, and a loop over them sees them."""

import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.errors import ConversionError


class Replacing(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(1, 1), nn.Linear(1, 1)
        self.register_buffer("one", paddle.zeros([1]))
        self.register_buffer("other", paddle.zeros([1]))

    def forward(self, x):
        self.first = self.second
        self.one = None if self.one is None else self.one + x
        return self.first(x)


def test_they_keep_their_order():
    plain, net = Replacing(), Replacing()
    net.set_state_dict(plain.state_dict())
    static = paddle.jit.to_static(net)
    for _ in range(2):
        x = paddle.to_tensor([2.0])
        assert static(x).tolist() == plain(x).tolist()
        assert list(net.state_dict()) == list(plain.state_dict())
        assert [name for name, _ in net.named_children()] == [name for name, _ in plain.named_children()]


class Walking(Replacing):
    def forward(self, x):
        if x.sum() > 0:
            self.first = self.second
        for layer in self.children():
            x = layer(x) + 1
        return x


class Counting(Walking):
    def forward(self, x):
        return super().forward(x), len(list(self.children()))


@pytest.mark.parametrize("kind", [Walking, Counting])
def test_a_loop_finds_the_one_that_the_path_has_put_there(kind):
    plain, net = kind(), kind()
    net.set_state_dict(plain.state_dict())
    static = paddle.jit.to_static(net)
    for value in (-1.0, 1.0, -1.0):
        x = paddle.to_tensor([value])
        assert repr(static(x)) == repr(plain(x))


class Gathering(Walking):
    def forward(self, x):
        return super().forward(x), len(self.parameters())


def test_a_list_of_their_parameters_is_refused():
    with pytest.raises(ConversionError, match="the items of this list are known only when the Program runs"):
        paddle.jit.to_static(Gathering())(paddle.to_tensor([1.0]))
