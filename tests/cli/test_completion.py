"""The scripts for shells, in the shells themselves where they are there."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from dy2st.cli.commands import COMMANDS


@pytest.fixture
def script(dy2st_command, tmp_path, monkeypatch):
    """script(shell) writes its script, in a folder with some files."""
    monkeypatch.chdir(tmp_path)
    for name in ("net.py", "x.npy", "y.npz", "notes.txt", "out/net.info.json", "my folder/a b.npy"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    def write(shell):
        code, out, err = dy2st_command("completion", shell)
        assert (code, err) == (0, "")
        (tmp_path / f"script.{shell}").write_text(out)
        return tmp_path / f"script.{shell}"

    return write


OFFERED = [
    (["inspect", "ou"], {"out"}),
    (["code", ""], {"net.py", "out", "my folder"}),
    (["run", "--b"], {"--backend"}),
    (["run", "net", "--backend", ""], {"numpy", "onnxruntime", "jax"}),
    (["run", "net", "--input", ""], {"x.npy", "y.npz", "out", "my folder"}),
    (["run", "net", "--input", "my folder/"], {"my folder/a b.npy"}),
    (["predict", "net", "--output", ""], {"out", "my folder"}),
    (["predict", "net", "--workers", ""], set()),
    (["completion", ""], {"bash", "zsh", "fish"}),
    (["check", "net.py:f", "--"], {"--help", "--spec", "--json"}),
]


def offered_by_bash(script, words):
    """What bash has in COMPREPLY for these words, the last of which is being typed."""
    lines = ['source "$1"; shift', 'COMP_WORDS=(dy2st "$@")', "COMP_CWORD=$#", "_dy2st", 'printf "%s\\n" "${COMPREPLY[@]}"']
    command = ["bash", "--norc", "-c", "\n".join(lines), "bash", script, *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stderr == ""
    return set(done.stdout.splitlines()) - {""}


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash isn't here")
def test_bash_offers_commands_options_and_files(script):
    path = script("bash")
    assert offered_by_bash(path, [""]) == {*COMMANDS, "--help", "--version"}
    for words, expected in OFFERED:
        found = offered_by_bash(path, words)
        assert {name for name in found if not name.startswith("script.")} == expected, words


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash isn't here")
def test_bash_splits_at_an_equals_sign(script):
    path = script("bash")
    assert offered_by_bash(path, ["run", "net", "--backend", "=", "o"]) == {"onnxruntime"}
    assert offered_by_bash(path, ["run", "net", "--backend", "="]) == {"numpy", "onnxruntime", "jax"}


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish isn't here")
def test_fish_offers_the_same(script):
    path = script("fish")
    for words, expected in OFFERED:
        line = " ".join(["dy2st", *(word.replace(" ", "\\ ") for word in words)])
        command = ["fish", "--no-config", "-c", f"source {path}; complete -C '{line}'"]
        done = subprocess.run(command, capture_output=True, text=True)
        found = {row.partition("\t")[0].rstrip("/").replace("\\ ", " ") for row in done.stdout.splitlines()}
        assert {name for name in found if not name.startswith("script.")} >= expected, words


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh isn't here")
def test_zsh_can_read_its_script(script):
    assert subprocess.run(["zsh", "-n", script("zsh")], capture_output=True, text=True).stderr == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_command_and_option_is_in_each_script(script, shell, dy2st_command):
    text = script(shell).read_text()
    for name in COMMANDS:
        assert name in text
        for option in ("json", "help"):
            assert option in text
    assert f"dy2st completion {shell}" in dy2st_command("completion", "--help")[1]
