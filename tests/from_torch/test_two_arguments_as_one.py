"""`x is y` of two arguments: each call sees to it that they are two tensors."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

to_static = dy2st.torch.to_static


def told(x: Any, y: Any) -> Any:
    return (x is y), x + (1 if x is y else 2)


def test_two_arguments_are_told_apart() -> None:
    static, x = to_static(told), torch.ones(3)
    torch.testing.assert_close(static(x, torch.ones(3)), told(x, torch.ones(3)))
    for called in (static, to_static(told)):
        with pytest.raises(ConversionError, match=r"pass x.view_as\(x\) for one"):
            called(x, x)
    torch.testing.assert_close(static(x, x.view_as(x)), told(x, x.view_as(x)))


def test_tensors_of_other_shapes_and_dtypes_are_two() -> None:
    static = to_static(told)
    for y in (torch.ones(1), torch.ones(3, dtype=torch.float64)):
        torch.testing.assert_close(static(torch.ones(3), y), told(torch.ones(3), y))


@pytest.mark.parametrize("specs", [None, [InputSpec([None, None, 8])] * 3], ids=["known", "open"])
def test_attention_of_three_arguments(specs: Any, tmp_path) -> None:
    torch.manual_seed(0)
    module = nn.MultiheadAttention(8, 2, batch_first=True)
    query, key, value = torch.randn(2, 3, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)
    static = to_static(module, specs)
    torch.testing.assert_close(static(query, key, value), module(query, key, value))
    if specs is not None:
        dy2st.jit.save(static, str(tmp_path / "attention"))
        found = dy2st.jit.load(str(tmp_path / "attention"))(*[dy2st.to_tensor(x.numpy()) for x in (query, key, value)])
        torch.testing.assert_close(torch.from_numpy(found[0].numpy()), module(query, key, value)[0].detach())
