"""The three files: complete, checked to belong together, and replaced as one whatever moment a crash comes at."""

import os

import numpy as np
import pytest

from dy2st.errors import ModelFileError
from dy2st.ir.builder import Builder
from dy2st.saving import Info, files, read_files, write_files

NAMES = ["net.info.json", "net.model.json", "net.params.safetensors"]


def program(value):
    b = Builder()
    with b.function("main", x="float32[2]") as (x,):
        w = b.param("w", np.full(2, value, np.float32))
        b.return_(b.op("add", x, b.op("scale", w, scale=value, types="float32[2]"), types="float32[2]"))
    return b.program


def save(folder, value):
    write_files(folder / "net", program(value), Info(name=str(value)))


def what_loads(folder):
    """The number that all three files agree on, or None where there is no model."""
    try:
        loaded, info = read_files(folder / "net")
    except ModelFileError as error:
        assert "net.info.json" in str(error) and "No such file" in str(error)
        return None
    by = next(op.attrs["scale"] for op in loaded.walk() if op.name == "scale")
    found = {by, float(info.name), float(loaded.parameters["w"].data[0])}
    assert len(found) == 1, f"a mix of saves: {found}"
    return found.pop()


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_saving_writes_three_files_and_the_same_bytes_again(tmp_path):
    save(tmp_path / "a", 1.0)
    save(tmp_path / "b", 2.0)
    save(tmp_path / "b", 1.0)
    assert sorted(contents(tmp_path / "a")) == NAMES
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_loading_gives_read_only_views_of_the_file(tmp_path):
    save(tmp_path, 1.0)
    loaded, _ = read_files(tmp_path / "net")
    data = loaded.parameters["w"].data
    assert not data.flags.writeable and not data.flags.owndata
    save(tmp_path, 2.0)  # the loaded model keeps the file that it mapped
    assert data.tolist() == [1.0, 1.0] and what_loads(tmp_path) == 2.0


STEPS = ("replace", "fsync", "unlink")


def crash_at(monkeypatch, step, in_child):
    """Let the process die at its `step`-th call that touches the disk; the count of calls where it doesn't."""
    calls = []

    def dying(real):
        def call(*args, **kwargs):
            calls.append(real)
            if len(calls) == step:
                os._exit(9) if in_child else None
            return real(*args, **kwargs)

        return call

    monkeypatch.setattr(files.os, "replace", dying(os.replace))
    monkeypatch.setattr(files.os, "fsync", dying(os.fsync))
    monkeypatch.setattr(files, "_discard", dying(files._discard))
    real_write = files._write

    def torn(path, data):
        if len(calls) + 1 == step and in_child:
            path.write_bytes(data[: len(data) // 2])
        real_write(path, data)

    monkeypatch.setattr(files, "_write", torn)
    return calls


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a crash is played by a forked process")
@pytest.mark.parametrize("before", [None, 1.0], ids=["first save", "over an old one"])
@pytest.mark.parametrize("step", range(1, 14))
def test_after_a_crash_the_old_model_loads_or_the_new_one(tmp_path, monkeypatch, before, step):
    if before is not None:
        save(tmp_path, before)
    child = os.fork()
    if child == 0:
        crash_at(monkeypatch, step, in_child=True)
        save(tmp_path, 2.0)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    crashed = os.waitstatus_to_exitcode(status) == 9
    assert what_loads(tmp_path) in ((before, 2.0) if crashed else (2.0,))
    save(tmp_path, 3.0)  # the next save cleans up, whatever it finds
    assert what_loads(tmp_path) == 3.0 and sorted(contents(tmp_path)) == NAMES


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a crash is played by a forked process")
@pytest.mark.parametrize("first", range(6, 11))
@pytest.mark.parametrize("second", range(1, 12, 2))
def test_two_crashes_in_a_row(tmp_path, monkeypatch, first, second):
    """The second save dies while the first one is still waiting to be finished."""
    save(tmp_path, 1.0)
    for value, step in ((2.0, first), (3.0, second)):
        child = os.fork()
        if child == 0:
            crash_at(monkeypatch, step, in_child=True)
            save(tmp_path, value)
            os._exit(0)
        os.waitpid(child, 0)
    assert what_loads(tmp_path) in (1.0, 2.0, 3.0)


def test_the_steps_cover_the_whole_save(tmp_path, monkeypatch):
    calls = crash_at(monkeypatch, -1, in_child=False)
    save(tmp_path, 1.0)
    assert 8 < len(calls) < 14


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_a_failed_save_leaves_nothing_behind(tmp_path, monkeypatch, failing):
    save(tmp_path, 1.0)
    before, count = contents(tmp_path), 0
    real = files._write

    def full(path, data):
        nonlocal count
        count += 1
        if count == failing:
            path.write_bytes(data[:10])
            raise OSError(28, "No space left on device")
        real(path, data)

    monkeypatch.setattr(files, "_write", full)
    with pytest.raises(OSError, match="No space"):
        save(tmp_path, 2.0)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", NAMES)
def test_a_mix_a_missing_and_a_damaged_file_are_detected(tmp_path, name):
    save(tmp_path / "a", 1.0)
    save(tmp_path / "b", 2.0)
    (tmp_path / "a" / name).write_bytes((tmp_path / "b" / name).read_bytes())
    with pytest.raises(ModelFileError, match="is not the file that the info file names"):
        read_files(tmp_path / "a" / "net")
    (tmp_path / "a" / name).unlink()
    with pytest.raises(ModelFileError, match="is missing|No such file|is not the file"):
        read_files(tmp_path / "a" / "net")
    damaged = bytearray((tmp_path / "b" / name).read_bytes())
    damaged[-3] ^= 1
    (tmp_path / "b" / name).write_bytes(damaged)
    with pytest.raises(ModelFileError):
        read_files(tmp_path / "b" / "net")


def test_a_save_while_another_reads(tmp_path, monkeypatch):
    """The info file is read, then all three files change: the load starts over."""
    save(tmp_path, 1.0)
    real, once = files._matching, []

    def late(base, suffix, digest):
        if not once:
            once.append(1)
            save(tmp_path, 2.0)
        return real(base, suffix, digest)

    monkeypatch.setattr(files, "_matching", late)
    assert what_loads(tmp_path) == 2.0


def test_other_files_are_left_alone(tmp_path):
    for name in ("net.model.json.0123.new", "other.model.json.0123456789abcdef.new", "net.model.json.bak"):
        (tmp_path / name).write_text("mine")
    (tmp_path / "net.model.json.0123456789abcdef.new").write_text("left by a crash")
    save(tmp_path, 1.0)
    assert len(contents(tmp_path)) == 6


@pytest.mark.parametrize("prefix", ["", "out/", "out/..", "."])
def test_a_prefix_needs_a_name(tmp_path, monkeypatch, prefix):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="is not a path prefix"):
        write_files(prefix, program(1.0), Info())
