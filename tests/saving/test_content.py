"""What is written, piece by piece: little memory, chunks that may be kept, checksums that hold, the zip that `zipfile` writes."""

from __future__ import annotations

import io
import tracemalloc
import zipfile

import numpy as np
import pytest
from saving.crashes import Plus, names

import dy2st
from dy2st.saving import zipped
from dy2st.saving.archive import LOCAL
from dy2st.saving.content import Content, chunks
from dy2st.saving.params import ALIGNMENT


def test_parameters_that_change_while_they_are_saved_leave_the_old_model(tmp_path, monkeypatch):
    """Another thread trains between the pass that takes the checksums and the pass that writes."""
    state = {"a": dy2st.ones([3])}
    dy2st.save(state, tmp_path / "state")
    sealed = Content.__init__

    def changed_after(content, pieces):
        sealed(content, pieces)
        state["a"].set_value(state["a"] + 1)

    monkeypatch.setattr(Content, "__init__", changed_after)
    with pytest.raises(RuntimeError, match="the parameters changed while they were saved"):
        dy2st.save(state, tmp_path / "state")
    assert names(tmp_path) == ["state"] and dy2st.load(tmp_path / "state")["a"].tolist() == [1, 1, 1]


def large(value):
    return {name: dy2st.full([1 << 20], value) for name in "abcdefgh"}


@pytest.mark.parametrize("target", ["state", "w.safetensors", None], ids=["archive", "safetensors", "file object"])
def test_a_save_needs_little_memory_beside_the_arrays(target, tmp_path):
    class Sink(io.RawIOBase):
        def write(self, data):
            return len(data)

    state = large(1.0)
    tracemalloc.start()
    dy2st.save(state, Sink() if target is None else tmp_path / target)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 << 20  # of 32 MiB


class Unbuffered(io.RawIOBase):
    """A file that takes seven bytes at once, and can't seek."""

    def __init__(self):
        self.parts = []

    def write(self, data):
        self.parts.append(data[:7])
        return min(7, len(data))


def test_a_file_object_that_takes_little_at_once_gets_all(tmp_path):
    file = Unbuffered()
    dy2st.save({"a": dy2st.ones([3])}, file)
    dy2st.save({"a": dy2st.ones([3])}, tmp_path / "state")
    assert b"".join(file.parts) == (tmp_path / "state").read_bytes()


def test_what_a_file_object_keeps_doesnt_change_with_the_arrays():
    kept = []
    state = {"a": dy2st.ones([3])}
    file = type("Keeper", (), {"write": lambda self, data: kept.append(data)})()
    dy2st.save(state, file)
    state["a"].set_value(state["a"] * 2)
    assert dy2st.load(io.BytesIO(b"".join(kept)))["a"].tolist() == [1, 1, 1]


def zipfile_bytes(members):
    """The same archive by Python's own writer."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.create_system, member.external_attr = 3, 0o644 << 16
            start = buffer.tell() + LOCAL.size + len(name.encode()) + (20 if len(data) * 1.05 > zipfile.ZIP64_LIMIT else 0)
            member.extra = (0xD935).to_bytes(2, "little") + (-(start + 4) % ALIGNMENT).to_bytes(2, "little")
            member.extra += bytes(-(start + 4) % ALIGNMENT)
            archive.writestr(member, data)
    return buffer.getvalue()


@pytest.mark.parametrize("limit", [(1 << 31) - 1, 150, 3000])
def test_the_zip_is_what_zipfile_writes(limit, monkeypatch):
    """A low limit makes the fields of archives of more than 2 GiB."""
    monkeypatch.setattr(zipped, "_MAX_32", limit)
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", limit)
    members = {"info.json": b"{}", "a": b"", "é/b": bytes(range(256)) * 10, "c": b"x" * 1000}
    data = b"".join(zipped.zip_chunks({name: Content([piece]) for name, piece in members.items()}))
    assert data == zipfile_bytes(members)
    with zipfile.ZipFile(io.BytesIO(data)) as found:
        assert {name: found.read(name) for name in found.namelist()} == members and found.testzip() is None


def test_more_files_than_are_read_are_not_written(tmp_path):
    traced = dy2st.jit.trace(Plus(1.0), [dy2st.zeros([1])])
    with pytest.raises(ValueError, match="holds 10000 files at most"):
        dy2st.jit.save(traced, tmp_path / "f", _extra_files=dict.fromkeys(map(str, range(10_000)), ""))
    assert names(tmp_path) == []


def test_chunks_are_small():
    pieces = [b"", np.zeros(3 << 20, np.uint8).data, b"end"]
    found = list(chunks(pieces))
    assert max(map(len, found)) <= 1 << 20 and b"".join(found) == b"".join(pieces)
