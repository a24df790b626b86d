"""`<path>.params.safetensors`: named arrays in the safetensors format, the same bytes for the same arrays, mapped on load.

Arrays that are one memory under several names are stored once; the metadata key `dy2st.aliases` maps the others to the first. The
format has no complex numbers in every tool, so those are stored as pairs of reals, named in `dy2st.complex`. Arrays kept in two
bytes an element (`narrow.py`) stand in `dy2st.cast` with the dtype that loading casts them back to. `dy2st.crc32` is of the
data: other weights have another header. Data starts at a multiple of 64 bytes and wider elements come first, so that every mapped
array is aligned.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import stat
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..dtypes import DTYPES
from ..errors import ModelFileError
from .altered import refuse_lfs_pointer
from .narrow import CODES, check_kept, memory_region, narrow, widen
from .untrusted import brief, expect, expect_keys, parse_json

ALIGNMENT = 64
_ALIASES, _COMPLEX, _CAST, _CRC = "dy2st.aliases", "dy2st.complex", "dy2st.cast", "dy2st.crc32"
_MAX_HEADER = 100_000_000  # the format's own limit, in bytes
_KINDS = {"U": ("uint", (8, 16, 32, 64)), "I": ("int", (8, 16, 32, 64)), "F": ("float", (16, 32, 64))}
_CODES = {"BOOL": "bool", "BF16": "bfloat16"}
_CODES |= {f"{code}{bits}": f"{name}{bits}" for code, (name, widths) in _KINDS.items() for bits in widths}
_CODE_OF = {name: code for code, name in _CODES.items()}
_REAL = {"complex64": "float32", "complex128": "float64"}
Buffer = bytes | memoryview | mmap.mmap


class ParamsFile:
    """The safetensors file of named arrays, piece by piece: the header, then array after array, without a copy of all of them.

    narrowed: names of those that are kept in the dtype `weights`, as copies.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray], narrowed: Collection[str] = (), weights: str = "") -> None:
        """ValueError names an array whose dtype the format lacks, or that holds a number too large for `weights`."""
        stored, aliases, complexes = _plan(arrays)
        casts = {name: stored[name].dtype.name for name in stored if name in narrowed}
        stored.update({name: narrow(name, stored[name], weights) for name in casts})
        stored = dict(sorted(stored.items(), key=lambda item: (-_width(item[1].dtype), item[0])))
        metadata = {"format": "np", _CRC: _crc(stored.values())}
        for key, table in ((_ALIASES, aliases), (_COMPLEX, complexes), (_CAST, casts)):
            if table:
                metadata[key] = json.dumps(table, sort_keys=True)
        header: dict[str, Any] = {"__metadata__": metadata}
        at = 0
        for name, array in stored.items():
            dtype = _REAL.get(array.dtype.name, array.dtype.name)
            shape = [*array.shape, 2] if name in complexes else list(array.shape)
            code = CODES[weights] if name in casts else _CODE_OF[dtype]
            header[name] = {"dtype": code, "shape": shape, "data_offsets": [at, at + array.nbytes]}
            at += array.nbytes
        text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
        text += b" " * (-(8 + len(text)) % ALIGNMENT)
        self._header, self._arrays = len(text).to_bytes(8, "little") + text, list(stored.values())

    def __iter__(self) -> Iterator[Buffer]:
        yield self._header
        yield from map(_memory, self._arrays)


def _plan(arrays: Mapping[str, np.ndarray]) -> tuple[dict[str, np.ndarray], dict[str, str], dict[str, str]]:
    """What is stored under which name, the aliases, and the dtypes of complex arrays."""
    stored: dict[str, np.ndarray] = {}
    first: dict[tuple, str] = {}
    aliases: dict[str, str] = {}
    complexes: dict[str, str] = {}
    for name in sorted(arrays):
        array = arrays[name]
        if array.size and memory_region(array) in first:
            aliases[name] = first[memory_region(array)]
            continue
        first[memory_region(array)] = name
        if array.dtype.name in _REAL:
            complexes[name] = array.dtype.name
        elif array.dtype.name not in _CODE_OF:
            raise ValueError(f"array {name!r} of dtype {array.dtype} can't be stored in a safetensors file")
        if name == "__metadata__":
            raise ValueError(f"no array of a safetensors file can be called {name!r}")
        stored[name] = array
    return stored, aliases, complexes


def _crc(arrays: Iterable[np.ndarray]) -> str:
    """The CRC-32 of the bytes of all arrays, one after the other, hexadecimal."""
    crc = 0
    for array in arrays:
        crc = zlib.crc32(_memory(array), crc)
    return f"{crc:08x}"


def _width(dtype: np.dtype) -> int:
    """The bytes of an element, or of each of the two reals of a complex one."""
    return dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize


def _memory(array: np.ndarray) -> memoryview:
    """The bytes of an array, row by row and little-endian: its own memory, where they lie there so."""
    whole = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return whole.reshape(-1).view(np.uint8).data


def map_file(path: Path) -> Buffer:
    """The bytes of a regular file, mapped read-only; ModelFileError where it is missing, something else, or can't be read.

    So is a Git LFS pointer.
    """
    try:
        # Without O_NONBLOCK, opening a FIFO waits for who writes to it.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        raise ModelFileError(f"can't read {path}: {getattr(error, 'strerror', error)}") from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise ModelFileError(f"can't read {path}: it is a {'folder' if stat.S_ISDIR(status.st_mode) else 'pipe or device'}")
        data = mmap.mmap(handle, 0, access=mmap.ACCESS_READ) if status.st_size else b""
    except OSError as error:
        raise ModelFileError(f"can't read {path}: {error.strerror}") from None
    finally:
        os.close(handle)
    refuse_lfs_pointer(data, str(path))
    return data


def header_of(buffer: Buffer) -> memoryview:
    """What stands before the data of a safetensors file: the length of the header, and the header; less where the file ends."""
    view = memoryview(buffer)
    return view[: 8 + int.from_bytes(view[:8], "little")]


def read_params(buffer: Buffer, weights: object = None) -> dict[str, np.ndarray]:
    """The arrays of a safetensors file: read-only views of `buffer`, names of one array sharing it.

    weights: the dtype that the info file says parameters are kept in; those that are become arrays of their own.
    """
    view = memoryview(buffer)
    if len(view) < 8:
        raise ModelFileError(f"the parameter file is {len(view)} bytes long, too short for a header")
    size = int.from_bytes(view[:8], "little")
    if size > min(len(view) - 8, _MAX_HEADER):
        raise ModelFileError(f"the parameter file's header claims {size} bytes; the file has {len(view)}")
    what = "the header of the parameter file"
    header = expect(parse_json(bytes(view[8 : 8 + size]), what), dict, what)
    metadata = expect(header.pop("__metadata__", {}), dict, "the parameter file's metadata")
    data = view[8 + size :]
    _check_layout(header, len(data))
    casts = _table(metadata, _CAST)
    check_kept(casts, {name: entry["dtype"] for name, entry in header.items()}, weights)
    arrays = {name: _array(name, entry, data, casts.get(name)) for name, entry in header.items()}
    for name, dtype in _table(metadata, _COMPLEX).items():
        arrays[name] = _as_complex(name, dtype, arrays)
    for name, target in _table(metadata, _ALIASES).items():
        if name in arrays or target not in header:
            raise ModelFileError(f"the parameter file wrongly calls {brief(name)} an alias of {brief(target)}")
        arrays[name] = arrays[target]
    return arrays


def _check_layout(header: dict[str, Any], total: int) -> None:
    """Every byte of the data belongs to exactly one array."""
    spans = []
    for name, entry in header.items():
        where = f"parameter {brief(name)}"
        expect_keys(entry, {"dtype", "shape", "data_offsets"}, set(), where)
        offsets = [expect(x, int, where) for x in expect(entry["data_offsets"], list, where)]
        if len(offsets) != 2 or not 0 <= offsets[0] <= offsets[1] <= total:
            raise ModelFileError(f"{where}: offsets {brief(entry['data_offsets'])} don't lie in {total} bytes of data")
        spans.append((offsets[0], offsets[1], name))
    at = 0
    for start, end, name in sorted(spans):
        if start != at:
            raise ModelFileError(f"parameter {brief(name)}: its data starts at {start}, expected {at}: a gap or an overlap")
        at = end
    if at != total:
        raise ModelFileError(f"the header accounts for {at} of {total} bytes of data: the parameter file is truncated or damaged")


def _array(name: str, entry: dict[str, Any], data: memoryview, cast: str | None) -> np.ndarray:
    where = f"parameter {brief(name)}"
    code = expect(entry["dtype"], str, where)
    if code not in _CODES:
        raise ModelFileError(f"{where}: unknown dtype {brief(code)}")
    dtype = _dtype("uint16" if cast and code == "BF16" else _CODES[code])
    shape = [expect(d, int, where) for d in expect(entry["shape"], list, where)]
    start, end = entry["data_offsets"]
    if len(shape) > 64 or any(d < 0 or d >= 1 << 62 for d in shape) or math.prod(shape) * dtype.itemsize != end - start:
        raise ModelFileError(f"{where}: shape {brief(shape)} of {code} doesn't take {end - start} bytes")
    try:
        array = np.frombuffer(data[start:end], dtype).reshape(shape)
    except ValueError as error:
        raise ModelFileError(f"{where}: {error}") from None
    array = array if array.flags.aligned and array.dtype.isnative else array.astype(dtype.newbyteorder("="))
    array = array if cast is None else widen(array, cast)
    array.flags.writeable = False
    return array


def _dtype(name: str) -> np.dtype:
    return DTYPES[name].numpy if name == "bfloat16" else np.dtype(name).newbyteorder("<")


def _as_complex(name: str, dtype: str, arrays: dict[str, np.ndarray]) -> np.ndarray:
    pairs = arrays.get(name)
    if dtype not in _REAL or pairs is None or pairs.dtype != _REAL[dtype] or pairs.shape[-1:] != (2,):
        raise ModelFileError(f"parameter {brief(name)} can't be {brief(dtype)}: that takes pairs of reals")
    return pairs.view(dtype).reshape(pairs.shape[:-1])


def _table(metadata: dict[str, Any], key: str) -> dict[str, str]:
    """A table of names that the metadata keep as JSON text."""
    text = expect(metadata.get(key, "{}"), str, f"metadata {key}")
    table = expect(parse_json(text, f"metadata {key}"), dict, f"metadata {key}")
    return {name: expect(value, str, f"metadata {key}") for name, value in table.items()}
