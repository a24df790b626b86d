"""`dy2st profile`: what each line and each part takes; how often lines run, plain Python tells."""

from __future__ import annotations

import json
import linecache
import os
import re
import sys
import tracemalloc

import numpy as np
import pytest

import dy2st
from dy2st import jit, nn
from dy2st.jit import profile
from dy2st.static import InputSpec


class Part(nn.Layer):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def forward(self, x):
        return nn.functional.relu(self.inner(x))


class Looping(nn.Layer):
    def __init__(self):
        super().__init__()
        dy2st.seed(3)
        self.part = Part()
        self.last = nn.Linear(3, 2)

    def forward(self, x):
        h = self.part(x)
        while h.sum() < 100.0:
            h = (h * 2.0).exp().log() + 1.0
            if h.max() > 50.0:
                h = (h - 1.0).abs()
            elif h.max() > 10.0:
                h = (h - 2.0).abs()
        return self.last(h)


def large(x):
    y = x.exp()
    z = y.cumsum(-1)
    return z + y


def lines_run(function, *inputs):
    """How often each line of this file runs, by number."""
    found = {}

    def trace(frame, event, _):
        if frame.f_code.co_filename != __file__:
            return None
        if event == "line":
            found[frame.f_lineno] = found.get(frame.f_lineno, 0) + 1
        return trace

    sys.settrace(trace)
    try:
        function(*inputs)
    finally:
        sys.settrace(None)
    return found


@pytest.fixture
def x():
    return np.full((4, 3), 0.3, "float32")


@pytest.fixture
def saved(tmp_path):
    path = str(tmp_path / "net")
    jit.save(Looping(), path, input_spec=[InputSpec([None, 3], "float32", "x")])
    return path


def by_line(found):
    return {int(row.where.rpartition(":")[2]): row for row in found.lines}


def test_each_line_takes_steps_as_often_as_plain_python_runs_it(saved, x):
    expected = lines_run(Looping().forward, dy2st.to_tensor(x))
    found = by_line(profile(saved, x, repeat=2))
    assert len(found) > 6
    heads = {line for line in found if expected.get(line) is None}  # `def`, which has no line of its own when it runs
    assert len(heads) <= 2
    for line in found.keys() - heads:
        assert found[line].steps >= expected[line], line
        forks = any(word in linecache.getline(__file__, line) for word in ("while ", "if "))  # they take steps of their own
        assert forks or found[line].steps % expected[line] == 0, line
    assert max(row.steps for row in found.values()) > 2


def test_scripted_models_and_calls_are_measured(tmp_path, x):
    net = jit.script(ScriptedLoop())
    path = str(tmp_path / "scripted")
    jit.save(net, path)
    tensor = dy2st.to_tensor(x)
    expected = lines_run(ScriptedLoop().forward, tensor)
    found = by_line(profile(path, tensor, repeat=2))
    (called,) = [line for line, row in found.items() if expected.get(line) == 5]
    assert found[called].steps >= 5 and found[called].steps % 5 == 0


class ScriptedLoop(nn.Layer):
    def forward(self, x: dy2st.Tensor) -> dy2st.Tensor:
        y = x
        for _ in range(5):
            y = halved(y)
        return y


def halved(x: dy2st.Tensor) -> dy2st.Tensor:
    return x.exp() / 2.0


def test_parts_hold_what_is_in_them(saved, x):
    found = profile(saved, x)
    seconds = {row.where: row.seconds for row in found.parts}
    assert set(seconds) == {"", "part", "part.inner", "last"}
    assert seconds["part.inner"] <= seconds["part"] <= seconds[""]
    assert sum(row.seconds for row in found.lines) == pytest.approx(seconds[""])
    assert found.measured == pytest.approx(seconds[""] + found.outside)
    assert [row.seconds for row in found.lines] == sorted((row.seconds for row in found.lines), reverse=True)


def test_bytes_are_those_of_the_new_arrays(tmp_path):
    path = str(tmp_path / "large")
    jit.save(jit.to_static(large), path, input_spec=[InputSpec([100, 100], "float32", "x")])
    found = sorted(profile(path, np.ones((100, 100), "float32")).lines, key=lambda row: row.where)
    sizes = [row.nbytes for row in found if row.nbytes > 20_000]
    assert len(sizes) == 2  # the sum is written into memory that is there
    assert all(size == pytest.approx(40_000, rel=0.1) for size in sizes), sizes


def test_the_measured_model_gives_the_same_and_keeps_nothing(saved, x):
    before = jit.load(saved)(x).numpy()
    profile(saved, x)
    np.testing.assert_array_equal(jit.load(saved)(x).numpy(), before)
    assert "meter." not in jit.load(saved)._executable.source


def test_the_command_prints_tables_or_json(dy2st_command, saved, x, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(os.path.dirname(__file__))  # a file tells names of sources without their folders
    np.save(tmp_path / "x.npy", x)
    code, out, err = dy2st_command("profile", saved, "--input", tmp_path / "x.npy", "--repeat", "3")
    assert (code, err) == (0, "")
    assert "while h.sum() < 100.0:" in out and "part.inner" in out and "one call: " in out
    code, out, _ = dy2st_command("profile", saved, "--input", tmp_path / "x.npy", "--json")
    found = json.loads(out)
    assert code == 0 and set(found) == {"seconds", "measured", "outside", "lines", "parts"}
    assert set(found["lines"][0]) == {"where", "source", "seconds", "steps", "nbytes"}


def test_the_tables_are_aligned(dy2st_command, saved, x, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(os.path.dirname(__file__))
    np.save(tmp_path / "x.npy", x)
    arguments = "profile", saved, "--input", tmp_path / "x.npy", "--repeat", "2"
    plain = dy2st_command(*arguments)[1].splitlines()
    by_line, by_part = plain.index("by line"), plain.index("by part, with what is in it")
    for head, rows in ((plain[by_line + 1], plain[by_line + 2 : by_part]), (plain[by_part + 1], plain[by_part + 2 :])):
        end = head.index("new bytes") + len("new bytes")
        assert rows and all(re.search(r" [\d.]+ (s|ms|us) +[\d.]+% +[\d.]+ +[\d,]+$", row[:end]) for row in rows), plain
        assert {row[end:][:2] for row in rows} <= {"", "  "}
    parts = {row.split("  ")[1] for row in plain[by_part + 2 :]}
    assert parts == {"(the model)", "part", "part.inner", "last"}


def test_a_terminal_gets_drawn_tables(dy2st_command, saved, x, tmp_path, monkeypatch):
    pytest.importorskip("rich")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.syspath_prepend(os.path.dirname(__file__))
    np.save(tmp_path / "x.npy", x)
    drawn = dy2st_command("profile", saved, "--input", tmp_path / "x.npy", "--repeat", "2")[1]
    text = re.sub(r"\x1b\[[0-9;]*m", "", drawn)
    assert text.count("───") >= 2 and "by line" in text and "while h.sum() < 100.0:" in text
    assert re.search(r"^ +part\.inner +[\d.]+ (ms|us) +[\d.]+% +[\d.]+ +[\d,]+ *$", text, re.M), text
    assert "\x1b[36mpart.inner" in drawn.replace("\x1b[36m \x1b[0m", "")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("nowhere", "--input", "x.npy"), 2, "there is no model at nowhere"),
        (("net", "--input", "none.npy"), 2, "none.npy"),
        (("net", "--input", "x.npy", "--repeat", "0"), 2, "expected at least 1"),
        (("net",), 1, "x"),
        (("net", "--input", "wide.npy"), 1, "argument x has shape [2, 7]"),
    ],
)
def test_bad_input_is_one_line(dy2st_command, saved, x, tmp_path, monkeypatch, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", x)
    np.save("wide.npy", np.ones((2, 7), "float32"))
    found, out, err = dy2st_command("profile", *arguments)
    assert (found, out) == (code, "") and message in err and err.count("\n") == 1


def test_a_caller_who_traces_memory_goes_on(saved, x):
    tracemalloc.start()
    try:
        found = profile(saved, x, repeat=1)
        assert tracemalloc.is_tracing() and found.lines[0].nbytes < 100_000
    finally:
        tracemalloc.stop()


def test_repeat_is_a_positive_int(saved, x):
    with pytest.raises(ValueError, match="at least 1, not 0"):
        profile(saved, x, repeat=0)
