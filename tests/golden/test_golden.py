"""The rewritten text of functions, as it stands in review. DY2ST_UPDATE_GOLDEN=1 writes the files anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dy2st.transformers import transpile
from golden import functions, table
from golden.twelve import TWELVE

FOLDER = Path(__file__).parent
FUNCTIONS = [f for f in vars(functions).values() if getattr(f, "__module__", "") == functions.__name__]


def test_there_are_twenty_and_twelve():
    assert (len(FUNCTIONS), len(TWELVE)) == (20, 12)
    assert {path.stem for path in FOLDER.glob("*.txt")} == {f.__name__ for f in (*FUNCTIONS, *TWELVE)}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_text_is_the_one_that_was_read(function):
    assert_is_golden(function, transpile(function).source)


@pytest.mark.parametrize("function", TWELVE, ids=lambda f: f.__name__)
def test_code_is_the_one_that_was_read(function):
    assert_is_golden(function, transpile(function).annotated())


def assert_is_golden(function, text):
    path = FOLDER / f"{function.__name__}.txt"
    if os.environ.get("DY2ST_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_the_page_has_the_table_of_now():
    assert table.PAGE.read_text(encoding="utf-8") == table.page(), "run `python -m golden.table` in the folder tests"
