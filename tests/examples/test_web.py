"""The page of examples/web: built as its README says, played with in Chromium, and held against plain Python."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

pytest.importorskip("onnx", reason="the page's model is exported by onnx: pip install '.[onnx]'")

import onnx
from examples.test_examples import EXAMPLES, run
from onnx_models.web import javascript

import dy2st

WEB = EXAMPLES / "web"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    javascript.needs_browser()
    folder = tmp_path_factory.mktemp("web")
    run("web/build.py", folder, "--site", folder / "site", "--packages", javascript.PACKAGES, "--epochs", "1")
    return folder / "site"


@pytest.fixture(scope="module")
def played(site):
    with javascript.served(site) as address:
        return javascript.node(EXAMPLES.parent / "tests" / "examples" / "web.mjs", address)


@pytest.fixture(scope="module")
def namer(site):
    """The module of the network, and the network with the weights of the exported file."""
    sys.path.insert(0, str(WEB))
    try:
        import namer
    finally:
        sys.path.remove(str(WEB))
    net = namer.Namer()
    weights = {held.name: onnx.numpy_helper.to_array(held) for held in onnx.load(site / "namer.onnx").graph.initializer}
    net.set_state_dict({name: weights[name] for name in net.state_dict()})
    net.eval()
    return namer, net


@pytest.mark.parametrize("moment", ["opened", "empty", "typed", "rolled"])
def test_the_page_writes_what_plain_python_writes(played, namer, moment):
    module, net = namer
    shown = played[moment]
    wildness = float(shown["address"].split("/")[1])
    assert shown["nest"]
    for name in shown["nest"]:
        start = np.asarray([module.ALPHABET.index(letter) for letter in name["start"]], np.int64)
        letters, odds = net(*map(dy2st.to_tensor, (start, np.float32(name["dice"]), np.float32(wildness))))
        assert "".join(name["letters"]) == "".join(module.ALPHABET[int(letter)] for letter in letters)
        assert name["odds"] == len(odds)


@pytest.mark.parametrize("moment", ["opened", "empty", "typed", "rolled"])
def test_the_page_shows_what_the_model_wrote(played, moment):
    shown, name = played[moment], played[moment]["nest"][0]
    ended = len(name["letters"]) < name["odds"]
    assert shown["name"] == name["start"] + "".join(name["letters"]) + "■" * ended
    assert shown["plates"] == len(name["start"]) + len(name["letters"])
    assert f"{name['odds']} time" in shown["facts"] and " ms" in shown["facts"]
    assert shown["notes"][1].startswith(f"{name['odds']} turn")


def test_what_is_typed_is_read_as_letters(played):
    assert played["typed"]["nest"][0]["start"] == "zoe"


def test_the_arrow_keys_go_through_the_turns(played):
    assert played["typed"]["turn"].startswith("Turn 1 of ")
    assert played["stepped"]["turn"].startswith("Turn 2 of ")


def test_the_dice_are_rolled_again_by_enter(played):
    assert played["rolled"]["nest"][0]["dice"] != played["typed"]["nest"][0]["dice"]


def test_the_page_fits_a_phone_and_says_no_error(played):
    assert played["errors"] == []
    assert not any(shown["tooWide"] for key, shown in played.items() if key != "errors")


def test_one_version_of_onnxruntime_web_is_tested_and_shown():
    pinned = [json.loads((folder / "package.json").read_text())["dependencies"] for folder in (WEB, javascript.HERE)]
    assert pinned[0]["onnxruntime-web"] == pinned[1]["onnxruntime-web"]
