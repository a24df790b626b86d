"""The results of a model: as lines, as JSON, as files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO, Any
from zipfile import ZipFile

import numpy as np

from .. import pytree
from ..saving.archive import name_problem
from ..saving.writer import replacing
from .usage import UsageError


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The arrays and Python values inside nested lists, tuples and dicts, under names like `0.scores`."""
    if not pytree.is_container(value):
        yield name or "out", value.numpy() if hasattr(value, "numpy") else value
    for (key,), part in pytree.parts_of(value) if pytree.is_container(value) else ():
        yield from leaves(part, f"{name}.{key}" if name else str(key))


def described(name: str, value: Any) -> list[str]:
    """A result in lines: an array of more than one axis stands under its name."""
    if not isinstance(value, np.ndarray):
        return [f"{name}: {value!r}"]
    head = f"{name}: {value.dtype.name}{list(value.shape)}"
    rows = np.array2string(value, threshold=50, precision=6).split("\n")
    return [f"{head} {rows[0]}"] if len(rows) == 1 else [head, *rows]


def as_data(value: Any) -> Any:
    """A result as JSON takes it, an array with its dtype, shape and values; "nan" and the like are texts."""
    if isinstance(value, np.ndarray):
        return {"dtype": value.dtype.name, "shape": list(value.shape), "values": _plain(value.tolist())}
    return _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return list(map(_plain, value))
    is_json = value is None or isinstance(value, bool | int | str) or isinstance(value, float) and np.isfinite(value)
    return value if is_json else str(value)


def check_file_name(path: str, count: int | None = None) -> None:
    """UsageError where `--output` is no file for `count` results (None: nobody knows yet)."""
    if not path.endswith((".npy", ".npz")):
        raise UsageError(f"--output {path}: expected a name that ends in .npy or .npz")
    if path.endswith(".npy") and count not in (1, None):
        raise UsageError(f"--output {path}: a .npy file holds one array, the model gives {count}; use .npz")


def write_arrays(path: str, results: Mapping[str, Any]) -> None:
    """Write results to a .npy or .npz file, at once or not at all. UsageError: they don't go into one."""
    check_file_name(path, len(results))
    with replacing(path) as file:
        if path.endswith(".npy"):
            np.save(file, next(iter(results.values())), allow_pickle=False)
        else:
            write_npz(file, results, path)


def write_npz(file: IO[bytes], results: Mapping[str, Any], path: str) -> None:
    """Write arrays as `numpy.savez` does, which has arguments of its own that a result may be called like, and pickles.

    path: what an error calls the file. UsageError: a result is no array, or its name can't be that of a file.
    """
    with ZipFile(file, "w") as archive:
        for name, value in results.items():
            if problem := name_problem(name):
                raise UsageError(f"--output {path}: the model has a result called {name!r}, which can't be a file: {problem}")
            array = np.asarray(value)
            if array.dtype.hasobject:
                raise UsageError(f"--output {path}: the result {name!r} is {type(value).__name__}, which is no array")
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
