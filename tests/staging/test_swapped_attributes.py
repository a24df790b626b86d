"""An attribute or an item that a call replaces and puts back isn't state, where state could hold none of the values between."""

from __future__ import annotations

import contextlib

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.static import InputSpec


class Entry:
    def __init__(self, number):
        self.number = number


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.held, self.calls = {"w": Entry(b"kept")}, 0

    @contextlib.contextmanager
    def replaced(self, entry):
        before = self.held["w"]
        self.held["w"] = entry
        try:
            yield
        finally:
            self.held["w"] = before

    def scaled(self, x):
        return x * len(self.held["w"].number)

    def forward(self, x):
        total = x
        for number in range(40):  # more kinds than a value of the Program may have
            with self.replaced(Entry(bytes(number))):
                total = total + self.scaled(x)
        return total + self.scaled(x)


class Counts(Net):
    def forward(self, x):
        self.calls += 1
        return super().forward(x)


class Keeps(Net):
    def forward(self, x):
        for number in range(40):
            self.held["w"] = Entry(bytes([number]))
        return self.scaled(x)


X = paddle.to_tensor([1.0, 2.0])


@pytest.mark.parametrize("cls", [Net, Counts])
def test_it_is_put_back_and_the_program_serves_all_calls(cls, tmp_path):
    plain, net = cls(), cls()
    static = paddle.jit.to_static(net, input_spec=[InputSpec([2])])
    for _ in range(3):
        assert static(X).tolist() == plain(X).tolist()
        assert (net.calls, net.held["w"].number) == (plain.calls, plain.held["w"].number)
    assert len(static.forward.program_cache) == 1
    paddle.jit.save(static, str(tmp_path / "net"))
    assert paddle.jit.load(str(tmp_path / "net"))(X).tolist() == plain(X).tolist()


def test_it_is_refused_where_it_stays():
    net = Keeps()
    with pytest.raises(ConversionError, match="more than 32 kinds"):
        paddle.jit.to_static(net)(X)
    assert net.held["w"].number == b"kept"
