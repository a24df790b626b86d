"""How a command shows what it has found: plain lines, colours, JSON; what it is at; how it ends."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import dy2st
from dy2st.cli.output import console, progress

ROOT = Path(dy2st.__file__).resolve().parent.parent
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture
def commands(user_file, saved_model, x):
    """Every command with arguments that fit."""
    model, file = saved_model[0], user_file
    spec = ["--spec", "x=float32[?,3]"]
    return {
        "code": [f"{file}:double"],
        "code a file": [file],
        "code --diff": [f"{file}:Net", "--diff"],
        "code --html": [f"{file}:double", "--html", file.parent / "page.html", *spec],
        "code --unrolled": [f"{file}:double", "--unrolled", *spec],
        "graph": [model],
        "graph an object": [f"{file}:double", *spec],
        "view": [model, "--no-browser", "--output", file.parent / "page.html"],
        "check": [f"{file}:uses_numpy"],
        "convert": [f"{file}:double", *spec, "--out", file.parent / "made"],
        "inspect": [model],
        "inspect --engine": [model, "--engine"],
        "run": [model, "--input", x[0]],
        "predict": [file.parent / "made", "--input", x[0], "--output", file.parent / "results"],
        "profile": [model, "--input", x[0], "--repeat", "1"],
        "diff": [model, file.parent / "made"],
        "completion": ["bash"],
    }


def test_every_command_prints_lines_colours_or_json(dy2st_command, commands, monkeypatch):
    pytest.importorskip("rich")
    pytest.importorskip("shtab")
    for name, arguments in commands.items():
        plain = dy2st_command(name.split()[0], *arguments)
        monkeypatch.setenv("FORCE_COLOR", "1")
        bright = dy2st_command(name.split()[0], *arguments)
        monkeypatch.delenv("FORCE_COLOR")
        machine = dy2st_command(name.split()[0], *arguments, "--json")
        assert plain[0] == bright[0] == machine[0] == (1 if name in ("check", "diff") else 0), (name, machine)
        assert plain[2] == bright[2] == machine[2] == ""
        assert "\x1b" not in plain[1] and plain[1].endswith("\n")
        assert json.loads(machine[1]) is not None and "\x1b" not in machine[1]
        if name not in ("predict", "profile", "convert", "code a file", "inspect"):  # tables, and times
            assert CODES.sub("", bright[1]) == plain[1], name
        if name.startswith(("code", "graph", "check", "diff", "inspect")) and name not in ("code --unrolled", "code --html"):
            assert "\x1b[" in bright[1], name


def test_the_json_of_graph_is_that_of_the_model_file(dy2st_command, saved_model):
    assert json.loads(dy2st_command("graph", saved_model[0], "--json")[1]) == json.loads(
        Path(f"{saved_model[0]}.model.json").read_text()
    )


@pytest.mark.parametrize(
    "environment, is_coloured",
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False), ({"FORCE_COLOR": ""}, True)],
)
def test_colours_are_for_terminals_that_want_them(environment, is_coloured, monkeypatch):
    pytest.importorskip("rich")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    class Terminal:
        encoding = "utf-8"

        def __init__(self, is_terminal):
            self.isatty = lambda: is_terminal

    assert (console.console_for(Terminal(True)) is not None) is is_coloured
    assert console.console_for(Terminal(False)) is None


def test_without_rich_lines_are_plain(dy2st_command, commands, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(console, "find_spec", lambda name: None)
    code, out, err = dy2st_command("inspect", *commands["inspect"])
    assert (code, err) == (0, "") and "\x1b" not in out and "  linear.weight  float32[3,2]     24  parameter\n" in out


@pytest.mark.parametrize("columns", ["20", "40", "200"])
def test_tables_fit_and_sources_stay_as_they_are(dy2st_command, commands, monkeypatch, columns):
    pytest.importorskip("rich")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", columns)
    for name in ("code a file", "inspect"):
        lines = CODES.sub("", dy2st_command(name.split()[0], *commands[name])[1]).splitlines()
        assert max(len(line) for line in lines if not line.startswith(("entry", "sha", "model", "written"))) <= int(columns)
    wide = CODES.sub("", dy2st_command("code", *commands["code"])[1])
    monkeypatch.delenv("FORCE_COLOR")
    assert wide == dy2st_command("code", *commands["code"])[1]


def test_values_that_json_has_no_numbers_for(dy2st_command, tmp_path):
    (tmp_path / "log.py").write_text("import dy2st\n\n\ndef log(x):\n    return dy2st.log(x), 'a\\x7fb', None\n")
    assert dy2st_command("convert", f"{tmp_path}/log.py:log", "--spec", "float32[3]", "--out", tmp_path / "log")[0] == 0
    np.save(tmp_path / "x.npy", np.float32([0, -1, 1]))
    found = json.loads(dy2st_command("run", tmp_path / "log", "--input", tmp_path / "x.npy", "--json")[1])
    assert found == {"0": {"dtype": "float32", "shape": [3], "values": ["-inf", "nan", 0.0]}, "1": "a\x7fb", "2": None}


def child(*arguments, **environment):
    return [sys.executable, "-m", "dy2st", *map(str, arguments)], {**os.environ, "PYTHONPATH": str(ROOT), **environment}


def test_who_reads_the_first_line_only_is_no_error(saved_model):
    command, environment = child("graph", saved_model[0])
    script = f"'{command[0]}' -m dy2st graph '{saved_model[0]}' | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=environment)
    assert done.stdout.splitlines()[-1] == "0" and done.stderr == ""


def test_an_encoding_that_lacks_a_character_gets_an_escape(tmp_path):
    (tmp_path / "say.py").write_text("def f(x):\n    return x  # é文\n\n\nnote = 1\n", encoding="utf-8")
    command, environment = child("code", f"{tmp_path}/say.py:f", PYTHONIOENCODING="ascii", LC_ALL="C")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


TERMINAL = """\
import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(status))
"""


def in_terminal(*arguments, **environment):
    """What a command writes to a terminal, and its exit code."""
    command, environ = child(*arguments, TERM="xterm", **environment)
    with open(os.devnull) as nothing:
        in_it = [sys.executable, "-c", TERMINAL, *command]
        done = subprocess.run(in_it, stdin=nothing, capture_output=True, text=True, env=environ)
    return done.stdout.replace("\r\n", "\n"), done.returncode


@pytest.fixture
def slow(tmp_path):
    """A file that takes more than a second to import, and prints meanwhile."""
    path = tmp_path / "slow.py"
    loop = "for k in range(4):\n    time.sleep(0.7)\n    print('so far', k)\n"
    path.write_text(f"import time\n\n{loop}\n\ndef f(x):\n    return x\n")
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")
def test_what_takes_longer_than_a_second_is_told_on_a_terminal(slow, monkeypatch):
    monkeypatch.chdir(slow.parent)
    out, code = in_terminal("code", "slow.py:f", NO_COLOR="1")
    assert code == 0 and "dy2st: importing slow.py, 1 s" in out, out
    assert re.search(r" at slow\.py:[345]", out) and "progress.py" not in out
    assert [line for line in out.splitlines() if line.startswith("so far")] == [f"so far {k}" for k in range(4)]


def test_where_stderr_is_no_terminal_nothing_is_told(slow):
    command, environment = child("code", f"{slow}:f", FORCE_COLOR="1")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and done.stderr.splitlines() == [f"so far {k}" for k in range(4)]


def test_what_is_quick_shows_nothing(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    with progress.working("a moment", 3, "rows") as at:
        at.done += 3
    time.sleep(0.05)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "text", ["sys.stdout.reconfigure(encoding='utf-8')", "sys.stdout.buffer.write(b'raw\\n')", "print('no end', end='')"]
)
def test_a_file_may_do_to_stdout_what_scripts_do(dy2st_command, tmp_path, text):
    (tmp_path / "says.py").write_text(f"import sys\n\n{text}\n\n\ndef f(x):\n    return x\n")
    code, out, err = dy2st_command("code", f"{tmp_path}/says.py:f")
    assert code == 0 and "def f(x)" in out and "error" not in err
