"""Layers that are picked by an index or key that only the call knows."""

import io

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn

# mypy: ignore-errors


class Cell(nn.Layer):
    def __init__(self, k):
        super().__init__()
        self.k, self.n = k, 0
        self.linear, self.norm = nn.Linear(2, 2), nn.BatchNorm1D(2)

    def forward(self, x):
        self.n += 1
        return self.norm(self.linear(x)) * self.k + self.n


class Picks(nn.Layer):
    """Equal layers, layers of different classes, keys, parameters."""

    def __init__(self):
        super().__init__()
        self.cells = nn.LayerList([Cell(i + 1) for i in range(3)])
        self.mixed = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Sequential(nn.Tanh(), nn.Linear(2, 2)))
        self.named = nn.LayerDict({"wide": nn.Linear(2, 2), "none": nn.Identity()})
        self.scales = nn.ParameterList([nn.Linear(2, 2).weight for _ in range(2)])

    def forward(self, x, n: int, key: str):
        for t in range(n):
            x = self.cells[t % 3](x)
        layer = self.mixed[n - 2]
        x = self.named[key](layer(x) + layer.forward(x)) + self.scales[n % 2].sum()
        return x, self.cells[n % 3].k

    @jit.export
    def pick(self, x, i: int):
        return self.cells[i](x)


X = paddle.rand([4, 2])


def test_a_run_time_index_of_layers():
    plain = Picks()
    made = jit.script(plain)
    expected = Picks()
    expected.set_state_dict(plain.state_dict())
    for n, key in ((4, "wide"), (0, "none"), (3, "wide")):
        got, wanted = made(X, n, key), expected(X, n, key)
        np.testing.assert_allclose(got[0].numpy(), wanted[0].numpy(), rtol=1e-4)
        assert got[1] == wanted[1] and [cell.n for cell in made.cells] == [cell.n for cell in expected.cells]
    for (name, got), (_, wanted) in zip(made.named_buffers(), expected.named_buffers()):
        np.testing.assert_allclose(got.numpy(), wanted.numpy(), rtol=1e-4, err_msg=name)
    file = io.BytesIO()
    made.save(file)
    file.seek(0)
    loaded = jit.load(file)
    for i in (1, -1):
        np.testing.assert_allclose(loaded.pick(X, i).numpy(), expected.pick(X, i).numpy(), rtol=1e-4)
    for run in (made.pick, loaded.pick):
        with pytest.raises(IndexError, match="list index out of range"):
            run(X, 3)
    with pytest.raises(KeyError):
        made(X, 1, "other")
    static = jit.to_static(lambda x, i: expected.eval().cells[int(i)](x))
    assert static(X, paddle.to_tensor(2)).shape == [4, 2]


def test_gradients_reach_the_layers_that_were_picked():
    plain = Picks()
    made = jit.script(plain)
    expected = Picks()
    expected.set_state_dict(plain.state_dict())
    for model in (made, expected):
        model(X, 2, "wide")[0].sum().backward()
    for (name, got), (_, wanted) in zip(made.named_parameters(), expected.named_parameters()):
        left = [np.zeros(1) if p.grad is None else p.grad.numpy() for p in (got, wanted)]
        np.testing.assert_allclose(*left, atol=1e-4, err_msg=name)
