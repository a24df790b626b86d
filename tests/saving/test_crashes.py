"""Whatever becomes of a save, there is the whole old model or the whole new one: after kills and failures, among other savers."""

from __future__ import annotations

import errno
import os

import pytest
from saving.crashes import (
    KINDS,
    check_crash,
    check_killed,
    check_processes,
    check_threads,
    check_twice,
    crashes,
    disk,
    loaded,
    names,
    until_it_ends,
)

from dy2st.saving import files

every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
THREE = KINDS["three files"]
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="another process is a forked one")
ONE_FILE = ["write", "sync", "replace", "sync folder", "unlink"]
THREE_FILES = ["write", "sync"] * 3 + ["sync folder", "replace", "sync folder", "replace", "replace", "sync folder", "unlink"]


@pytest.fixture(autouse=True)
def no_power_cut(monkeypatch):
    """Nothing here can see whether the disk has really got it."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@every_kind
def test_data_is_on_the_disk_before_it_gets_its_name(kind, tmp_path):
    with disk() as seen:
        kind.save(tmp_path, 1.0)
    assert seen.steps == (THREE_FILES if kind is THREE else ONE_FILE)  # the last one removes the lock


@every_kind
def test_a_crash_at_any_step_of_the_first_save(kind):
    assert until_it_ends(lambda folder, last: check_crash(kind, folder, [None], 2.0, last)) >= 5


@every_kind
def test_a_crash_at_any_step_over_an_old_model(kind):
    def check(folder, last):
        kind.save(folder, 1.0)
        return check_crash(kind, folder, [1.0], 2.0, last)

    assert until_it_ends(check) >= 5


@pytest.mark.parametrize("first", [8, 10])
def test_a_crash_while_the_save_before_is_being_finished(first):
    """Its info file is in place and the others aren't."""
    assert until_it_ends(lambda folder, last: check_twice(THREE, folder, first, last)) >= len(THREE_FILES)


@needs_fork
@pytest.mark.parametrize("kind, last", [(THREE, 3), (THREE, 9), (KINDS["archive"], 2), (KINDS["safetensors"], 1)])
def test_a_killed_process(kind, last, tmp_path):
    assert check_killed(kind, tmp_path, last)


@every_kind
def test_a_full_disk_leaves_the_old_model_and_names_the_path(kind):
    def full(step):
        if step in ("write", "sync"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def check(folder, last):
        kind.save(folder, 1.0)
        with disk(last, full) as seen:
            try:
                kind.save(folder, 2.0)
            except OSError as error:
                assert error.errno == errno.ENOSPC and str(folder) in str(error) and ".new" not in str(error)
                assert loaded(kind, folder) == 1.0 and names(folder) == kind.names
                return True
        assert loaded(kind, folder) == 2.0
        return len(seen.steps) > last

    until_it_ends(check)


@every_kind
def test_a_disk_that_fails_once_leaves_a_whole_model(kind):
    def check(folder, last):
        kind.save(folder, 1.0)
        errors = [OSError(errno.EIO, os.strerror(errno.EIO))]

        def fail(step):
            if errors:
                raise errors.pop()

        with disk(last, fail):
            try:
                kind.save(folder, 2.0)
            except OSError as error:
                assert error.errno == errno.EIO and str(folder) in str(error) and ".new" not in str(error)
        assert loaded(kind, folder) in ((1.0, 2.0) if not errors else (2.0,))
        kind.save(folder, 3.0)
        assert loaded(kind, folder) == 3.0 and names(folder) == kind.names
        return not errors

    until_it_ends(check)


def test_what_a_crash_left_is_read_when_it_is_moved_into_place_meanwhile(tmp_path, monkeypatch):
    """The reader finds the new file; before it is opened, the next save renames it."""
    THREE.save(tmp_path, 1.0)
    crashes(THREE, tmp_path, 2.0, 8)
    real = files.map_file

    def late(path):
        if path.suffix == ".new":
            monkeypatch.setattr(files, "map_file", real)
            files._finish(files._paths(tmp_path / "net"))
        return real(path)

    monkeypatch.setattr(files, "map_file", late)
    assert loaded(THREE, tmp_path) == 2.0


@every_kind
def test_many_threads(kind, tmp_path):
    check_threads(kind, tmp_path, 16)


@needs_fork
@pytest.mark.parametrize("kind", [THREE, KINDS["safetensors"]], ids=["three files", "safetensors"])
def test_two_processes(kind, tmp_path):
    check_processes(kind, tmp_path, 10)
