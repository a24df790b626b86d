"""The version, the limits of staging and of what is kept between calls, and those of the files that are loaded.

Each limit can be changed by assigning to `limits` or `file_limits`, or for a whole process by an environment variable
`DY2ST_<NAME>` or `DY2ST_FILE_<NAME>`, for example `DY2ST_UNROLL_OPERATIONS=1000`. Nothing here changes what a model computes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

VERSION = "0.1.0"


@dataclass
class Limits:
    """How far staging goes before it generalises, and how much is kept for later calls.

    unroll_operations: a Python loop that has recorded more operations than this goes on as a staged loop.
    roll_operations: the turns of a loop over a known range are recorded once where the Program has so many operations less.
    recursion_depth: a recursion that is this many calls deep while it is staged goes on as a Function of the Program.
    programs: so many Programs of one static function are kept, those that were called last.
    pooled_bytes: at most so much memory of large temporaries is kept for later calls, of all Programs of the process together.
    """

    unroll_operations: int = 20_000
    roll_operations: int = 64
    recursion_depth: int = 64
    programs: int = 64
    pooled_bytes: int = 1 << 28


@dataclass
class FileLimits:
    """What a file may ask for; one that asks for more is refused with a ModelFileError that names the limit.

    text_bytes: length of one JSON text: the model file, the info file, the header of a parameter file.
    values: numbers, texts, lists and objects in one JSON text.
    depth: nesting of types, literals, attributes, arguments, results, layers and ONNX graphs, and bases of an exception.
    blocks: nesting of the blocks of a Function.
    attribute_values: numbers, texts, lists and dicts in the attributes of one operation.
    state_values: values in all Python state, each counted once for every way that leads to it.
    steps: layers of a traced module, and steps of one of its graphs, each counted once for every way that leads to it.
    equal_hashes: keys of one hash in a dict or set of Python state, which are stored in a time of their square.
    elements: elements of a tensor, as its type states them.
    members: files in an archive.
    archive_bytes: length of an archive that is read from a file object.
    nodes: nodes of an ONNX model; those of a function are counted at each call of it.
    node_recordings: recordings of a node of an ONNX model, on average; the body of a loop is recorded until its types stay.
    """

    text_bytes: int = 1 << 28
    values: int = 5_000_000
    depth: int = 64
    blocks: int = 200
    attribute_values: int = 100_000
    state_values: int = 1_000_000
    steps: int = 1_000_000
    equal_hashes: int = 1000
    elements: int = 1 << 43
    members: int = 10_000
    archive_bytes: int = 1 << 34
    nodes: int = 200_000
    node_recordings: int = 20


def read_limits(kind: Any, environment: Mapping[str, str], prefix: str = "DY2ST_") -> Any:
    """The limits of the class `kind`, as `environment` has them under names with this prefix.

    ValueError names a variable that is no positive integer.
    """
    found = kind()
    for field in fields(kind):
        variable = f"{prefix}{field.name.upper()}"
        if variable in environment:
            setattr(found, field.name, _positive(variable, environment[variable]))
    return found


def _positive(variable: str, text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise ValueError(f"{variable} must be a positive integer, not {text!r}")
    return int(text)


limits: Limits = read_limits(Limits, os.environ)
file_limits: FileLimits = read_limits(FileLimits, os.environ, "DY2ST_FILE_")
