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
