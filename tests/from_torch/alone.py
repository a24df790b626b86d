"""Programs in files, run by one process in which there is no torch."""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

import dy2st

_RUN = """
import sys; sys.modules["torch"] = None
import pickle, dy2st
def flat(value):
    value = list(value.values()) if isinstance(value, dict) else value
    return [x for part in value for x in flat(part)] if isinstance(value, list | tuple) else [value]
replies = sys.stdout.buffer
sys.stdout = sys.stderr
while True:
    try:
        path, arrays = pickle.load(sys.stdin.buffer)
    except EOFError:
        break
    try:
        made = flat(dy2st.jit.load(path)(*arrays))
        found = [x._data if isinstance(x, dy2st.Tensor) else x for x in made]  # x.numpy() gives bfloat16 as uint16
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    pickle.dump(found, replies)
    replies.flush()
"""


class Alone:
    """The process. It ends with the `with` statement."""

    def __enter__(self) -> Alone:
        self._folder = tempfile.TemporaryDirectory()
        self._start()
        return self

    def _start(self) -> None:
        silent: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen([sys.executable, "-W", "ignore", "-c", _RUN], **silent)

    def __exit__(self, kind: type | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._process.kill() if kind else self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()

    def called(self, net: Any, arrays: list[np.ndarray]) -> list[Any]:
        """The leaves of what a static function gives there, after it was saved. RuntimeError: what it raises.

        The errors of `dy2st.jit.save` where it can't be saved.
        """
        path = Path(self._folder.name) / "net.dy2st"
        path.unlink(missing_ok=True)  # whose memory the last one may still read
        dy2st.jit.save(net, str(path))
        pickle.dump((str(path), arrays), self._process.stdin)
        self._process.stdin.flush()
        try:
            found = pickle.load(self._process.stdout)
        except BaseException as error:  # a reply that comes later would be taken for the next one
            self._process.kill()
            self._start()
            raise RuntimeError("the process has ended") if isinstance(error, EOFError) else error
        if isinstance(found, str):
            raise RuntimeError(found)
        return found
