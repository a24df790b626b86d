"""The writer of all files: what it replaces and what it refuses, permissions, links, locks."""

from __future__ import annotations

import errno
import os
import stat
import threading

import numpy as np
import pytest
from saving.crashes import KINDS, Plus, loaded, names

import dy2st
from dy2st.saving import lock
from dy2st.saving.writer import replacing
from dy2st.traced_module import trace_module

every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
posix = pytest.mark.skipif(os.name != "posix", reason="permissions, links and pipes of POSIX")


def put(path, data=b"new"):
    with replacing(path) as file:
        file.write(data)


def modes(folder):
    return {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


@posix
@every_kind
def test_a_new_file_has_the_mode_of_the_umask_and_the_next_one_keeps_it(kind, tmp_path):
    before = os.umask(0o027)
    try:
        kind.save(tmp_path, 1.0)
        assert modes(tmp_path) == {0o640}
        for path in tmp_path.iterdir():
            path.chmod(0o604)
        kind.save(tmp_path, 2.0)
        assert modes(tmp_path) == {0o604}
    finally:
        os.umask(before)


@posix
@every_kind
def test_a_link_stays_and_what_it_points_to_is_replaced(kind, tmp_path):
    store, folder = tmp_path / "store", tmp_path / "folder"
    store.mkdir(), folder.mkdir()
    for name in kind.names:
        (folder / name).symlink_to(f"../store/real.{name}")
    for value in (1.0, 2.0):
        kind.save(folder, value)
        assert loaded(kind, folder) == value and names(store) == [f"real.{name}" for name in kind.names]
    assert all(path.is_symlink() for path in folder.iterdir())


@posix
def test_what_is_no_file_is_refused_by_its_path(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"old")
    refused = {"pipe": errno.EINVAL, "folder": errno.EISDIR, "file/in/it": errno.ENOTDIR, "gone/": errno.ENOENT}
    for name, number in refused.items():
        with pytest.raises(OSError) as error:
            put(f"{tmp_path}/{name}")
        assert error.value.errno == number and f"{tmp_path}/{name}" in str(error.value)
    with pytest.raises(OSError, match="a device or pipe, which can't be replaced"):
        put(os.devnull)
    assert names(tmp_path) == ["file", "folder", "pipe"] and (tmp_path / "file").read_bytes() == b"old"


def test_a_folder_or_a_file_without_permission_is_refused_by_its_path(tmp_path, monkeypatch):
    """Played, as nothing is denied to root."""
    put(tmp_path / "file", b"old")

    def denied(path, *args, **kwargs):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))

    monkeypatch.setattr(lock.Path, "open", denied)
    for name in ("file", "new"):
        with pytest.raises(PermissionError, match=f"Permission denied: .*{name}'"):
            put(tmp_path / name)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(PermissionError, match="Permission denied: .*file'"):
        put(tmp_path / "file")
    monkeypatch.undo()
    assert names(tmp_path) == ["file"] and (tmp_path / "file").read_bytes() == b"old"


def test_missing_folders_are_made(tmp_path):
    put(tmp_path / "a" / "b" / "c")
    assert (tmp_path / "a" / "b" / "c").read_bytes() == b"new"


def test_a_block_that_fails_changes_nothing(tmp_path):
    put(tmp_path / "file", b"old")
    with pytest.raises(KeyError), replacing(tmp_path / "file") as file:
        file.write(b"x" * 100_000)
        assert len(names(tmp_path)) == 3  # the old, the new, the lock
        raise KeyError
    assert names(tmp_path) == ["file"] and (tmp_path / "file").read_bytes() == b"old"


def test_only_what_a_save_to_this_place_left_is_removed(tmp_path):
    mine = ["file.0123.new", "file.0123456789abcdeX.new", "other.0123456789abcdef.new", "file.new", "afile.0123456789abcdef.new"]
    for name in (*mine, "file.0123456789abcdef.new", "file.dy2st-lock"):
        (tmp_path / name).write_bytes(b"")
    put(tmp_path / "file")
    assert names(tmp_path) == sorted(["file", *mine])


def test_a_saver_waits_for_another_and_leaves_its_new_file_alone(tmp_path):
    path = tmp_path / "file"
    with replacing(path) as first:
        first.write(b"first")
        second = threading.Thread(target=put, args=[path, b"second"])
        second.start()
        second.join(0.05)
        assert second.is_alive() and not path.exists()
    second.join()
    assert path.read_bytes() == b"second" and names(tmp_path) == ["file"]


def test_savers_to_different_places_dont_wait(tmp_path):
    with replacing(tmp_path / "a"):
        other = threading.Thread(target=put, args=[tmp_path / "b"])
        other.start()
        other.join(5)
        assert not other.is_alive()


def test_a_save_inside_a_save_to_the_same_place_is_an_error_and_no_deadlock(tmp_path):
    """As of a signal handler that saves."""
    errors = []

    def save_inside_a_save():
        try:
            with replacing(tmp_path / "file"):
                put(tmp_path / "file")
        except OSError as error:
            errors.append(str(error))

    put(tmp_path / "file", b"old")
    saver = threading.Thread(target=save_inside_a_save, daemon=True)
    saver.start()
    saver.join(5)
    assert not saver.is_alive() and "this thread is in the middle of saving there" in errors[0]
    assert names(tmp_path) == ["file"] and (tmp_path / "file").read_bytes() == b"old"
    put(tmp_path / "file")


@posix
def test_a_file_system_without_locks_takes_one_saver_after_the_other(tmp_path, monkeypatch):
    def unsupported(handle, kind):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(lock.fcntl, "flock", unsupported)
    put(tmp_path / "file", b"old")
    put(tmp_path / "file")
    assert names(tmp_path) == ["file"] and (tmp_path / "file").read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="another process is a forked one")
def test_a_process_forked_in_a_save_keeps_no_lock(tmp_path):
    inner, outer = os.pipe()
    with replacing(tmp_path / "file"):
        child = os.fork()
        if child == 0:
            os.close(outer)
            os.read(inner, 1)
            os._exit(len(lock._held))
    put(tmp_path / "file")  # while the child lives
    os.close(outer), os.close(inner)
    assert os.waitpid(child, 0)[1] == 0


def test_pages_and_arrays_are_replaced_at_once_too(tmp_path, monkeypatch):
    from dy2st.cli.results import write_arrays

    traced = trace_module(Plus(1.0), dy2st.zeros([1]))
    saves = {
        "page.html": lambda path: traced.graph.to_html(path),
        "y.npy": lambda path: write_arrays(str(path), {"y": np.ones(3)}),
        "y.npz": lambda path: write_arrays(str(path), {"y": np.ones(3)}),
    }
    for name, save in saves.items():
        save(tmp_path / name)

    def fail(*paths):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), *paths)

    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr(os, "replace", fail)
    for name, save in saves.items():
        with pytest.raises(OSError, match=f"No space left on device: .*{name}'"):
            save(tmp_path / name)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert before["page.html"].startswith(b"<") and np.load(tmp_path / "y.npy").tolist() == [1, 1, 1]
