"""Numbers of NumPy's as operands, arguments and lengths, known and open."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
import torch.nn.functional as F  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = torch.tensor([-2.0, 0.0, 3.0])
THREE, HALF, TWO = np.int64(3), np.float32(0.5), np.float64(2)
FUNCTIONS: dict[str, Any] = {
    "add": lambda x: (x + THREE, THREE + x, x.long() + THREE, x.long() + HALF, x.double() * HALF, TWO * x),
    "operators": lambda x: (x - THREE, THREE - x, x / TWO, x**TWO, x % THREE, x.long() // THREE, x > THREE, x == np.bool_(False)),
    "clamp": lambda x: (x.clamp(min=THREE), x.clamp(HALF, TWO), torch.clamp(x.long(), max=np.int32(1))),
    "leaky_relu": lambda x: F.leaky_relu(x, HALF),
    "full": lambda x: (torch.full((2,), HALF), torch.full((2,), THREE), torch.full_like(x, THREE), x.new_full((2,), THREE)),
    "lengths": lambda x: torch.zeros(np.int64(2), x.shape[0] * np.int64(2)) + np.int64(2) * x.shape[0],
    "reshape": lambda x: x.reshape(np.int64(1), x.shape[0] * np.int64(1)).sum(np.int64(0), keepdim=True),
    "numbers": lambda x: x * (x.shape[0] / TWO) + (TWO**x.shape[0]) + (np.int64(7) // x.shape[0]) - (x.shape[0] % np.int8(2)),
    "comparisons": lambda x: x + 1 if (THREE >= x.shape[0]) and (x.shape[0] == THREE) else x - 1,
    "where": lambda x: torch.where(x > 0, HALF, x),
    "lerp": lambda x: torch.lerp(x, x + 1, HALF),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("specs", [None, [InputSpec([None], "float32")]], ids=["known", "open"])
def test_e_05_numbers_of_numpy(name: str, specs: Any) -> None:
    torch.testing.assert_close(dy2st.torch.to_static(FUNCTIONS[name], specs)(X), FUNCTIONS[name](X))


@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
@pytest.mark.parametrize("length", [5, 8, 9])
def test_e_06_padding_by_a_length(mode: str, length: int) -> None:
    def padded(x):
        return F.pad(x, (0, 4 - x.shape[-1] % 4), mode)

    static = dy2st.torch.to_static(padded, [InputSpec([None, None, None], "float32")])
    x = torch.randn(2, 3, length)
    torch.testing.assert_close(static(x), padded(x))


def test_e_06_padding_that_wraps_around_twice() -> None:
    static = dy2st.torch.to_static(lambda x: F.pad(x, (0, 3), "circular"), [InputSpec([1, 1, None], "float32")])
    with pytest.raises(RuntimeError, match="wrapping around more than once"):
        static(torch.ones(1, 1, 2))


class Sparse(torch.nn.Module):
    """A module with a sparse buffer, which it reads if it is told to."""

    def __init__(self, reads: bool):
        super().__init__()
        self.register_buffer("sparse", torch.eye(2).to_sparse())
        self.linear, self.reads = torch.nn.Linear(2, 2), reads

    def forward(self, x):
        return self.linear(x) + self.sparse if self.reads else self.linear(x)


def test_e_06_a_sparse_buffer() -> None:
    x, module = torch.ones(1, 2), Sparse(False)
    torch.testing.assert_close(dy2st.torch.to_static(module)(x), module(x))
    with pytest.raises(dy2st.errors.ConversionError, match="tensors are dense ones on the CPU"):
        dy2st.torch.to_static(Sparse(True))(x)
