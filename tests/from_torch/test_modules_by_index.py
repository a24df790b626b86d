"""E-06: modules of a list that the data choose, and lists of None that a loop fills, in all engines: PyTorch's results."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is the oracle")

import dy2st.torch  # noqa: E402
from dy2st import jit, onnx  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

INPUTS = [torch.tensor(rows) for rows in ([[1.0, 2, 3]], [[-1.0, -2, 0], [1, 0.5, 1]], [[-1.0, -2, 0]] * 3, [[0.0, 0, 0]])]
SPECS = [InputSpec([None, 3], "float32", "x")]


class Listed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(3, 3) for _ in range(3)])


class AfterABreak(Listed):
    def forward(self, x):
        for i in range(3):
            if x.sum() > i * 2:
                break
        return self.layers[i](x)


class AfterABreakOfItsOwnLoop(Listed):
    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = x + 1
            if x.sum() > 8:
                break
        return self.layers[i](x) + layer(x) + self.layers[-1](x)


class InAWhile(Listed):
    def forward(self, x):
        i = 0
        while x.sum() < 50 and i < 3:
            x = self.layers[i](x).abs() + 1
            i = i + 1
        return x


class Computed(Listed):
    def forward(self, x):
        return self.layers[int(x.sum()) % 3](x) + self.layers[-1 - int(x.sum()) % 2](x)


class Filled(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        xs = [None] * n
        for i in range(n):
            xs[i] = x[i] * (i + 1)
        return torch.stack(xs)


class FilledBackwards(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        xs = [None] * n
        i = 0
        while i < n:
            xs[n - 1 - i] = x[i] * 2
            i = i + 1
        return torch.cat(xs)


class FilledFromZeros(torch.nn.Module):
    def forward(self, x):
        xs = [0] * x.shape[0]
        for i, row in enumerate(x):
            xs[i] = row.sum()
        return torch.stack(xs) + torch.cat([v[None] for v in xs])


MODULES = [AfterABreak, AfterABreakOfItsOwnLoop, InAWhile, Computed, Filled, FilledBackwards, FilledFromZeros]


def static(module):
    return dy2st.torch.to_static(module(), input_spec=SPECS)


@pytest.mark.parametrize("module", MODULES)
def test_e_06_static_and_loaded(module, tmp_path):
    program = static(module)
    jit.save(program, tmp_path / "m")
    loaded = jit.load(tmp_path / "m")
    for x in INPUTS:
        expected = module()(x)
        torch.testing.assert_close(program(x), expected)
        np.testing.assert_allclose(loaded(x.numpy()).numpy(), expected.detach().numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("module", MODULES)
def test_e_06_in_onnx_runtime(module, tmp_path):
    pytest.importorskip("onnxruntime")
    onnx.export(static(module), tmp_path / "m.onnx")
    session = onnx.Session(tmp_path / "m.onnx")
    for x in INPUTS:
        np.testing.assert_allclose(session(x.numpy()).numpy(), module()(x).detach().numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("module", MODULES)
def test_e_06_in_jax(module, tmp_path):
    pytest.importorskip("jax")
    jit.save(static(module), tmp_path / "m")
    loaded = jit.load(tmp_path / "m", backend="jax")
    for x in INPUTS:
        np.testing.assert_allclose(loaded(x.numpy()).numpy(), module()(x).detach().numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("module", [AfterABreak, Filled, FilledBackwards])
def test_e_06_gradients(module):
    program = static(module)
    for x in INPUTS:
        given, plain = x.clone().requires_grad_(), x.clone().requires_grad_()
        (program(given) ** 2).sum().backward()
        (module()(plain) ** 2).sum().backward()
        torch.testing.assert_close(given.grad, plain.grad)


class PartlyFilled(torch.nn.Module):
    def forward(self, x):
        xs = [None] * x.shape[0]
        for i in range(1, x.shape[0]):
            xs[i] = x[i]
        return torch.stack(xs)


def test_e_06_an_item_that_is_still_none_raises(tmp_path):
    program = static(PartlyFilled)
    jit.save(program, tmp_path / "m")
    for x in INPUTS:
        with pytest.raises(TypeError):
            PartlyFilled()(x)
        with pytest.raises(TypeError, match="stack: each of x must be a Tensor, not NoneType"):
            program(x)
        with pytest.raises(TypeError, match="stack: each of x must be a Tensor, not NoneType"):
            jit.load(tmp_path / "m")(x.numpy())
