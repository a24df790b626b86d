"""The table's rows."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from dy2st.torch.table import row  # noqa: E402


def test_a_name_has_one_row():
    with pytest.raises(ValueError, match="softmax has two rows"):
        row("softmax")(lambda input: input)
