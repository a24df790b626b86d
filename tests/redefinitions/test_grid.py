"""Every cell of the grid gives what plain Python gives, or is refused in words; `python -m redefinitions.run` tries them all."""

import pytest
from support.sampling import sampled

from .cells import cells, result_of


@pytest.mark.long
@pytest.mark.parametrize("cell", sampled(cells(), 60), ids=str)
def test_a_cell_is_equal_or_refused(cell, tmp_path):
    assert result_of(cell, tmp_path).partition(":")[0] in ("equal", "refused")
