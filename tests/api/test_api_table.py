"""`docs/api.md` is what the code says, and what it says of Paddle is what Paddle says."""

from __future__ import annotations

import importlib.util
import json

import pytest
from support import api_table


def test_the_page_is_up_to_date():
    assert api_table.PAGE.read_text() == api_table.page(), "run `python tests/support/api_table.py`"


@pytest.mark.skipif(importlib.util.find_spec("paddle") is None, reason="Paddle isn't installed")
def test_the_snapshot_is_that_of_paddle():
    assert json.loads(api_table.SNAPSHOT.read_text()) == json.loads(json.dumps(api_table.snapshot()))


def test_differences_of_signatures():
    base = [["x", None, False], ["axis", "-1", False], ["name", "None", False]]
    assert api_table.difference(base, base) == ""
    assert api_table.difference([*base, ["out", "None", True]], base) == "without `out`"
    assert api_table.difference(base, [base[0], ["axis", "0", False], base[2]]) == "`axis` defaults to 0, there to -1"
    assert api_table.difference(base, [base[1], base[0], base[2]]) == "other order of parameters"
