"""The scripts of shtab for our parser, in the shells themselves where they are there."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from dy2st.cli.commands import COMMANDS


@pytest.fixture
def script(dy2st_command, tmp_path, monkeypatch):
    """script(shell) writes its script, in a folder with some files."""
    pytest.importorskip("shtab")
    monkeypatch.chdir(tmp_path)
    for name in ("net.py", "x.npy", "y.npz", "notes.txt", "out/net.info.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    def write(shell):
        code, out, err = dy2st_command("completion", shell)
        assert (code, err) == (0, "")
        (tmp_path / f"script.{shell}").write_text(out)
        return tmp_path / f"script.{shell}"

    return write


OFFERED = [
    ([""], set(COMMANDS)),
    (["inspect", "ou"], {"out"}),
    (["code", ""], {"net.py", "out"}),
    (["run", "--b"], {"--backend"}),
    (["run", "net", "--backend", ""], {"numpy", "onnxruntime", "jax"}),
    (["run", "net", "--input", ""], {"x.npy", "y.npz", "out"}),
    (["predict", "net", "--output", ""], {"out"}),
    (["predict", "net", "--batch", ""], set()),
    (["completion", ""], {"bash", "zsh", "fish"}),
    (["check", "net.py:f", "--"], {"--help", "--spec", "--json"}),
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash isn't here")
def test_bash_offers_commands_options_and_files(script):
    path = script("bash")
    lines = ['source "$1"; shift', 'COMP_WORDS=(dy2st "$@")', "COMP_CWORD=$#", "_shtab_dy2st", 'printf "%s\\n" "${COMPREPLY[@]}"']
    for words, expected in OFFERED:
        command = ["bash", "--norc", "-c", "\n".join(lines), "bash", path, *words]
        done = subprocess.run(command, capture_output=True, text=True)
        assert set(done.stdout.splitlines()) - {"", "script.bash"} == expected, (words, done.stderr)


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish isn't here")
def test_fish_offers_the_same(script):
    path = script("fish")
    for words, expected in OFFERED:
        command = ["fish", "--no-config", "-c", f"source {path}; complete -C '{' '.join(['dy2st', *words])}'"]
        done = subprocess.run(command, capture_output=True, text=True)
        found = {row.partition("\t")[0].rstrip("/") for row in done.stdout.splitlines()}
        assert found - {"script.fish"} == expected, (words, done.stderr)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh isn't here")
def test_zsh_can_read_its_script(script):
    assert subprocess.run(["zsh", "-n", script("zsh")], capture_output=True, text=True).stderr == ""


def test_without_shtab_the_message_names_it(dy2st_command, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    code, out, err = dy2st_command("completion", "bash")
    assert (code, out) == (1, "") and "needs the package shtab: pip install '.[cli]'" in err and err.count("\n") == 1
