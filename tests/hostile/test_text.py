"""Texts from a file, where they are shown: on a terminal, in a page, in Graphviz's language, in a printed Program."""

from __future__ import annotations

import html.parser
import io
import json
import re
import sys
import traceback

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit
from dy2st import traced_module as tm
from dy2st.cli import main
from dy2st.ir.builder import Builder
from dy2st.ir.core import Loc
from dy2st.ir.parser import parse_program
from dy2st.ir.visible import visible
from dy2st.jit.interface.errors import script_error
from dy2st.jit.scripting.graph import Graph
from dy2st.runtime.where.lines import SourceLoc
from dy2st.saving import read_files
from dy2st.saving.archive import read_archive
from dy2st.saving.files import MODEL, PARAMS, read_model, seal, write_model
from dy2st.saving.params import read_params
from dy2st.static import InputSpec
from hostile.files import EVIL, archive_of, model_of, with_model

UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(2, 2)
        self.seen = 0

    def forward(self, x):
        self.seen += 1
        if x.sum() > 0:
            raise RuntimeError("a message")
        return {"result": self.linear(x)}


@pytest.fixture
def model(tmp_path):
    """A saved model in which all that may be called anything is called EVIL."""
    path = tmp_path / "net"
    jit.save(jit.to_static(Net(), input_spec=[InputSpec([None, 2], "float32", "x")]), str(path))

    def renamed(tree):
        def evil(part):
            if isinstance(part, list):
                return [evil(item) for item in part]
            if isinstance(part, dict):
                return {key: evil(item) for key, item in part.items()}
            return EVIL + part if part in names else part

        names = ("x", "main", "result", "a message", "forward", "linear", "seen", "test_text.py")
        tree["functions"] = evil(tree["functions"])

    with_model(path, renamed)
    info, files = read_model(path)
    (function,) = json.loads(bytes(files[MODEL]))["functions"]
    info.entries = {EVIL: function["name"]}
    info.inputs, info.outputs, info.name = {EVIL: info.inputs["forward"]}, {EVIL: info.outputs["forward"]}, EVIL
    info.versions = {EVIL: EVIL}
    write_model(path, seal({MODEL: [files[MODEL]], PARAMS: [files[PARAMS]]}, info))
    return path


def test_escapes_are_those_of_python():
    assert visible("a\n\x1b[2J\r\x85\u202e\ud800\U000e0001é文") == r"a\n\x1b[2J\r\x85\u202e\ud800\U000e0001é文"


def test_no_command_prints_what_a_terminal_obeys(model, tmp_path, capsys):
    np.save(tmp_path / "good.npy", -np.ones((1, 2), np.float32))
    np.save(tmp_path / "bad.npy", np.ones((1, 2), np.float32))
    commands = [
        (0, "inspect", model), (0, "inspect", model, "--engine"), (0, "graph", model),
        (0, "view", model, "--no-browser", "--output", tmp_path / "page.html"),
        (0, "run", model, "--input", tmp_path / "good.npy"),
        (1, "run", model, "--input", tmp_path / "bad.npy"), (2, "run", model, "--input", EVIL.replace("\0", "")),
        (2, "inspect", EVIL.replace("\0", "")),
    ]  # fmt: skip
    for expected, *arguments in commands:
        code = main([str(a) for a in arguments])
        printed = capsys.readouterr()
        assert code == expected, (arguments, printed)
        assert not UNSEEN.search(printed.out + printed.err), arguments
        assert not [line for line in (printed.out + printed.err).split("\n") if line.startswith(("dy2st: fine", "sha256: fine"))]
        assert printed.err.count("\n") == (0 if expected == 0 else 1)

def test_differences_are_shown_as_text(model, tmp_path, capsys):
    jit.save(jit.to_static(Net(), input_spec=[InputSpec([None, 2], "float32", "x")]), str(tmp_path / "plain"))
    assert main(["diff", str(tmp_path / "plain"), str(model)]) == 1
    printed = capsys.readouterr().out
    assert visible(EVIL) in printed and not UNSEEN.search(printed) and "\ndy2st: fine" not in printed


def test_what_the_terminal_can_not_encode_is_escaped(model, monkeypatch):
    out = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["graph", str(model)]) == 0
    assert b"\\u6587" in out.buffer.getvalue()


def test_long_messages_are_cut(tmp_path, capsys):
    assert main(["inspect", str(tmp_path / ("x" * 200)) + "y" * 100_000]) == 2
    assert len(capsys.readouterr().err) < 2100


def test_a_message_that_no_text_can_be_made_of_is_an_error_like_any_other(tmp_path, capsys):
    b = Builder()
    with b.function("main", x="float32[1]"):
        b.raise_("ValueError", b.const(10**6000), bases=["ValueError"])
    path = model_of(tmp_path / "net", b.program, [["x", {"tensor": {"shape": [1], "dtype": "float32", "name": "x",
                                                                      "stop_gradient": True}}]])  # fmt: skip
    np.save(tmp_path / "x.npy", np.ones(1, np.float32))
    assert main(["run", str(path), "--input", str(tmp_path / "x.npy")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("dy2st: error: ValueError") and error.count("\n") == 1


def test_what_a_model_prints_while_it_runs_commands_no_terminal(tmp_path, capsys):
    def says(x):
        print("\x1b[2J", x.sum(), end="\r\n")
        return x

    jit.save(jit.to_static(says, input_spec=[InputSpec([2], "float32", "x")]), str(tmp_path / "net"))
    np.save(tmp_path / "x.npy", np.ones(2, np.float32))
    capsys.readouterr()
    assert main(["run", str(tmp_path / "net"), "--input", str(tmp_path / "x.npy")]) == 0
    printed = capsys.readouterr().out
    assert not UNSEEN.search(printed) and printed.startswith("\\x1b[2J ") and printed.endswith("\nout: float32[2] [1. 1.]\n")


def test_results_that_are_called_like_a_path_are_not_written(tmp_path, capsys):
    def named(x):
        return {"../../out": x}

    jit.save(jit.to_static(named, input_spec=[InputSpec([2], "float32", "x")]), str(tmp_path / "net"))
    np.save(tmp_path / "x.npy", np.ones(2, np.float32))
    arguments = ["run", str(tmp_path / "net"), "--input", str(tmp_path / "x.npy"), "--output", str(tmp_path / "y.npz")]
    assert main(arguments) == 2 and "relative" in capsys.readouterr().err


def test_a_printed_program_reads_back_whatever_its_names(model):
    program, _ = read_files(model)
    text = str(program)
    assert not UNSEEN.search(text)
    assert str(parse_program(text)) == text


def test_a_loaded_model_shows_its_names_as_text(model):
    program, _ = read_files(model)
    assert not UNSEEN.search(str(Graph(program, program.entry.name)))
    assert not UNSEEN.search(repr(Odd()))


def test_names_stay_text_in_the_page_of_a_loaded_model(model, tmp_path):
    path = tmp_path / "plain"
    jit.save(jit.to_static(Net(), input_spec=[InputSpec([None, 2], "float32", "x")]), str(path))
    pages = [jit.load(str(saved)).to_html() for saved in (path, model)]
    found, expected = Scripts(pages[1]), Scripts(pages[0])
    assert found.elements == expected.elements and found.comments == [] and not UNSEEN.search(pages[1])
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', pages[1], re.S)
    assert "<" not in data and json.loads(data)["title"] == visible(EVIL)
    frame = jit.load(str(model))._repr_html_()
    assert [tag for tag, _ in Scripts(frame).elements] == ["iframe"]


class Odd(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        setattr(self, EVIL, paddle.nn.ReLU())


# --- traced modules -----------------------------------------------------------------------------------------------------


class Small(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.act = paddle.nn.ReLU()

    def forward(self, x):
        return self.act(x) + 1


def renamed_module(name):
    """A traced module in which all that may be called anything is called `name`. A file's names are refused instead."""
    module = tm.trace_module(Small(), paddle.ones([2]))
    module.class_name = module.graph.name = name
    for expr in module.graph.body:
        expr.path, expr.loc = name, Loc(name, 1, name)
    return module


def located_module(path, loc):
    """A traced module, loaded from a file whose steps come from this place."""
    tm.save(tm.trace_module(Small(), paddle.ones([2])), path)
    info, files = read_archive(path)
    tree = json.loads(bytes(files[MODEL]))
    for step in tree["graphs"][0]["body"]:
        step["loc"] = loc
    archive_of(path, tree, dict(read_params(files[PARAMS])), info)
    return tm.load(path)


class Scripts(html.parser.HTMLParser):
    """What a browser finds: elements with their attributes, and the text of each script and of the title."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.comments = [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.elements:
            key = self.elements[-1][0]
            self.texts.setdefault(key, "")
            self.texts[key] += data

    def handle_comment(self, data):
        self.comments.append(data)


@pytest.fixture
def evil_module():
    return renamed_module(EVIL)


def test_names_stay_text_in_the_page(evil_module):
    pages = [module.graph.to_html() for module in (renamed_module("Small"), evil_module)]
    found, expected = Scripts(pages[1]), Scripts(pages[0])
    assert found.elements == expected.elements and found.comments == []
    assert not UNSEEN.search(pages[1])
    assert found.texts["title"].strip() == found.texts["h1"].strip() == visible(EVIL)
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', pages[1], re.S)
    assert "<" not in data and json.loads(data)["title"] == visible(EVIL)


def test_names_stay_on_their_line_in_a_printed_graph(evil_module):
    lines = str(evil_module.graph).split("\n")
    assert len(lines) == 2 + len(evil_module.graph.body) + 1 and not UNSEEN.search("\n".join(lines).replace("\t", ""))
    assert not UNSEEN.search(repr(evil_module))


def test_the_page_may_not_ask_the_network(evil_module):
    policies = [attrs["content"] for tag, attrs in Scripts(evil_module.graph.to_html()).elements if "http-equiv" in attrs]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"]


STRING = r'"(?:[^"\\]|\\.)*"'


def test_names_stay_strings_in_graphviz_text():
    name = EVIL + '" ]; evil [URL="javascript:x" label=<<b>x</b>> \\N \\" &lt; \\'
    text = renamed_module(name).graph.to_dot()
    assert not UNSEEN.search(text)
    rest = re.sub(STRING, "", text)
    assert '"' not in rest and "evil" not in rest and "URL" not in rest and "<" not in rest
    title = re.match(rf"digraph ({STRING})", text)[1][1:-1]
    assert re.sub(r"\\(.)", r"\1", title).replace("&amp;", "&") == visible(name)
    assert r"\\N" in title and "&amp;lt;" in title


# --- source lines -------------------------------------------------------------------------------------------------------


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret.py"
    path.write_text("password = 'hunter2'\n")
    return path


def test_a_page_of_a_loaded_module_reads_no_source(tmp_path, secret, monkeypatch):
    read = []
    module = located_module(tmp_path / "net.dy2st", [str(secret), 1, "f"])
    monkeypatch.setattr("linecache.getline", lambda *args: read.append(args) or "hunter2")
    assert "hunter2" not in module.graph.to_html() and "secret.py:1" in module.graph.to_html() and read == []


def test_a_page_of_a_module_traced_here_shows_its_lines():
    assert "return self.act(x) + 1" in tm.trace_module(Small(), paddle.ones([2])).graph.to_html()


def test_an_error_in_a_loaded_model_shows_no_line_of_the_file_that_it_names(tmp_path, secret, capsys):
    def helper(x):
        if x.sum() > 0:
            raise RuntimeError("no")
        return x

    path = tmp_path / "net"
    jit.save(jit.to_static(helper, input_spec=[InputSpec([2], "float32", "x")]), str(path))
    with_model(path, lambda tree: _at_line_1(tree, str(secret)))
    loaded = jit.load(str(path))
    with pytest.raises(RuntimeError) as caught:
        loaded(paddle.ones([2]))
    text = "".join(traceback.format_exception(caught.value))
    assert "hunter2" not in text and (sys.version_info < (3, 11) or "secret.py:1" in text)  # notes are new there


def test_script_shows_a_line_only_where_its_own_source_stands(secret):
    assert str(script_error("no", Loc(str(secret), 1))) == f"{secret}:1: no"
    assert str(script_error("no", SourceLoc(str(secret), 1))).endswith("\n    password = 'hunter2'")
    (op,) = [op for op in parse_program(f"def main():\n  return  # {secret}:1 main\n").walk()]
    assert type(op.loc) is Loc


def _at_line_1(tree, file):
    def visit(block):
        for op in block["ops"]:
            if "loc" in op:
                op["loc"] = [file, "helper", 1]
            for inner in op.get("blocks", []):
                visit(inner)

    visit(tree["functions"][0]["block"])


def test_check_shows_no_line_of_a_file_that_only_a_message_names(tmp_path, secret, capsys):
    source = tmp_path / "net.py"
    source.write_text(f"def f(x):\n    raise ValueError({str(secret) + ':1: look'!r})\n")
    assert main(["check", f"{source}:f", "--spec", "float32[2]"]) == 1
    printed = capsys.readouterr().out
    assert "hunter2" not in printed and "net.py:2: conversion" in printed
