"""Files that Git or an editor has altered, recognised by their bytes.

A Git LFS pointer is a short text in the place of a large file:

    version https://git-lfs.github.com/spec/v1
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
    size 12345

With `core.autocrlf`, Git writes CRLF where a text, or what it takes for one, has LF. Then the sha256 is another one.
"""

from __future__ import annotations

import os
import re
from itertools import islice
from mmap import mmap

from ..errors import ModelFileError

_POINTER = b"version https://git-lfs.github.com/spec/"
_LONGEST_POINTER = 1024  # bytes, as the specification says
_LONE_LF = re.compile(rb"(?<!\r)\n")
_SEVERAL = 4  # line ends, which aren't all CRLF by chance


def is_lfs_pointer(data: bytes | memoryview | mmap) -> bool:
    """Whether these are the bytes of a Git LFS pointer."""
    return data[: len(_POINTER)] == _POINTER and len(data) <= _LONGEST_POINTER


def refuse_lfs_pointer(data: bytes | memoryview | mmap, where: str) -> None:
    """ModelFileError where a file, called `where` in the message, is a Git LFS pointer."""
    if is_lfs_pointer(data):
        raise ModelFileError(f"{where} is a Git LFS pointer, not the file itself: run `git lfs pull`")


def crlf_problem(data: bytes | memoryview | mmap, where: str) -> str:
    """What to say of a file that isn't as it was saved, where CRLF is its only line end; "" otherwise.

    Of texts, dy2st writes none that has CRLF; in a binary file, a lone LF is a byte as frequent as others.
    """
    if _LONE_LF.search(data) or sum(1 for _ in islice(re.finditer(b"\r\n", data), _SEVERAL)) < _SEVERAL:
        return ""
    ends = os.path.basename(where).split(".")[1:]
    kind = ".".join(ends[-2:] if ends[-1:] in (["json"], ["safetensors"]) else ends[-1:]) or "dy2st"
    return (
        f"{where} has Windows line ends (CRLF): Git or an editor has changed it; write `*.{kind} -text` into .gitattributes, and "
        "check it out again, or copy it anew"
    )
