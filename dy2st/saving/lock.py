"""One saver at a time: a lock that the system takes back when the saver dies.

The lock is an empty file beside what is saved, `net.dy2st.dy2st-lock`. Threads and processes wait for it alike. Who has held it
removes it; the file that a killed saver leaves is held by nobody, and the next saver takes it.
"""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt
    import time

    def _take(handle: IO[bytes], wait: bool) -> None:
        while True:
            try:
                return msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
            except PermissionError as error:
                if not wait:
                    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error
                time.sleep(0.01)

else:
    import fcntl

    def _take(handle: IO[bytes], wait: bool) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError as error:
            if error.errno not in _WITHOUT_LOCKS:
                raise


_WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)  # file systems where savers have to take turns
_held: dict[tuple[int, Path], IO[bytes]] = {}  # by thread and path


@contextmanager
def locked(path: Path, wait: bool = True) -> Iterator[None]:
    """Hold the lock of `path`, after whoever holds it now. OSError where this very thread does: it would wait for ever.

    Without `wait`, BlockingIOError where somebody holds it.
    """
    me = (threading.get_ident(), path)
    if me in _held:
        raise OSError(errno.EDEADLK, "this thread is in the middle of saving there; a signal handler can't save there as well")
    lock = path.with_name(f"{path.name}.dy2st-lock")
    while True:
        with lock.open("ab") as handle:
            _take(handle, wait)
            if not _is_at(handle, lock):
                continue  # the saver before us has removed it
            try:
                _held[me] = handle
                yield
                return
            finally:
                _held.pop(me, None)
                if sys.platform != "win32":  # which removes no open file: there the lock file stays
                    lock.unlink(missing_ok=True)


def _is_at(handle: IO[bytes], path: Path) -> bool:
    """Whether the open file is the one that has this name now."""
    try:
        return os.path.samestat(os.fstat(handle.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _let_go() -> None:
    """A process forked meanwhile keeps no lock of its parent, which may be killed."""
    for handle in _held.values():
        handle.close()
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
