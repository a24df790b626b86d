"""A zip of stored members, made in one pass: fixed dates, data at multiples of 64 bytes, the same bytes each time.

Python's `zipfile` reads it. It could write it only into something seekable, or with other bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from .content import Content
from .params import ALIGNMENT

LOCAL = struct.Struct("<4s5H3L2H")  # a member's own header
_ENTRY = struct.Struct("<4s6H3L5H2L")  # its entry in the directory
_END = struct.Struct("<4s4H2LH")
_END_64, _LOCATOR_64 = struct.Struct("<4sQ2H2L4Q"), struct.Struct("<4sLQL")
_PADDING = 0xD935  # the extra field that zipalign uses
_MAX_32, _FULL_32 = (1 << 31) - 1, 0xFFFFFFFF  # what is greater stands in a field of 64 bits, as `zipfile` does it
_DATE, _UNIX, _MODE = 33, 3, 0o644 << 16  # 1980-01-01


def zip_chunks(members: Mapping[str, Content]) -> Iterator[bytes]:
    """The bytes of a zip with these members, in their order; fewer than 65,536."""
    directory, at = [], 0
    for name, content in members.items():
        header, entry = _headers(name.encode(), content, at)
        yield header
        yield from content
        directory.append(entry)
        at += len(header) + content.size
    yield b"".join(directory)
    yield _end(len(directory), at, sum(map(len, directory)))


def _headers(name: bytes, content: Content, at: int) -> tuple[bytes, bytes]:
    """What stands before a member's data, and its entry in the directory."""
    is_long = content.size > _MAX_32
    sizes = struct.pack("<2Q", content.size, content.size) if is_long else b""
    long_sizes = _field(1, sizes) if is_long else b""
    padding = _aligning(at + LOCAL.size + len(name) + len(long_sizes))
    far = struct.pack("<Q", at) if at > _MAX_32 else b""
    size = _FULL_32 if is_long else content.size
    version = 45 if is_long or far else 20
    about = (0 if name.isascii() else 0x800, 0, 0, _DATE, content.crc, size, size, len(name))
    extra = padding + long_sizes
    header = LOCAL.pack(b"PK\3\4", 45 if is_long else 20, *about, len(extra)) + name + extra
    extra = (_field(1, sizes + far) if sizes or far else b"") + padding
    offset = _FULL_32 if far else at
    entry = _ENTRY.pack(b"PK\1\2", _UNIX << 8 | version, version, *about, len(extra), 0, 0, 0, _MODE, offset)
    return header, entry + name + extra


def _field(kind: int, data: bytes) -> bytes:
    return struct.pack("<2H", kind, len(data)) + data


def _aligning(at: int) -> bytes:
    """An extra field after which the data starts at a multiple of ALIGNMENT."""
    return _field(_PADDING, bytes(-(at + 4) % ALIGNMENT))


def _end(count: int, at: int, size: int) -> bytes:
    """What ends the file: how many members the directory has, where it starts and how long it is."""
    end = b""
    if at > _MAX_32:
        end = _END_64.pack(b"PK\6\6", _END_64.size - 12, 45, 45, 0, 0, count, count, size, at)
        end += _LOCATOR_64.pack(b"PK\6\7", 0, at + size, 1)
    return end + _END.pack(b"PK\5\6", 0, 0, count, count, size, min(at, _FULL_32), 0)
