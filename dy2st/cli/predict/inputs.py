"""The files that `--input` names, as rows for a model."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..naming.arrays import open_arrays
from ..usage import UsageError
from .headers import Header, headers_of


@dataclass(frozen=True)
class Place:
    """Where an input lies: a file, and the name of the array in an .npz file."""

    path: str
    name: str

    def rows(self, start: int, stop: int) -> np.ndarray:
        """The rows from `start` to `stop`, in memory of their own. UsageError: the file is no longer what it was."""
        part = _array(self.path, self.name, *_state(self.path))[start:stop]
        return np.array(part, part.dtype.newbyteorder("="), order="C")


@lru_cache(maxsize=8)  # the inputs of a batch, which the next batch asks for again
def _array(path: str, name: str, *state: int) -> np.ndarray:
    found = open_arrays(path, mmap_mode="r")
    return found if isinstance(found, np.ndarray) else found[name]


def _state(path: str) -> tuple[int, int]:
    """What differs when somebody has written to a file."""
    about = os.stat(path)
    return about.st_size, about.st_mtime_ns


@dataclass(frozen=True)
class Task:
    """The inputs of one result file. name: of that, without its ending. places: one for each input of the model."""

    name: str
    places: tuple[Place, ...]
    rows: int

    @property
    def label(self) -> str:
        """How a message calls it: by its first file."""
        return self.places[0].path

    def signature(self) -> list[list[Any]]:
        """What tells whether the files are still the same."""
        files = dict.fromkeys(place.path for place in self.places)
        return [[path, *_state(path)] for path in files]

    def batches(self, size: int) -> list[tuple[int, int]]:
        """The first row and the one after the last of each batch; a file without rows is one batch of none."""
        return [(start, min(start + size, self.rows)) for start in range(0, self.rows, size)] or [(0, 0)]


def tasks_for(groups: list[list[str]], specs: Sequence[Any], results: str) -> list[Task]:
    """The work that `--input` asks for: for each option the files that its words name. specs: of the model's inputs. results: a
    folder of results, which a pattern such as `**/*.npy` doesn't mean.

    UsageError, which names the file: none is there, they don't pair, or what they hold isn't what the model takes.
    """
    files = [_files(words, os.path.abspath(results)) for words in groups]
    if len({len(group) for group in files}) != 1:
        counts = " and ".join(str(len(group)) for group in files)
        raise UsageError(f"the files of each --input belong together in their order, but there are {counts} of them")
    names = _result_names(files[0])
    return [_task(name, paths, specs) for name, paths in zip(names, zip(*files))]


def _files(words: list[str], results: str) -> list[str]:
    """The files that words name, sorted: each is a file or a pattern such as `data/*.npy`."""
    found: set[str] = set()
    for word in words:
        if os.path.isdir(word):
            raise UsageError(f"--input {word} is a folder: name its files, such as '{os.path.join(word, '*.npy')}'")
        matches = [word] if os.path.isfile(word) else list(_matches(word, results))
        if not matches:
            is_there = any(map(os.path.isfile, glob.glob(word, recursive=True)))
            apart = f", but for those in {os.path.relpath(results)}, where results go" if is_there else ""
            raise UsageError(f"--input {word}: there is no such file{apart}")
        found.update(map(os.path.normpath, matches))
    return sorted(found)


def _matches(pattern: str, results: str) -> Iterator[str]:
    for path in glob.glob(pattern, recursive=True):
        is_result = os.path.abspath(path).startswith(results + os.sep)
        if os.path.isfile(path) and not is_result:
            yield path


def _result_names(paths: list[str]) -> list[str]:
    """Paths from the folder that all files are in, without their endings. UsageError: two are the same."""
    home = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in paths])
    found: dict[str, str] = {}
    for path in paths:
        name = os.path.splitext(os.path.relpath(os.path.abspath(path), home))[0]
        if name in found:
            raise UsageError(f"{found[name]} and {path} would have one result, {name}: predict them into different folders")
        found[name] = path
    return list(found)


def _task(name: str, paths: Sequence[str], specs: Sequence[Any]) -> Task:
    found = [(Place(path, header.name), header) for path in paths for header in headers_of(path)]
    by_name = {place.name: (place, header) for place, header in found}
    if len(by_name) == len(found) and by_name.keys() == {spec.name for spec in specs}:
        found = [by_name[spec.name] for spec in specs]
    if len(found) != len(specs):
        takes = ", ".join(str(spec.name) for spec in specs)
        raise UsageError(f"--input {paths[0]}: the model takes {takes}; give one --input for each, or files of that many arrays")
    for (place, header), spec in zip(found, specs):
        _check(place, header, spec)
    counts = {header.shape[0] for _, header in found}
    if len(counts) > 1:
        told = ", ".join(f"{header.shape[0]} in {place.path}" for place, header in found)
        raise UsageError(f"the inputs of one call have as many rows each, but there are {told}")
    return Task(name, tuple(place for place, _ in found), counts.pop())


def _check(place: Place, header: Header, spec: Any) -> None:
    """UsageError unless rows of the array are rows of the input."""
    shape = tuple(spec.shape)
    fits = len(shape) == len(header.shape) and all(a in (-1, b) for a, b in zip(shape[1:], header.shape[1:]))
    if fits and header.dtype.newbyteorder("=") == np.dtype(spec.dtype):
        return
    takes = f"{spec.dtype}[{','.join('?' if d == -1 else str(d) for d in shape)}]"
    holds = f"{header.dtype.name}[{','.join(map(str, header.shape))}]"
    advice = f"; x.astype('{spec.dtype}') makes it fit" if fits else ""
    if len(header.shape) == len(shape) - 1:
        advice = "; a file holds rows along its first axis, as numpy.stack makes them"
    where = f"{place.path}, {place.name}" if place.name else place.path
    raise UsageError(f"--input {where}: it is {holds}, and the model's {spec.name or 'input'} is {takes}{advice}")
