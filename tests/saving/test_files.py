"""The three files: complete, checked to belong together, read as one while they are replaced."""

import pytest
from saving.crashes import KINDS, program

from dy2st.errors import ModelFileError
from dy2st.saving import Info, files, read_files, write_files

save, what_loads, NAMES = KINDS["three files"]


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

    def late(*asked):
        if not once:
            once.append(1)
            save(tmp_path, 2.0)
        return real(*asked)

    monkeypatch.setattr(files, "_matching", late)
    assert what_loads(tmp_path) == 2.0


def test_a_file_that_cant_be_read_says_why(tmp_path, monkeypatch):
    save(tmp_path, 1.0)
    real = files.map_file

    def denied(path):
        if path.name == "net.model.json":
            raise ModelFileError(f"can't read {path}: Permission denied")
        return real(path)

    monkeypatch.setattr(files, "map_file", denied)
    with pytest.raises(ModelFileError, match="can't read .*net.model.json: Permission denied"):
        what_loads(tmp_path)


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
