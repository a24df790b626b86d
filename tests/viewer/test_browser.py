"""Pages in Chromium, at three sizes, by day and by night: how long they take, what keys do, what a search finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from onnx_models.web import javascript
from viewer.models import static_net, thousand

SCRIPT = Path(__file__).with_name("look.mjs")


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    javascript.needs_browser()
    folder = tmp_path_factory.mktemp("pages")
    pages = {"net": static_net().forward, "thousand": thousand()}
    for name, shown in pages.items():
        shown.to_html(folder / f"{name}.html")
    return dict(zip(pages, javascript.node(SCRIPT, *((folder / f"{name}.html").as_uri() for name in pages))))


@pytest.fixture(params=["net", "thousand"])
def page(request, seen):
    return seen[request.param]


def test_nothing_complains(page):
    assert page["errors"] == []


def test_a_thousand_operations_are_drawn_at_their_outermost_level(seen):
    found = seen["thousand"]
    assert found["boxes"] > 1000 > 100 > found["sizes"]["1440 light"]["boxes"]


def test_a_search_finds_steps_in_closed_boxes_without_opening_these(seen):
    found = seen["thousand"]
    assert (found["found"], found["opened"], found["shown"], found["chosen"]) == ("250 of 1,000 steps", 0, "tanh", "tanh")


def test_no_page_is_wider_than_its_window(page):
    assert all(size["wide"] <= size["window"] for size in page["sizes"].values())


def test_night_has_other_colours_than_day(page):
    grounds = {scheme: {size["ground"] for name, size in page["sizes"].items() if scheme in name} for scheme in ("light", "dark")}
    assert len(grounds["light"]) == len(grounds["dark"]) == 1 and grounds["light"] != grounds["dark"]


def test_arrows_go_from_step_to_step_and_escape_goes_back(seen):
    assert (seen["net"]["first"], seen["net"]["escaped"]) == ("blocks", "Net.forward")
    assert seen["thousand"]["first"] != seen["thousand"]["second"]
    assert seen["thousand"]["outline"] == 36


def test_a_port_tells_what_its_edge_carries(seen):
    assert seen["net"]["tip"] == "x\n? × 4  float32"


def test_on_a_phone_the_panel_is_a_sheet_from_below(page):
    assert page["up"] < page["down"] == page["folded"] < 844
