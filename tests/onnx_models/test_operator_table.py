"""The table of operators in docs/onnx.md is the one that its command writes."""

from __future__ import annotations

import pytest

pytest.importorskip("onnx", reason="lowerings write ONNX models: pip install '.[onnx]'")
pytest.importorskip("ml_dtypes", reason="the table has a column of bfloat16: pip install '.[bfloat16]'")

from onnx_models.operator_table import PAGE, written


def test_the_page_is_up_to_date():
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page), "run `python tests/onnx_models/operator_table.py`"
