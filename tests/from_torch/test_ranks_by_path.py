"""Tensors whose number of axes follows the path, and axes that do: as in torch, and in ONNX Runtime."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402


def boxes(x):
    """As a detector decodes boxes, of which there may be none."""
    y = x * 2
    if x.sum() > 0:
        y = y.reshape(-1, 2, 2)
    even, odd = y[..., 0::2].clamp(min=1), y[..., 1::2]
    return torch.stack((even, odd), dim=y.dim()).reshape(y.shape)[:, 1:].reshape(-1, 1), y.ndim, y.dim()


def parts(x):
    y = x if x.sum() > 0 else x[0]
    return [part.sum() for part in y.split([1, y.shape[0] - 1], 0)], len(y.shape), y.size(-1), y.t().contiguous().view(-1)


@pytest.mark.parametrize("function", [boxes, parts])
def test_each_number_of_axes(function):
    net = dy2st.torch.to_static(function, [InputSpec([None, 4], "float32", "x")])
    for sign in (1.0, -1.0):
        x = sign * torch.arange(12.0).reshape(3, 4)
        torch.testing.assert_close(net(x), function(x))


def test_in_onnx(tmp_path):
    pytest.importorskip("onnxruntime")
    import dy2st.onnx

    net = dy2st.torch.to_static(boxes, [InputSpec([None, 4], "float32", "x")])
    session = dy2st.onnx.Session(dy2st.onnx.export(net, str(tmp_path / "net")))
    for sign in (1.0, -1.0):
        x = sign * torch.arange(12.0).reshape(3, 4)
        found, rank, dim = session(dy2st.to_tensor(x.numpy()))
        right = boxes(x)
        torch.testing.assert_close(torch.from_numpy(found.numpy()), right[0])
        assert (int(rank), int(dim)) == right[1:]
