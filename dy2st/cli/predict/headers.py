"""Shapes and dtypes of the arrays in a file, without reading what is in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, NamedTuple
from zipfile import BadZipFile, ZipFile

import numpy as np

from ..usage import UsageError

_READERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


class Header(NamedTuple):
    """An array before it is read. name: in an .npz file, else ""."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype


def headers_of(path: str) -> list[Header]:
    """What a .npy or .npz file holds, in its order. UsageError: it holds no plain arrays."""
    try:
        found = list(_headers(path))
    except OSError as error:
        raise UsageError(f"--input {path}: {error.strerror or error}") from error
    except (ValueError, KeyError, EOFError, BadZipFile) as error:
        raise UsageError(f"--input {path}: expected a .npy or .npz file of plain arrays, which this is not") from error
    if any(header.dtype.hasobject for header in found):
        raise UsageError(f"--input {path}: it holds Python objects; expected plain arrays")
    return found


def _headers(path: str) -> Iterator[Header]:
    with open(path, "rb") as file:
        if file.read(2) != b"PK":
            file.seek(0)
            yield _header("", file)
            return
    with ZipFile(path) as archive:
        for name in archive.namelist():
            with archive.open(name) as member:
                yield _header(name.removesuffix(".npy"), member)


def _header(name: str, file: IO[bytes]) -> Header:
    shape, _, dtype = _READERS[np.lib.format.read_magic(file)](file)
    return Header(name, shape, dtype)
