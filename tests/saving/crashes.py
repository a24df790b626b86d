"""Every kind of save, and disks on which a save dies or fails at its n-th step.

    python tests/saving/crashes.py      kills each kind at every step, once and twice in a row; then 64 threads, and two processes
"""

from __future__ import annotations

import io
import os
import pathlib
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

import dy2st
from dy2st import nn
from dy2st.errors import ModelFileError
from dy2st.ir.builder import Builder
from dy2st.saving import Info, read_files, write_files, writer
from dy2st.traced_module import trace_module


class Kind(NamedTuple):
    """How to save a value to a folder, to load it from there, and which files there are then."""

    save: Callable[[Path, float], None]
    load: Callable[[Path], float]
    names: list[str]


def program(value: float):
    b = Builder()
    with b.function("main", x="float32[2]") as (x,):
        w = b.param("w", np.full(2, value, np.float32))
        b.return_(b.op("add", x, b.op("scale", w, scale=value, types="float32[2]"), types="float32[2]"))
    return b.program


def value_of(path: Path) -> float:
    """The number on which the Program, its parameters and its Info agree."""
    loaded, info = read_files(path)
    by = next(op.attrs["scale"] for op in loaded.walk() if op.name == "scale")
    found = {by, float(info.name), float(loaded.parameters["w"].data[0])}
    assert len(found) == 1, f"a mix of saves: {found}"
    return found.pop()


class Plus(nn.Layer):
    def __init__(self, value: float) -> None:
        super().__init__()
        self.register_buffer("value", dy2st.full([1], value))

    def forward(self, x):
        return x + self.value


@cache
def _traced(value: float):
    return dy2st.jit.trace(Plus(value), [_ZERO])


@cache
def _module(value: float):
    return trace_module(Plus(value), _ZERO)


def _state(value: float) -> dict[str, Any]:
    return {"a": dy2st.full([2], value), "b": dy2st.full([3], value)}


def _state_value(state: dict[str, Any]) -> float:
    found = {*state["a"].tolist(), *state["b"].tolist()}
    assert len(found) == 1, f"a mix of saves: {found}"
    return found.pop()


_ZERO = dy2st.zeros([1])
KINDS = {
    "three files": Kind(
        lambda folder, value: write_files(folder / "net", program(value), Info(name=str(value))),
        lambda folder: value_of(folder / "net"),
        ["net.info.json", "net.model.json", "net.params.safetensors"],
    ),
    "archive": Kind(
        lambda folder, value: write_files(folder / "net.dy2st", program(value), Info(name=str(value))),
        lambda folder: value_of(folder / "net.dy2st"),
        ["net.dy2st"],
    ),
    "script": Kind(
        lambda folder, value: dy2st.jit.save(_traced(value), folder / "f", _extra_files={"a": "text"}),
        lambda folder: dy2st.jit.load(folder / "f")(_ZERO).item(),
        ["f"],
    ),
    "traced module": Kind(
        lambda folder, value: dy2st.save(_module(value), folder / "t"),
        lambda folder: dy2st.load(folder / "t")(_ZERO).item(),
        ["t"],
    ),
    "state": Kind(
        lambda folder, value: dy2st.save(_state(value), folder / "net.pdparams"),
        lambda folder: _state_value(dy2st.load(folder / "net.pdparams")),
        ["net.pdparams"],
    ),
    "safetensors": Kind(
        lambda folder, value: dy2st.save(_state(value), folder / "net.safetensors"),
        lambda folder: _state_value(dy2st.load(folder / "net.safetensors")),
        ["net.safetensors"],
    ),
}


def loaded(kind: Kind, folder: Path) -> float | None:
    """The value that loads, or None where there is no model."""
    try:
        return kind.load(folder)
    except ModelFileError as error:
        assert "there is no model" in str(error) or "No such file" in str(error), error
        return None


class Crash(BaseException):
    """The process is gone: nothing that it does after that reaches the disk."""


def crash(step: str) -> None:
    raise Crash


class Disk:
    """Notes the steps of a save. From step number `last` on, which is done, a write by half, each step calls `then`."""

    def __init__(self, last: int, then: Callable[[str], Any]) -> None:
        self.last, self.then, self.steps = last, then, []

    def step(self, name: str, work: Callable[[], Any]) -> Any:
        if len(self.steps) >= self.last:
            self.then(name)
        self.steps.append(name)
        done = work()
        if len(self.steps) == self.last:
            self.then(name)
        return done

    def open(self, path: Path, mode: str, opener: Any) -> io.BufferedWriter:
        disk = self

        class File(io.FileIO):
            def write(self, data: Any) -> int:
                part = data[: len(data) // 2] if len(disk.steps) + 1 == disk.last else data
                return disk.step("write", lambda: super(File, self).write(part))

        return io.BufferedWriter(File(path, mode.replace("b", ""), opener=opener))

    def fsync(self, handle: int) -> None:
        self.step("sync folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "sync", lambda: None)

    def step_of(self, name: str, real: Callable) -> Callable:
        return lambda *args, **kwargs: self.step(name, lambda: real(*args, **kwargs))


@contextmanager
def disk(last: int = sys.maxsize, then: Callable[[str], Any] = crash) -> Iterator[Disk]:
    """In this block, saves are done on such a disk; by default on one where all goes well."""
    found = Disk(last, then)
    with (
        mock.patch.object(writer, "open", found.open, create=True),
        mock.patch.object(os, "fsync", found.fsync),
        mock.patch.object(os, "replace", found.step_of("replace", os.replace)),
        mock.patch.object(pathlib.Path, "unlink", found.step_of("unlink", pathlib.Path.unlink)),
    ):
        yield found


def crashes(kind: Kind, folder: Path, value: float, last: int) -> bool:
    """Save, and die after step number `last`; whether there were so many steps."""
    with disk(last):
        try:
            kind.save(folder, value)
        except Crash:
            return True
    return False


def check_crash(kind: Kind, folder: Path, before: list[float | None], new: float, last: int) -> bool:
    """A crash leaves one of the old models or the new one, and the next save nothing else; whether there was one."""
    crashed = crashes(kind, folder, new, last)
    assert loaded(kind, folder) in ([*before, new] if crashed else [new])
    kind.save(folder, 99.0)
    assert loaded(kind, folder) == 99.0 and names(folder) == kind.names
    return crashed


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def check_threads(kind: Kind, folder: Path, count: int) -> None:
    """Of as many savers as that, one at least wins whole, and readers meanwhile find a model each time."""
    kind.save(folder, -1.0)
    with ThreadPoolExecutor(count) as pool:
        saves = [pool.submit(kind.save, folder, float(n)) for n in range(count)]
        while not all(save.done() for save in saves):
            assert loaded(kind, folder) in range(-1, count)
        for save in saves:
            save.result()
    assert loaded(kind, folder) in range(count) and names(folder) == kind.names


def check_processes(kind: Kind, folder: Path, rounds: int) -> None:
    """Two processes save in turn, as fast as they can; readers meanwhile find a model each time."""
    kind.save(folder, -1.0)
    savers = [fork(lambda start=start: [kind.save(folder, float(start + n)) for n in range(rounds)]) for start in (0, rounds)]
    codes: list[int] = []
    while len(codes) < len(savers):
        assert loaded(kind, folder) in range(-1, 2 * rounds)
        codes += [os.waitstatus_to_exitcode(status) for pid, status in [os.waitpid(-1, os.WNOHANG)] if pid in savers]
    assert codes == [0, 0]
    assert loaded(kind, folder) in (rounds - 1, 2 * rounds - 1) and names(folder) == kind.names


def fork(work: Callable[[], Any]) -> int:
    """The id of a process that does this, and ends with 0 where it went well."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return pid


def check_killed(kind: Kind, folder: Path, last: int) -> bool:
    """As `check_crash`, with a process that is really killed."""
    kind.save(folder, 1.0)
    pid = fork(lambda: crash_by_signal(kind, folder, last))
    killed = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL
    assert loaded(kind, folder) in ((1.0, 2.0) if killed else (2.0,))
    kind.save(folder, 3.0)
    assert loaded(kind, folder) == 3.0 and names(folder) == kind.names
    return killed


def crash_by_signal(kind: Kind, folder: Path, last: int) -> None:
    with disk(last, lambda step: os.kill(os.getpid(), signal.SIGKILL)):
        kind.save(folder, 2.0)


def until_it_ends(check: Callable[[Path, int], bool]) -> int:
    """Check with 1, 2, 3 ... steps, each in a folder of its own, as long as the save needs more; how many it needed."""
    for last in count(1):
        with TemporaryDirectory() as folder:
            if not check(Path(folder), last):
                return last - 1
    raise AssertionError


def check_twice(kind: Kind, folder: Path, first: int, second: int) -> bool:
    """A save dies, and so does the next one, which finds what is left of it."""
    kind.save(folder, 1.0)
    crashes(kind, folder, 2.0, first)
    return check_crash(kind, folder, [1.0, 2.0], 3.0, second)


def main() -> None:
    for name, kind in KINDS.items():
        steps = until_it_ends(partial(check_killed, kind))
        pairs = sum(until_it_ends(lambda folder, last: check_twice(kind, folder, first, last)) for first in range(1, steps + 1))
        print(f"{name}: killed at each of {steps} steps; twice in a row at {pairs} pairs of steps", end="; ", flush=True)
        with TemporaryDirectory() as folder:
            check_threads(kind, Path(folder), 64)
        with TemporaryDirectory() as folder:
            check_processes(kind, Path(folder), 50)
        print("64 threads; 2 processes for 50 rounds: nothing lost")


if __name__ == "__main__":
    main()
