"""A Program isn't used once something that staging read of classes or layers has changed; copies of models stand on their own."""

from __future__ import annotations

import copy
import io
import pickle

import numpy as np
import pytest

import dy2st as paddle

from .agreement import plain

SPEC = [paddle.static.InputSpec([None, 3])]
X = np.array([[1, -2, 3], [4, 5, 6]], np.float32)


class Base(paddle.nn.Layer):
    def body(self, x):
        return self.fc(x)


class Net(Base):
    factor = 2

    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(3, 3)
        self.calls = 0

    def body(self, x):
        return super().body(x) + 1

    def after(self, x):
        return x - 1

    @classmethod
    def shift(cls):
        return 3

    def forward(self, x):
        self.calls += 1
        return self.after(self.body(x)) * self.factor + self.shift() + self.calls


CHANGES = {
    "class attribute": lambda patch, nets: patch(Net, "factor", 7),
    "method of the class": lambda patch, nets: patch(Net, "after", lambda self, x: x * 100),
    "method behind super()": lambda patch, nets: patch(Base, "body", lambda self, x: x),
    "class method": lambda patch, nets: patch(Net, "shift", classmethod(lambda cls: 30)),
    "method of one object": lambda patch, nets: [patch(net, "after", lambda x: -x, raising=False) for net in nets],
    "forward of a built-in sublayer": lambda patch, nets: [patch(net.fc, "forward", lambda x: x * 2) for net in nets],
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_changes_after_staging_counts(change, monkeypatch):
    paddle.seed(0)
    eager = Net()
    static = paddle.jit.to_static(copy.deepcopy(eager), input_spec=SPEC)
    x = paddle.to_tensor(X)
    assert [plain(static(x)) for _ in range(2)] == [plain(eager(x)) for _ in range(2)]
    assert len(static.forward.program_cache) == 1
    change(monkeypatch.setattr, (eager, static))
    assert [plain(static(x)) for _ in range(2)] == [plain(eager(x)) for _ in range(2)]
    assert len(static.forward.program_cache) == 2


def loaded(net):
    file = io.BytesIO()
    paddle.jit.save(net, file)
    file.seek(0)
    return paddle.jit.load(file)


@pytest.mark.parametrize("make", [lambda net: net, loaded], ids=["static", "loaded"])
def test_a_deep_copy_has_parameters_and_state_of_its_own(make):
    net = make(paddle.jit.to_static(Net(), input_spec=SPEC))
    x = paddle.to_tensor(X)
    net(x)
    copied = copy.deepcopy(net)
    second = plain(net(x))
    assert plain(copied(x)) == second
    assert plain(copied(x)) != second  # its own count goes on
    copied.set_state_dict({name: value * 0 for name, value in copied.state_dict().items()})
    assert plain(copied(x)) == plain(x * 0 + (4 + 3))
    np.testing.assert_allclose(net(x).numpy() - 1, np.array(second[1]), rtol=1e-6)


@pytest.mark.parametrize("make", [lambda net: net, lambda net: net.forward, loaded], ids=["layer", "function", "loaded"])
def test_pickling_is_refused_in_words(make):
    model = make(paddle.jit.to_static(Net(), input_spec=SPEC))
    with pytest.raises(TypeError, match=r"can't be pickled: dy2st\.jit\.save\(net, path\) saves it"):
        pickle.dumps(model)
