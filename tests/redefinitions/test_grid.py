"""Every cell of the grid gives what plain Python gives, or is refused in words; `python -m redefinitions.run` tries them all."""

import pytest
from support.sampling import sampled

from .cells import cells, result_of

# Wrong until `Color(1)`, which looks into private tables of its class, is guarded by what it finds there. The table counts them.
OPEN = {
    "Color(1).value / kinds of classes / Color.RED._value_ = 5",
    "Color(1).value / kinds of classes / Color._value2member_map_[1] = Color.BLUE",
    "2 if Color.RED is Color(1) else 3 / kinds of classes / Color._value2member_map_[1] = Color.BLUE",
}


def test_the_open_cells_are_cells():
    assert OPEN <= set(map(str, cells()))


@pytest.mark.long
@pytest.mark.parametrize("cell", [cell for cell in sampled(cells(), 60) if str(cell) not in OPEN], ids=str)
def test_a_cell_is_equal_or_refused(cell, tmp_path):
    assert result_of(cell, tmp_path).partition(":")[0] in ("equal", "refused")
