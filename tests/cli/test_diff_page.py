"""`dy2st diff --html`: what the page says of weights and operations, and that names are never markup."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from onnx_models.web import javascript

import dy2st
from dy2st import jit, nn
from dy2st.cli.diff.weights import changed_weights
from dy2st.static import InputSpec


class Block(nn.Layer):
    def __init__(self, act):
        super().__init__()
        self.fc, self.act = nn.Linear(4, 4), act

    def forward(self, x):
        return getattr(nn.functional, self.act)(self.fc(x))


class Net(nn.Layer):
    def __init__(self, act="relu", gated=False):
        super().__init__()
        dy2st.seed(5)
        self.first, self.second, self.gated = Block("relu"), Block(act), gated
        if gated:
            self.gate = nn.Linear(4, 4)

    def forward(self, x):
        h = self.second(self.first(x))
        return h * self.gate(h) if self.gated else h


def save(net, path):
    jit.save(jit.to_static(net, input_spec=[InputSpec([None, 4], "float32", "x")]), str(path))


@pytest.fixture
def page(tmp_path, dy2st_command):
    """page(old, new) -> exit code, the page's data, its text, the first line that is printed."""

    def make(old="old", new="new"):
        code, out, err = dy2st_command("diff", tmp_path / old, tmp_path / new, "--html", tmp_path / "out.html")
        assert err == ""
        text = (tmp_path / "out.html").read_text(encoding="utf-8")
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])
        assert out.split("\n")[0] == data["summary"]
        return code, data, text

    return make


def test_weights_are_sorted_by_how_far_they_moved(tmp_path, page):
    old, new = Net(), Net()
    for factor, parameter in zip((1.5, 0.9, 1.0, 1.01), new.parameters()):
        parameter.set_value(parameter.numpy() * factor + (factor - 1))
    save(old, tmp_path / "old")
    save(new, tmp_path / "new")
    code, data, _ = page()
    assert code == 1 and data["modules"] == data["others"] == []
    before, after = ({n: p.numpy().astype(float) for n, p in net.named_parameters()} for net in (old, new))
    norm = np.linalg.norm
    by = {n: norm(after[n] - before[n]) / max(norm(before[n]), norm(after[n])) for n in before if (after[n] != before[n]).any()}
    assert [one["name"] for one in data["weights"]] == sorted(by, key=by.get, reverse=True) and len(by) == 3
    assert [one["relative"] for one in data["weights"]] == [f"{100 * by[one['name']]:.3g} %" for one in data["weights"]]
    assert "of 4 weights, 3 changed" in data["summary"] and "operations, none differs" in data["summary"]


def test_operations_stand_under_the_module_that_they_are_of(tmp_path, page):
    save(Net(), tmp_path / "old")
    save(Net("tanh", gated=True), tmp_path / "new")
    code, data, _ = page()
    assert code == 1
    modules = {one["path"]: one for one in data["modules"]}
    assert list(modules) == ["", "gate", "second"]
    assert [(line["mark"], line["text"].split()[2]) for line in modules["second"]["lines"]] == [("-", "relu"), ("+", "tanh")]
    assert modules["second"]["count"] == "1 gone, 1 new" and modules["gate"]["count"] == "4 new"
    assert {one["name"]: one["how"] for one in data["weights"]} == {"gate.weight": "new", "gate.bias": "new"}
    assert "1 gone, 6 new" in data["summary"] and "of 4 weights, 2 new" in data["summary"]


def test_lines_in_blocks_are_indented(tmp_path, page):
    class Branching(Block):
        def forward(self, x):
            y = super().forward(x)
            if y.sum() > 0:
                y = y + 1
            return y

    save(Block("relu"), tmp_path / "old")
    save(Branching("relu"), tmp_path / "new")
    lines = [line["text"] for one in page()[1]["modules"] for line in one["lines"]]
    assert [line for line in lines if line.strip() in ("then:", "else:")] == ["  then:", "  else:"]
    assert any(line.startswith("    yield") for line in lines) and not all(line.startswith(" ") for line in lines)


def test_models_that_are_the_same_are_said_to_be(tmp_path, page):
    save(Net(), tmp_path / "old")
    save(Net(), tmp_path / "new")
    code, data, _ = page()
    assert code == 0 and data["summary"].startswith("Nothing differs")
    assert data["weights"] == data["modules"] == data["others"] == []


def test_what_is_no_model_of_operations_has_a_page_too(tmp_path, page):
    for name, value in (("old", 1.0), ("new", 2.0)):
        dy2st.save({"w": dy2st.to_tensor([value]), "epoch": int(value)}, str(tmp_path / name))
    code, data, _ = page()
    assert code == 1 and data["weights"][0]["relative"] == "50 %"
    assert data["summary"] == "Of 1 weight, 1 changed, w by the most: 50 %; also: values."


@pytest.mark.parametrize(
    "old, new, relative",
    [
        ([3.0, 4.0], [3.0, 4.0 + 1e-6], 1e-6 / 5),
        ([0.0, 0.0], [0.0, 2.0], 1.0),
        ([1.0], [float("nan")], np.inf),
        ([float("nan"), 3.0, 4.0], [float("nan"), 3.0, 4.0], None),
        ([0.0], [-0.0], 0.0),
        ([3j], [4j], 0.25),
        ([2**62], [2**62 + 2**40], 2**-22),
        ([True, False], [True, True], 1 / np.sqrt(2)),
    ],
)
def test_the_relative_change(old, new, relative):
    found = changed_weights({"w": np.array(old)}, {"w": np.array(new)})
    assert (found == []) if relative is None else np.isclose(found[0].relative, relative, rtol=1e-5)


HOSTILE = "<img src=x onerror=\"document.title='owned'\"></script><script>alert(1)</script>"


@pytest.fixture
def hostile(tmp_path, page):
    for name, value in (("old", 1.0), ("new", 2.0)):
        dy2st.save({HOSTILE: dy2st.to_tensor([value]), "<b>": f"<i>{value}"}, str(tmp_path / name))
    return page()


def test_names_are_never_markup(hostile):
    _, data, text = hostile
    assert data["weights"][0]["name"] == HOSTILE
    assert text.count("<script") == text.count("</script>") == 2 and "<img" not in text and "<i>" not in text


def test_what_nobody_sees_is_shown_as_an_escape(tmp_path, page):
    for name, value in (("old", 1.0), ("new", 2.0)):
        dy2st.save({"a\u202eb": dy2st.to_tensor([value])}, str(tmp_path / name))
    assert page()[1]["weights"][0]["name"] == r"a\u202eb"


def test_chromium_shows_it_as_it_is(hostile, tmp_path):
    javascript.needs_browser()
    found = javascript.node(Path(__file__).parent / "look_at_diff.mjs", tmp_path / "out.html")
    assert found["errors"] == [] and "→" in found["title"]
    assert found["weight"] == HOSTILE and found["bar"] > 50
    assert found["hidden"] == ["operations"] and found["overflow"] <= 0
