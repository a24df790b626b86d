"""The output folder: results, and in `.dy2st-predict` what is known of them, so that a run goes on where another was cut off.

    out/.dy2st-predict/run.json               which model, engine and batch all results are of
    out/.dy2st-predict/files/a.json           the input files of out/a.npy, before anything of it is written
    out/.dy2st-predict/files/a.parts/64.npz   the results of the batch that starts at row 64, until out/a.npy is there
    out/a.npy                                 put there at once
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from ...saving.lock import locked
from ...saving.writer import replacing
from ..results import write_npz
from ..usage import UsageError
from .inputs import Task

_ABOUT = ".dy2st-predict"


class Folder:
    """An output folder. ending: of the result files."""

    def __init__(self, path: str, ending: str):
        self.path, self.ending = Path(path), ending
        self._about = self.path / _ABOUT

    @contextmanager
    def held(self, run: Mapping[str, Any], tasks: Sequence[Task]) -> Iterator[None]:
        """A block that alone writes there, for this run. UsageError: another does, or what is there is of something else."""
        if self.path.exists() and not self.path.is_dir():
            raise UsageError(f"--output {self.path} is a file; expected a folder")
        self._check_results(tasks)
        self._about.mkdir(parents=True, exist_ok=True)
        try:
            with locked(self._about / "run", wait=False):
                self._check_run(run)
                yield
        except BlockingIOError:
            raise UsageError(f"another dy2st predict writes to {self.path} now") from None

    def _check_results(self, tasks: Sequence[Task]) -> None:
        """UsageError for a file in the place of a result that no run has put there."""
        for task in tasks:
            target = self.result(task)
            if os.path.lexists(target) and not self._signature(task).is_file():
                raise UsageError(f"{target} is there, and no dy2st predict has written it: give another --output, or remove it")

    def _check_run(self, run: Mapping[str, Any]) -> None:
        """UsageError where results are of another run, which are kept apart."""
        file = self._about / "run.json"
        before = _read(file)
        if before is None:
            _write(file, run)
        elif before != run:
            told = ", ".join(f"{key} {before.get(key)}" for key in run if before.get(key) != run[key])
            raise UsageError(f"{self.path} holds results of another run, with {told}: give another --output, or remove it")

    def result(self, task: Task) -> Path:
        """The file of a task's results."""
        return self.path / f"{task.name}{self.ending}"

    def part(self, task: Task, start: int) -> Path:
        """The file of the results of the batch that starts with this row."""
        return self._parts(task) / f"{start}.npz"

    def _parts(self, task: Task) -> Path:
        return self._about / "files" / f"{task.name}.parts"

    def _signature(self, task: Task) -> Path:
        return self._about / "files" / f"{task.name}.json"

    def begin(self, task: Task) -> None:
        """Keep what is there of a task where its inputs are the same, else remove it; parts of a result that is there can go."""
        signature = task.signature()
        is_same = _read(self._signature(task)) == signature
        if not is_same:
            self.result(task).unlink(missing_ok=True)
        if not self.is_finished(task) and is_same:
            return
        shutil.rmtree(self._parts(task), ignore_errors=True)
        if not is_same:
            _write(self._signature(task), signature)

    def is_finished(self, task: Task) -> bool:
        """Whether the result is there, of a task that has begun."""
        return self.result(task).is_file()

    def has_part(self, task: Task, start: int) -> bool:
        """Whether the results of a batch are there, undamaged."""
        try:
            with ZipFile(self.part(task, start)) as archive:
                return archive.testzip() is None
        except (OSError, BadZipFile, EOFError):
            return False

    def finish(self, task: Task, size: int) -> None:
        """Make the result of all parts, of batches of `size`. ValueError: they don't go into one array."""
        parts = [self.part(task, start) for start, _ in task.batches(size)]
        with np.load(parts[0]) as first:
            names = first.files
        with replacing(self.result(task)) as file:
            if self.ending == ".npy":
                _write_joined(file, parts, names[0], task)
            else:
                with ZipFile(file, "w") as archive:
                    for name in names:
                        with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                            _write_joined(member, parts, name, task)
        shutil.rmtree(self._parts(task))


def write_part(path: Path, results: Mapping[str, np.ndarray]) -> None:
    """Write the results of a batch, at once. A crash of the machine may damage it, which `has_part` sees."""
    with _replacing_soon(path) as file:
        write_npz(file, results, str(path))


def _write_joined(file: IO[bytes], parts: Sequence[Path], name: str, task: Task) -> None:
    """One array of all rows. ValueError: the parts have rows of different shapes or dtypes."""
    kind: tuple[Any, ...] | None = None
    for path in parts:
        with np.load(path) as part:
            array = part[name] if name in part.files else None
        if array is None or kind is not None and kind != (array.shape[1:], array.dtype):
            raise ValueError(
                f"{task.label}: the result {name} of the rows from {path.stem} on is {_described(array)}, and that of those "
                f"before {_of_kind(kind)}: they don't go into one array"
            )
        if kind is None:
            kind = array.shape[1:], array.dtype
            descr, shape = np.lib.format.dtype_to_descr(array.dtype), (task.rows, *array.shape[1:])
            np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
        file.write(array.tobytes())


def _described(array: np.ndarray | None) -> str:
    return "missing" if array is None else _of_kind((array.shape[1:], array.dtype))


def _of_kind(kind: tuple[Any, ...] | None) -> str:
    return "missing" if kind is None else f"{kind[1].name}[?{''.join(f', {length}' for length in kind[0])}]"


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):  # there is none, or a crash of the machine has cut it off
        return None


def _write(path: Path, data: Any) -> None:
    with _replacing_soon(path) as file:
        file.write(json.dumps(data, indent=1).encode())


@contextmanager
def _replacing_soon(path: Path) -> Iterator[IO[bytes]]:
    """As `replacing`, but the system brings the file to the disk when it likes: there are very many of these."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.urandom(8).hex()}")
    with open(new, "xb") as file:
        yield file
    os.replace(new, path)
