"""Overloads of torch's operators, `torch.ops.aten.slice.Tensor`, and their packets, `torch.ops.aten.slice`."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="PyTorch modules need torch: pip install '.[torch]'")

import dy2st.torch  # noqa: E402


@pytest.mark.parametrize("operator", ["slice.Tensor", "slice", "_safe_softmax.default", "_safe_softmax"])
def test_overloads_and_packets_give_torchs_values(operator):
    packet, _, overload = operator.partition(".")
    function = getattr(torch.ops.aten, packet)
    function = getattr(function, overload) if overload else function
    arguments = (0, 1, 3) if packet == "slice" else (0,)
    x = torch.arange(5.0)
    assert torch.equal(dy2st.torch.to_static(lambda x: function(x, *arguments))(x), function(x, *arguments))
