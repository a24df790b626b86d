"""Arrays in files, as inputs of a model."""

from __future__ import annotations

from typing import Literal
from zipfile import BadZipFile

import numpy as np

from ..usage import UsageError


def read_arrays(path: str) -> dict[str, np.ndarray]:
    """The arrays of a .npy or .npz file by name; that of a .npy file has none. UsageError for another file."""
    found = open_arrays(path)
    return {"": found} if isinstance(found, np.ndarray) else {name: found[name] for name in found.files}


def open_arrays(path: str, mmap_mode: Literal["r"] | None = None) -> np.ndarray | np.lib.npyio.NpzFile:
    """What `numpy.load` gives for a file of plain arrays. UsageError: it is none."""
    try:
        return np.load(path, mmap_mode, allow_pickle=False)
    except OSError as error:
        raise UsageError(f"--input {path}: {error.strerror or error}") from error
    except (ValueError, EOFError, BadZipFile) as error:
        raise UsageError(f"--input {path}: expected a .npy or .npz file of plain arrays, which this is not") from error


def arguments_of(paths: list[str], names: list[str]) -> list[np.ndarray]:
    """The arrays of all files, in the order of the model's inputs, whose names are `names`.

    An .npz file whose arrays are called like inputs gives them by name; else arrays count in order.
    """
    found = [item for path in paths for item in read_arrays(path).items()]
    by_name = dict(found)
    if len(by_name) == len(found) and by_name.keys() == set(names):
        return [by_name[name] for name in names]
    return [array for _, array in found]
