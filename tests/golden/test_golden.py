"""The rewritten text of twenty functions, as it stands in review. DY2ST_UPDATE_GOLDEN=1 writes the files anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dy2st.transformers import transpile
from golden import functions

FOLDER = Path(__file__).parent
FUNCTIONS = [f for f in vars(functions).values() if getattr(f, "__module__", "") == functions.__name__]


def test_there_are_twenty():
    assert len(FUNCTIONS) == 20
    assert {path.stem for path in FOLDER.glob("*.txt")} == {f.__name__ for f in FUNCTIONS}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_text_is_the_one_that_was_read(function):
    text = transpile(function).source
    path = FOLDER / f"{function.__name__}.txt"
    if os.environ.get("DY2ST_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
