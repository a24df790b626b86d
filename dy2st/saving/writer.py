"""Every file that dy2st writes is written here: beside its target, to the disk, then renamed. So a reader, and who comes after a
crash, finds the old file or the new one, whole.

    net.dy2st.dy2st-lock             says that somebody saves here: others wait
    net.dy2st.0123456789abcdef.new   the new file while it is written; the digits are random
    net.dy2st                        replaced in one step

A save that fails removes its new file, and the next save to that target what a killed one left.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO

_NEW = re.compile(r"\.[0-9a-f]{16}\.new")


@contextmanager
def replacing(path: str | os.PathLike) -> Iterator[IO[bytes]]:
    """A file to write to; it takes the place of what is at `path` when the block ends, and nothing changes if the block fails.

    A link is followed, missing folders are made, and what is replaced hands on its permissions. OSError names `path` and says why
    it can't be written: no space, no permission, a folder, a pipe.
    """
    with saving(path, target := target_of(path), partial(remove_leftovers, target)):
        with beside(target) as file:
            yield file
        os.replace(file.name, target)
        sync_folders([target])


@contextmanager
def saving(path: str | os.PathLike, target: Path, tidy: Callable[[], None]) -> Iterator[None]:
    """A block that alone saves to `target`. `tidy` puts right what an earlier save left, and, where the block fails, this one.

    OSErrors of the block name `path`, as the caller wrote it.
    """
    from .lock import locked  # which needs threading: what only loads starts quicker without

    try:
        _make_folder(target.parent)
        with locked(target):
            tidy()
            try:
                yield
            except BaseException:
                tidy()
                raise
    except OSError as error:
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), os.fspath(path)) from error


def target_of(path: str | os.PathLike) -> Path:
    """Where the file is, or will be, that `path` names or links to; OSError where it is none that may be replaced."""
    target = Path(os.path.realpath(path))
    if target.exists() and not (target.is_file() or target.is_dir()):
        raise OSError(errno.EINVAL, "a device or pipe, which can't be replaced; save to an open file instead", os.fspath(path))
    if target.is_dir() or not os.path.basename(path) or target.exists() and not os.access(target, os.W_OK):
        os.close(os.open(path, os.O_WRONLY))  # it fails, and says why
    return target


@contextmanager
def beside(target: Path) -> Iterator[IO[bytes]]:
    """A new file in the folder of `target`, under a name of its own, with the permissions of the file that it will replace.

    It is on the disk when the block ends.
    """
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    new = target.with_name(f"{target.name}.{os.urandom(8).hex()}.new")
    with open(new, "xb", opener=partial(os.open, mode=0o666 if mode is None else mode)) as file:
        if mode is not None:
            os.chmod(new, mode)  # the umask may have taken some
        yield file
        file.flush()
        os.fsync(file.fileno())


def leftovers(path: Path) -> list[Path]:
    """New files that wait for the place of `path`: of a save that goes on, or was killed."""
    target = Path(os.path.realpath(path))
    try:
        names = os.listdir(target.parent)
    except OSError:  # a folder that can't be listed shows none
        return []
    return [target.with_name(n) for n in names if n.startswith(target.name) and _NEW.fullmatch(n, len(target.name))]


def remove_leftovers(target: Path) -> None:
    for path in leftovers(target):
        path.unlink(missing_ok=True)


def sync_folders(targets: Iterable[Path]) -> None:
    """Bring renames in the folders of these files to the disk, where the system lets a folder be opened."""
    for folder in {target.parent for target in targets}:
        try:
            handle = os.open(folder, os.O_RDONLY)
        except OSError:
            continue
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        _make_folder(folder.parent)
        with suppress(FileExistsError):  # another saver was faster; or it is a file, as will be said when one is to be in it
            folder.mkdir()
        sync_folders([folder])
