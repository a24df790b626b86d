"""Files that Git or an editor has altered say so: Git LFS pointers, and CRLF in the place of LF."""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn, state_files
from dy2st.cli import main
from dy2st.errors import ModelFileError
from dy2st.static import InputSpec

POINTER = (
    b"version https://git-lfs.github.com/spec/v1\n"
    b"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
)
OF_LFS = r"is a Git LFS pointer, not the file itself: run `git lfs pull`"
OF_CRLF = r"has Windows line ends \(CRLF\): Git or an editor has changed it; write `\*.{} -text` into .gitattributes"
FILES = ["net.model.json", "net.info.json", "net.params.safetensors"]


@pytest.fixture
def folder(tmp_path):
    """A model as three files and as an archive, a dict of tensors as both."""
    net = nn.Linear(64, 64)
    net.weight.set_value(np.random.default_rng(0).normal(size=(64, 64)).astype("float32"))
    for name in ("net", "net.dy2st"):
        jit.save(net, str(tmp_path / name), input_spec=[InputSpec([None, 64], "float32")])
    for name in ("state.dy2st", "state.safetensors"):
        state_files.save(net.state_dict(), str(tmp_path / name))
    return tmp_path


def converted(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


@pytest.mark.parametrize("name", FILES)
def test_a_pointer_in_the_place_of_one_of_three_files(name, folder):
    (folder / name).write_bytes(POINTER)
    with pytest.raises(ModelFileError, match=f"{name} {OF_LFS}"):
        jit.load(str(folder / "net"))


@pytest.mark.parametrize("name", ["net.dy2st", "state.dy2st", "state.safetensors"])
@pytest.mark.parametrize("load", [jit.load, paddle.load, paddle.traced_module.load])
def test_a_pointer_in_the_place_of_a_file(name, load, folder):
    (folder / name).write_bytes(POINTER.replace(b"v1", b"v2"))
    if load is jit.load and name.endswith(".safetensors"):
        return
    with pytest.raises(ModelFileError, match=f"{name} {OF_LFS}"):
        load(str(folder / name))


def test_a_pointer_from_a_file_object():
    with pytest.raises(ModelFileError, match=OF_LFS):
        jit.load(io.BytesIO(POINTER))


@pytest.mark.parametrize("command", ["inspect", "view", "diff"])
def test_commands_say_so(command, folder, capsys):
    (folder / "net.dy2st").write_bytes(POINTER)
    assert main([command, *[str(folder / "net.dy2st")] * (2 if command == "diff" else 1)]) != 0
    printed = capsys.readouterr()
    assert "is a Git LFS pointer" in " ".join((printed.out + printed.err).split())


@pytest.mark.parametrize("name", ["net.model.json", "net.params.safetensors"])
def test_crlf_in_one_of_three_files(name, folder):
    converted(folder / name)
    with pytest.raises(ModelFileError, match=OF_CRLF.format(name.removeprefix("net."))):
        jit.load(str(folder / "net"))


def test_crlf_in_the_info_file_changes_nothing(folder):
    converted(folder / "net.info.json")
    assert jit.load(str(folder / "net"))(np.ones((1, 64), "float32")).shape == [1, 64]


@pytest.mark.parametrize(
    "name, load", [("net.dy2st", jit.load), ("state.dy2st", paddle.load), ("state.safetensors", paddle.load)]
)
def test_crlf_in_a_binary_file(name, load, folder):
    converted(folder / name)
    with pytest.raises(ModelFileError, match=OF_CRLF.format(name.split(".")[1])):
        load(str(folder / name))


@pytest.mark.parametrize("name", ["net.model.json", "net.dy2st"])
def test_a_file_that_is_damaged_otherwise_is_not_said_to_have_crlf(name, folder):
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[:40] + b"\r\n" * 10 + data[41:])
    with pytest.raises(ModelFileError) as told:
        jit.load(os.fspath(folder / name).removesuffix(".model.json"))
    assert "CRLF" not in str(told.value)


@pytest.mark.parametrize("data", [b"", b"\r\n" * 3, b"version https://git-lfs", POINTER + b" " * 1024])
def test_other_short_files_are_what_they_were(data, tmp_path):
    (tmp_path / "net.dy2st").write_bytes(data)
    with pytest.raises(ModelFileError, match="not a readable archive"):
        jit.load(str(tmp_path / "net.dy2st"))
