"""What a file will hold, as buffers that are gone through piece by piece, so that no file is ever in memory as a whole."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator

from .params import Buffer

Pieces = Iterable[Buffer]  # which can be gone through again
_CHUNK = 1 << 20  # bytes


def chunks(pieces: Pieces) -> Iterator[bytes]:
    """The bytes of all pieces, in copies of at most a mebibyte, which whoever gets them may keep."""
    for piece in pieces:
        view = memoryview(piece)
        for at in range(0, len(view), _CHUNK):
            yield bytes(view[at : at + _CHUNK])


class Content:
    """Pieces with their length and checksums; to go through it gives its chunks.

    RuntimeError at the end where they are not those that the checksums are of: another thread trains what is being saved.
    """

    def __init__(self, pieces: Pieces) -> None:
        self.pieces, self.size, self.crc = pieces, 0, 0
        digest = hashlib.sha256()
        for chunk in chunks(pieces):
            digest.update(chunk)
            self.size, self.crc = self.size + len(chunk), zlib.crc32(chunk, self.crc)
        self.sha256 = digest.hexdigest()

    def __iter__(self) -> Iterator[bytes]:
        crc = 0
        for chunk in chunks(self.pieces):
            crc = zlib.crc32(chunk, crc)
            yield chunk
        if crc != self.crc:
            raise RuntimeError("the parameters changed while they were saved: save them while no other thread writes to them")
