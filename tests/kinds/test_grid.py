"""Every cell of the grid gives what plain Python gives, or is refused in words. `python -m kinds.run` tries all of them."""

import pytest
from support.sampling import sampled

from .cells import cells, result_of


@pytest.mark.long
@pytest.mark.parametrize("cell", sampled(cells(), 30), ids=str)
def test_a_cell_is_equal_or_refused(cell, tmp_path):
    result = result_of(cell, tmp_path)
    assert result.partition(":")[0] in ("equal", "told", "refused"), result
