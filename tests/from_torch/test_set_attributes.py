"""`x.attribute = value` of tensors: it is written, or refused in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402


@pytest.mark.parametrize("specs", [None, [InputSpec([None, 4])]], ids=["known", "open"])
def test_parts_of_complex_numbers(specs: Any) -> None:
    def function(x):
        z = torch.complex(x, x.flip(1))
        z.real[:] = 0
        z.imag += 1
        z.imag = z.imag * 2
        y = x.clone()
        y.real = 3
        w = z.clone()
        w.real = x[0]
        return z, y, w

    x = torch.arange(12.0).reshape(3, 4)
    torch.testing.assert_close(dy2st.torch.to_static(function, specs)(x), function(x))


def fills_data(x: Any) -> None:
    x.data = x.data * 2


def freezes(x: Any) -> None:
    x.requires_grad = False


def forgets(x: Any) -> None:
    x.grad = None


REFUSED = [(fills_data, r"x\.data\.copy_"), (freezes, "set it outside"), (forgets, "come after the call")]


@pytest.mark.parametrize("change, says", REFUSED)
def test_attributes_of_parameters(change: Callable, says: str) -> None:
    class Module(torch.nn.Linear):
        def forward(self, x):
            change(self.weight)
            return super().forward(x)

    with pytest.raises(ConversionError, match=says):
        dy2st.torch.to_static(Module(2, 2))(torch.ones(1, 2))


@pytest.mark.parametrize("change, says", REFUSED[:1])
def test_attributes_of_arguments(change: Callable, says: str) -> None:
    with pytest.raises(ConversionError, match=says):
        dy2st.torch.to_static(change)(torch.ones(1, 2))
