"""The page of a review in Chromium: hover, keys, tabs, day and night, and texts that would be markup."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.review.test_page import HOSTILE
from onnx_models.web import javascript

from dy2st.cli import main

SOURCE = HOSTILE.split("\n")[3:-1]


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    javascript.needs_browser()
    folder = tmp_path_factory.mktemp("review")
    (folder / "net.py").write_text(HOSTILE)
    assert main(["code", f"{folder}/net.py:f", "--spec", "x=float32[?,3]", "--html", f"{folder}/out.html"]) == 0
    return javascript.node(Path(__file__).parent / "look.mjs", folder / "out.html")


@pytest.mark.parametrize("size", ["wide", "middle", "phone"])
def test_it_shows_the_texts_as_they_are(seen, size):
    page = seen[size]
    assert page["errors"] == [] and page["title"].startswith("Review of ")
    assert page["source"] == [line.strip() for line in SOURCE]
    assert page["overflow"] <= 0, "nothing makes the page wider than the window"
    assert page["fates"] == ["stagedits condition is bool[], known only when the Program runs"]


@pytest.mark.parametrize("size", ["wide", "middle", "phone"])
def test_keys_lead_through_the_lines_and_their_links(seen, size):
    told, marked = seen[size]["decision"]
    assert told.startswith("line 6: staged: its condition is bool[]")
    assert {"if x.sum() > 0:", "def true_fn_0():", "_jst.convert_ifelse(_jst.call(x.sum)() > 0, true_fn_0, None)"} <= set(marked)
    assert any(text.startswith("%0 = sum %x") for text in marked)
    assert (seen[size]["next"], seen[size]["back"]) == ('print(name, "<b>&amp;</b>")', "if x.sum() > 0:")
    assert seen[size]["engine"].startswith("def f0(")


@pytest.mark.parametrize("size", ["wide", "middle"])
def test_hover_marks_what_belongs_together_until_it_ends(seen, size):
    assert "if x.sum() > 0:" in seen[size]["hovered"]
    assert seen[size]["after"] == seen[size]["decision"][1]


def test_a_narrow_window_has_tabs(seen):
    assert (len(seen["wide"]["columns"]), len(seen["middle"]["columns"])) == (3, 3)
    assert (seen["phone"]["columns"], seen["phone"]["tab"]) == (["source"], ["third"])


def test_it_is_dark_by_night(seen):
    assert seen["wide"]["ground"] == seen["phone"]["ground"] != seen["middle"]["ground"]
