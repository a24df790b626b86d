"""Every cell gives what PyTorch gives on the CPU, rounded once. `python -m half.run` tries all of them."""

import pytest

pytest.importorskip("torch")

from support.sampling import sampled  # noqa: E402

from .run import WAYS, cells, result_of  # noqa: E402

NEEDED = {"ONNX Runtime": "onnxruntime", "JAX": "jax"}


@pytest.mark.long
@pytest.mark.parametrize("cell", sampled([x for x in cells(WAYS) if "first" not in x.way], 12), ids=str)
def test_a_cell_is_equal_or_refused(cell, tmp_path):
    if cell.way in NEEDED:
        pytest.importorskip(NEEDED[cell.way])
    assert result_of(cell, tmp_path).partition(":")[0] in ("equal", "refused")
