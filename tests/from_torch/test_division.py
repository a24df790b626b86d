"""Whole numbers divided by tensors, as torch divides them: an error where a divisor is 0."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402

DIVISIONS = {
    "//": lambda x, y: x // y,
    "%": lambda x, y: x % y,
    "fmod": lambda x, y: torch.fmod(x, y),
    "floor": lambda x, y: torch.div(x, y, rounding_mode="floor"),
    "trunc": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    "by a number": lambda x, y: (x // 3 + x % 3 + torch.fmod(x, 2)) * y,
    "in place": lambda x, y: x.clone().floor_divide_(y),
}


@pytest.mark.parametrize("name", DIVISIONS)
@pytest.mark.parametrize("dtype", [torch.int64, torch.uint8, torch.float32], ids=str)
def test_divisions(name, dtype):
    x, function = torch.tensor([7, 100, 0, 200]).to(dtype), DIVISIONS[name]
    static = dy2st.torch.to_static(lambda x, y: function(x, y))
    for y in (torch.tensor([2, 3, 5, 7]).to(dtype), torch.tensor([2, 0, 5, 7]).to(dtype)):
        try:
            expected = function(x, y)
        except RuntimeError:
            with pytest.raises(RuntimeError, match="ZeroDivisionError"):
                static(x, y)
            continue
        torch.testing.assert_close(static(x, y), expected, equal_nan=True)
