"""`name.dy2st`: the three files and the user's extra files in one zip, the same bytes each time.

Members are stored, never compressed: parameters can be mapped from inside the archive, and there is nothing that could unpack to
more than it is. Members are read where they lie; nothing is ever extracted to disk.
"""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from ..config import file_limits
from ..errors import ModelFileError
from .altered import crlf_problem, refuse_lfs_pointer
from .content import Content
from .files import BY_HASH, DATA_FILES, INFO, check_seal
from .info import Info, info_from_json
from .params import Buffer, map_file
from .untrusted import brief, within
from .writer import replacing
from .zipped import LOCAL, zip_chunks

EXTRA = "extra/"
Path_ = str | os.PathLike


# --- writing --------------------------------------------------------------------------------------------------------


def write_archive(target: Path_ | IO[bytes], contents: Mapping[str, Content], extra: Mapping[str, bytes] | None = None) -> None:
    """Write an archive to exactly this path, replacing what is there in one step, or to a binary file object."""
    members = {suffix: contents[suffix] for suffix in (INFO, *DATA_FILES)}
    members |= {EXTRA + name: Content([data]) for name, data in sorted((extra or {}).items())}
    for name in members:
        if problem := name_problem(name):
            raise ValueError(f"an archive can't hold a file called {name!r}: {problem}")
    if len(members) > file_limits.members:
        raise ValueError(f"an archive holds {file_limits.members} files at most, not {len(members)}")
    if isinstance(target, (str, os.PathLike)):
        with replacing(target) as file:
            file.writelines(zip_chunks(members))
    else:
        for chunk in zip_chunks(members):
            _write_whole(target, chunk)


def _write_whole(file: IO[bytes], data: bytes) -> None:
    """Write to a file object that may take less at once, as unbuffered files do."""
    while data:
        written = file.write(data)
        data = data[written:] if type(written) is int else b""


def name_problem(name: str) -> str:
    """What is wrong with a member's name; empty where nothing is."""
    if not name or len(name) > 1000:
        return "a name has 1 to 1000 characters"
    if "\\" in name or ":" in name or any(ord(c) < 32 for c in name):
        return "no backslash, colon or control character"
    if any(part in ("", ".", "..") for part in name.split("/")):
        return "it must be relative, without '.' and '..'"
    return ""


# --- reading --------------------------------------------------------------------------------------------------------


def read_archive(source: Path_ | IO[bytes], verify: str = BY_HASH) -> tuple[Info, dict[str, Buffer]]:
    """The Info, with its extra files, and the data files of an archive; from a path, they are mapped."""
    buffer, where = _open(source)
    try:
        return _read(buffer, where, verify)
    except ModelFileError as error:
        if problem := crlf_problem(buffer, where):
            raise ModelFileError(problem) from error
        raise


def _read(buffer: Buffer, where: str, verify: str) -> tuple[Info, dict[str, Buffer]]:
    members = _members(buffer, where)
    if missing := [suffix for suffix in (INFO, *DATA_FILES) if suffix not in members]:
        raise ModelFileError(f"{where} lacks {', '.join(missing)}")
    view = memoryview(buffer)
    files: dict[str, Any] = {name: view[start:end] for name, (start, end, _) in members.items()}
    info, hashes = info_from_json(bytes(files.pop(INFO)), where)
    check_seal(files, hashes, where, verify)
    for name in set(files) - set(DATA_FILES):
        if not name.startswith(EXTRA) or zlib.crc32(files[name]) != members[name][2]:
            raise ModelFileError(f"{where}: the member {brief(name)} is damaged, or doesn't belong in such an archive")
        info.extra_files[name[len(EXTRA) :]] = bytes(files[name])
    return info, {suffix: files[suffix] for suffix in DATA_FILES}


def _open(source: Path_ | IO[bytes]) -> tuple[Buffer, str]:
    if not hasattr(source, "read"):
        return map_file(Path(os.fspath(source))), os.fspath(source)  # type: ignore[arg-type]
    data = source.read(file_limits.archive_bytes + 1)
    if not isinstance(data, bytes):
        raise ModelFileError(f"an archive is read from a file object that gives bytes, not {type(data).__name__}")
    refuse_lfs_pointer(data, "the archive")
    within("archive_bytes", len(data), "an archive from a file object: bytes, at least")
    return data, "the archive"


def _members(buffer: Buffer, where: str) -> dict[str, tuple[int, int, int]]:
    """Where each member's data starts and ends, and its CRC; ModelFileError for what an archive of ours can't contain."""
    try:
        with zipfile.ZipFile(_Reader(buffer)) as archive:  # type: ignore[arg-type]
            listed = archive.infolist()
    except (zipfile.BadZipFile, zipfile.LargeZipFile, ValueError, NotImplementedError, struct.error, EOFError, OSError) as error:
        raise ModelFileError(f"{where} is not a readable archive: {error}") from None
    within("members", len(listed), f"{where}: members")
    members: dict[str, tuple[int, int, int]] = {}
    for member in listed:
        name = member.orig_filename
        if problem := name_problem(name):
            raise ModelFileError(f"{where} has a member called {brief(name)}: {problem}")
        if name in members:
            raise ModelFileError(f"{where} has two members called {brief(name)}")
        start = _data_start(buffer, member, where)
        members[name] = (start, start + member.file_size, member.CRC)
    at = 0
    for start, end, _ in sorted(members.values()):
        if start < at:
            raise ModelFileError(f"{where} has members that overlap")
        at = end
    return members


def _data_start(buffer: Buffer, member: zipfile.ZipInfo, where: str) -> int:
    what = f"{where}, member {brief(member.orig_filename)}"
    if member.compress_type != zipfile.ZIP_STORED or member.compress_size != member.file_size or member.flag_bits & 1:
        raise ModelFileError(f"{what} is compressed or encrypted; in such an archive members are stored as they are")
    at = member.header_offset
    if not 0 <= at <= len(buffer) - LOCAL.size:
        raise ModelFileError(f"{what} lies outside the file")
    signature, *_, name_length, extra_length = LOCAL.unpack(buffer[at : at + LOCAL.size])
    start = at + LOCAL.size + name_length + extra_length
    encoded = bytes(buffer[at + LOCAL.size : at + LOCAL.size + name_length])
    if signature != b"PK\3\4" or encoded not in (member.orig_filename.encode(), member.orig_filename.encode("cp437", "replace")):
        raise ModelFileError(f"{what} has another name, or none, where its data lies")
    if start + member.file_size > len(buffer):
        raise ModelFileError(f"{what} ends outside the file: the archive is truncated")
    return start


class _Reader(io.RawIOBase):
    """A seekable file over a buffer, without copying it."""

    def __init__(self, buffer: Buffer):
        self.view, self.at = memoryview(buffer), 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.at

    def seek(self, offset: int, whence: int = 0) -> int:
        at = offset + (0, self.at, len(self.view))[whence]
        if at < 0:
            raise OSError("a position before the start of the file")
        self.at = at
        return at

    def readinto(self, target: Any) -> int:
        part = self.view[self.at : self.at + len(target)]
        target[: len(part)] = part
        self.at += len(part)
        return len(part)
