"""Cells of the grid give what plain code gives, or are refused in words. `python -m hooks_and_modes.run` tries all of them."""

import importlib.util

import pytest
from support.sampling import sampled

from .cells import cells, result_of

HAS = {name: importlib.util.find_spec(name) is not None for name in ("torch", "onnxruntime", "jax")}
OF_TORCH = list(cells(("torch",))) if HAS["torch"] else []
CELLS = sampled(cells(("layers",)), 4) + sampled(OF_TORCH, 10)


@pytest.mark.long
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_a_cell_is_equal_or_refused(cell, tmp_path):
    if not HAS.get(cell.engine, True):
        pytest.skip(f"{cell.engine} isn't installed")
    assert result_of(cell, tmp_path).partition(":")[0] in ("equal", "refused")
