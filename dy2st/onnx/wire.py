"""The bytes of an ONNX file without its weights, so that a check of the rest takes neither their time nor their memory.

    ModelProto  { graph (7) { initializer (5) { raw_data (9): bytes } } }

`raw_data` of the initializers of the main graph is left out, and its length kept. All other bytes stay. A file that is encoded in
an unusual way, such as one with two graphs, which a parser merges, is left to the parser as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_GRAPH, _INITIALIZER, _RAW_DATA = 7, 5, 9
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # wire types
_LONG = 1024  # bytes of data that are left out


class UnusualEncodingError(ValueError):
    """Something that only a whole parser should read."""


class Field(NamedTuple):
    """A field of a message: its number and wire type, where it starts, where its content starts and ends."""

    number: int
    wire: int
    start: int
    content: int
    end: int


def without_weights(data: memoryview) -> tuple[bytes, dict[int, int]]:
    """The bytes of a ModelProto without long `raw_data`, and the lengths of these, by the index of the initializer.

    UnusualEncodingError: the file is to be parsed as a whole.
    """
    graph = _only(data, 0, len(data), _GRAPH)
    if graph is None:
        raise UnusualEncodingError
    pieces: list[bytes | memoryview] = []
    lengths: dict[int, int] = {}
    at, index = graph.content, 0
    for field in _fields(data, graph.content, graph.end):
        if field.number != _INITIALIZER:
            continue
        if field.wire != _BYTES:
            raise UnusualEncodingError
        raw = _only(data, field.content, field.end, _RAW_DATA)
        if raw is not None and raw.end - raw.content > _LONG:
            tensor = bytes(data[field.content : raw.start]) + bytes(data[raw.end : field.end])
            pieces += [data[at : field.start], _message(_INITIALIZER, tensor)]
            lengths[index], at = raw.end - raw.content, field.end
        index += 1
    pieces.append(data[at : graph.end])
    return b"".join([data[: graph.start], _message(_GRAPH, b"".join(pieces)), data[graph.end :]]), lengths


def _only(data: memoryview, start: int, end: int, number: int) -> Field | None:
    """The one field of this number in a message; None where there is none."""
    found = [field for field in _fields(data, start, end) if field.number == number]
    if len(found) > 1 or any(field.wire != _BYTES for field in found):
        raise UnusualEncodingError
    return found[0] if found else None


def _fields(data: memoryview, start: int, end: int) -> Iterator[Field]:
    at = start
    while at < end:
        key, content = _varint(data, at, end)
        wire = key & 7
        if wire == _VARINT:
            after = _varint(data, content, end)[1]
        elif wire == _BYTES:
            length, content = _varint(data, content, end)
            after = content + length
        elif wire in (_FIXED64, _FIXED32):
            after = content + (8 if wire == _FIXED64 else 4)
        else:
            raise UnusualEncodingError
        if after > end or not key >> 3:
            raise UnusualEncodingError
        yield Field(key >> 3, wire, at, content, after)
        at = after


def _varint(data: memoryview, at: int, end: int) -> tuple[int, int]:
    """A number of seven bits in each byte, the lowest first; and where it ends."""
    number = 0
    for shift in range(0, 63, 7):
        if at >= end:
            break
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, at
    else:
        if at < end and data[at] <= 1:  # the tenth byte of a negative number
            return number | data[at] << 63, at + 1
    raise UnusualEncodingError


def _message(number: int, content: bytes) -> bytes:
    return bytes([number << 3 | _BYTES]) + _encoded(len(content)) + content


def _encoded(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)
