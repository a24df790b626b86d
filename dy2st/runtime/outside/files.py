"""What lies at the paths that a function changes while it is staged: kept before, so that staging can begin again.

    os.mkdir("out")                  # there was nothing: the folder is removed
    os.rename("a", "b")              # there was a file "a", and nothing at "b"
    shutil.rmtree("out")             # a folder with all that it held
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass

LIMIT = 1 << 26  # bytes that are kept at most
SELF = ("mkdir", "rmdir", "unlink", "touch", "chmod", "write_text", "write_bytes", "symlink_to", "hardlink_to")
# Functions of `os`, `shutil` and `pathlib`, and which of their arguments are paths that they change.
CHANGED = {
    **dict.fromkeys(("open", "makedirs", "remove", "rmtree", "truncate", "utime", *SELF), (0,)),
    **dict.fromkeys(("rename", "replace", "move"), (0, 1)),
    **dict.fromkeys(("link", "symlink", "copy", "copy2", "copyfile", "copymode", "copystat", "copytree"), (1,)),
}
FOLLOWING = {"open", "truncate", "utime", "touch", "chmod", "write_text", "write_bytes", "copyfile", "copymode", "copystat"}
INTO_FOLDERS = {"move", "copy", "copy2"}
OPTIONS = {"mode", "exist_ok", "parents", "missing_ok", "ignore_errors", "dirs_exist_ok"}  # which say nothing of where


class Unkept(Exception):
    """A path that can't be restored: the file is too large, has hard links, or is a device."""


@dataclass
class Kept:
    """A file, a link or a folder. content: bytes, the link's target, or what the folder holds by name."""

    content: bytes | str | dict[str, Kept]
    mode: int
    times: tuple[int, int]


def changed_by(name: str, args: tuple, kwargs: dict) -> list[str] | None:
    """The paths that a call of the function `name` changes; None where that isn't known."""
    if name not in CHANGED or not OPTIONS.issuperset(kwargs):
        return None
    found = []
    for i in CHANGED[name]:
        if i >= len(args) or not isinstance(args[i], str | bytes | os.PathLike):
            return None
        path = os.path.abspath(os.fsdecode(args[i]))
        if i and name in INTO_FOLDERS and os.path.isdir(path):
            path = os.path.join(path, os.path.basename(os.fsdecode(args[0]).rstrip(os.sep)))
        found.append(os.path.realpath(path) if name in FOLLOWING else path)
    return found


def keep(path: str) -> Callable[[], None]:
    """What puts back what lies at an absolute path now. Unkept: nothing can."""
    while not os.path.lexists(parent := os.path.dirname(path)):
        path = parent  # which is about to be made, too
    kept = _look(path, LIMIT) if os.path.lexists(path) else None
    return lambda: _put_back(path, kept)


def remove(path: str) -> None:
    """Whatever lies there."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.remove(path)


def _look(path: str, limit: int) -> Kept:
    info = os.lstat(path)
    if stat.S_ISLNK(info.st_mode):
        content: bytes | str | dict[str, Kept] = os.readlink(path)
    elif stat.S_ISDIR(info.st_mode):
        content, size = {}, 0
        for name in os.listdir(path):
            content[name] = _look(os.path.join(path, name), limit - size)
            size += _size(content[name])
    elif stat.S_ISREG(info.st_mode) and info.st_nlink == 1 and info.st_size <= limit:
        with open(path, "rb") as file:
            content = file.read()
    else:
        raise Unkept(path)
    return Kept(content, stat.S_IMODE(info.st_mode), (info.st_atime_ns, info.st_mtime_ns))


def _size(kept: Kept) -> int:
    if isinstance(kept.content, dict):
        return sum(map(_size, kept.content.values()))
    return len(kept.content)


def _put_back(path: str, kept: Kept | None) -> None:
    """Let there be at a path what was there."""
    content = None if kept is None else kept.content
    if not (isinstance(content, dict) if os.path.isdir(path) else isinstance(content, bytes)) or os.path.islink(path):
        remove(path)
    if kept is None:
        return
    if isinstance(content, str):
        os.symlink(content, path)
        return
    if isinstance(content, dict):
        os.makedirs(path, exist_ok=True)
        for name in {*os.listdir(path), *content}:
            _put_back(os.path.join(path, name), content.get(name))
    elif isinstance(content, bytes):
        if os.path.lexists(path):
            os.chmod(path, kept.mode | stat.S_IWUSR)
        with open(path, "wb") as file:
            file.write(content)
    os.chmod(path, kept.mode)
    os.utime(path, ns=kept.times)
