"""`dy2st view`: the page of a saved model, of a traced module in a file, of an object; the browser that opens it."""

from __future__ import annotations

import json
import webbrowser
from pathlib import Path

import pytest
from viewer.models import Net

import dy2st as paddle
from dy2st import traced_module as tm


@pytest.fixture
def browser(monkeypatch):
    """The addresses that a browser was asked for; `found` says whether there is one."""
    asked = []
    monkeypatch.setattr(webbrowser, "open", lambda address: asked.append(address) or True)
    return asked


def test_a_saved_model_opens_in_the_browser(dy2st_command, saved_model, browser):
    code, out, err = dy2st_command("view", saved_model[0])
    assert (code, err) == (0, "")
    path, _, said = out.rstrip("\n").partition(", ")
    assert said == "open in the browser" and browser == [Path(path).as_uri()] and Path(path).name == "net.html"
    assert "<title>Net</title>" in Path(path).read_text(encoding="utf-8")


def test_any_of_the_names_of_a_model_will_do(dy2st_command, saved_model, tmp_path, browser):
    for name in (saved_model[0].parent, f"{saved_model[0]}.model.json"):
        assert dy2st_command("view", name, "--output", tmp_path / "net.html")[0] == 0
        assert "<title>Net</title>" in (tmp_path / "net.html").read_text(encoding="utf-8")


def test_without_a_browser_the_path_is_told(dy2st_command, saved_model, tmp_path, monkeypatch, browser):
    page = tmp_path / "page.html"
    assert dy2st_command("view", saved_model[0], "--no-browser", "--output", page) == (0, f"{page}\n", "")
    assert browser == []
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    assert dy2st_command("view", saved_model[0], "--output", page)[1] == f"{page}, for a browser: none was found here\n"
    machine = json.loads(dy2st_command("view", saved_model[0], "--output", page, "--json")[1])
    assert machine == {"target": str(saved_model[0]), "page": str(page), "opened": False}


def test_an_object_is_converted(dy2st_command, user_file, tmp_path, browser):
    page = tmp_path / "page.html"
    for target, *spec in ((f"{user_file}:Net", "--spec", "x=float32[?,3]"), (f"{user_file}:halve",)):
        assert dy2st_command("view", target, *spec, "--output", page)[0] == 0
        assert f"<title>{target.rpartition(':')[2]}</title>" in page.read_text(encoding="utf-8")
    code, out, err = dy2st_command("view", f"{user_file}:double")
    assert code == 2 and "--spec" in err
    assert dy2st_command("view", f"{user_file}:number")[0] == 2


def test_what_has_a_page_already_is_shown_as_it_is(dy2st_command, user_file, saved_model, tmp_path, browser):
    more = f"\nloaded = paddle.jit.load({str(saved_model[0])!r})\nprogram = loaded.program()\n"
    user_file.write_text(user_file.read_text() + more)
    for name in ("loaded", "program"):
        assert dy2st_command("view", f"{user_file}:{name}", "--output", tmp_path / "page.html")[0] == 0
    code, _, err = dy2st_command("view", f"{user_file}:loaded", "--spec", "float32[1,3]")
    assert code == 2 and "already" in err


def test_a_traced_module_in_a_file(dy2st_command, tmp_path, browser):
    tm.save(tm.trace_module(Net(), paddle.ones([1, 4])), tmp_path / "net.dy2st")
    assert dy2st_command("view", tmp_path / "net.dy2st", "--output", tmp_path / "page.html")[0] == 0
    assert "<title>Net</title>" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_what_is_wrong_is_told_in_a_line(dy2st_command, saved_model, browser):
    assert dy2st_command("view", "nothing/here")[0] == 2
    assert dy2st_command("view", saved_model[0], "--spec", "float32[1]")[0] == 2
    assert browser == []
