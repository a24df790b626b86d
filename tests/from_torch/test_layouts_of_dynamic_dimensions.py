"""Writes after a view or a copy are seen as in torch for every length, or refused. `layouts_table.py` tries all cells."""

from __future__ import annotations

import pytest
from support.sampling import sampled

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")

from from_torch.layouts_table import cells, result_of  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402


@pytest.mark.long
@pytest.mark.parametrize("cell", sampled(cells(), 15), ids=str)
def test_a_write_is_seen_as_in_torch_for_every_length(cell, tmp_path) -> None:
    assert not result_of(cell, tmp_path).startswith("wrong")


MAKERS = {
    "contiguous": lambda q: q[:, :2].contiguous(),
    "reshape": lambda q: q[:, :2].reshape(-1),
    "flatten": lambda q: q[:, :2].flatten(),
    "permute": lambda q: q.permute(1, 0).contiguous(),
    "t": lambda q: q.t().contiguous(),
}


@pytest.mark.parametrize("name", MAKERS)
def test_s_30_a_copy_that_is_a_view_for_a_batch_of_1_is_refused(name) -> None:
    def function(q):
        t = MAKERS[name](q)
        t += 5
        return q * 1

    net, x = dy2st.torch.to_static(function, [InputSpec([None, 3], "float32")]), torch.tensor([[1.0, 2.0, 3.0]])
    with pytest.raises(ConversionError, match="clone"):
        net(x.clone())
    torch.testing.assert_close(dy2st.torch.to_static(function)(x.clone()), function(x.clone()))


def _cache(x, length):
    """Heads of a projection, the number of which is open in its shape, in a buffer that is written after they are repeated."""
    heads = x.view(*x.shape[:-1], -1, 4).transpose(1, 2)
    buffer = torch.zeros((heads.shape[0], heads.shape[1], length, 4))
    buffer[:, :, : heads.shape[2]].copy_(heads)
    return buffer


def _repeated(x):
    batch, heads, length, width = x.shape
    return x[:, :, None].expand(batch, heads, 2, length, width).reshape(batch, heads * 2, length, width)


def written(x):
    buffer = _cache(x, 12)
    found = _repeated(buffer)
    buffer.mul_(2)
    return found, buffer


def written_by_path(x):
    buffer = _cache(x, 12)
    taken = buffer if x.sum() > 0 else buffer[:, :, : x.shape[1]].clone()
    found = _repeated(taken)
    buffer.mul_(2)
    return found, buffer


def written_after_lengths_that_depend_on_each_other(x):
    heads = x.view(*x.shape[:-1], 2, 4)
    if x.sum() > 0:
        heads = heads.transpose(0, 1).transpose(0, 1)
    packed = heads.reshape(x.shape[0] * 2, -1, 4) if x.shape[1] > 3 else heads.flatten(0, 1)
    return written(packed.reshape(x.shape[0], x.shape[1], -1) @ torch.ones(8, 8))


@pytest.mark.parametrize("function", [written, written_by_path, written_after_lengths_that_depend_on_each_other])
def test_a_length_that_is_left_open_is_known_beside_equal_dynamic_dimensions(function) -> None:
    net = dy2st.torch.to_static(function, [InputSpec([None, None, 8], "float32")])
    for shape in ((2, 3, 8), (1, 1, 8), (3, 5, 8)):
        for x in (torch.rand(shape), -torch.rand(shape)):
            for found, expected in zip(net(x), function(x)):
                torch.testing.assert_close(found, expected, rtol=0, atol=0)


def test_a_length_that_is_left_open_is_ambiguous_of_no_elements() -> None:
    net = dy2st.torch.to_static(written, [InputSpec([None, None, 8], "float32")])
    assert "shape=[$1, $2, -1, 4] : float32[?,?,2,4]" in str(net.concrete_program.program)
    for call in (net, written):
        with pytest.raises(RuntimeError):
            call(torch.zeros(0, 3, 8))
