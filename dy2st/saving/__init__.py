"""Programs as open files: JSON, safetensors, one zip. No pickle, no import by name, no evaluation of what a file holds.

`write_files` and `read_files` are all that others need; `docs/format.md` describes the formats.
"""

from __future__ import annotations

import os
from typing import IO, Any

import numpy as np

from ..errors import ModelFileError
from ..ir.core import Program
from ..ir.rules import parameters_match_their_data
from .archive import read_archive, write_archive
from .files import MODEL, PARAMS, read_model, seal, write_model
from .info import Info
from .model_json import program_from_json, program_to_json
from .params import Buffer, read_params, write_params

__all__ = ["Info", "read_files", "write_files"]
SUFFIX = ".dy2st"


def write_files(path: str | os.PathLike | IO[bytes], program: Program, info: Info, archive: bool = False) -> None:
    """Save a Program with its parameters: three files at the prefix `path`, or one archive.

    An archive is written where `archive` is true, where the path ends in `.dy2st`, and to a file object. What was there before is
    replaced at once or not at all. ValueError: a parameter without data, extra files without an archive, an Info that isn't JSON.
    """
    if unloaded := [name for name, p in program.parameters.items() if p.data is None]:
        raise ValueError(f"the parameter {unloaded[0]!r} has no data to save")
    arrays: dict[str, np.ndarray] = {name: p.data for name, p in program.parameters.items()}
    contents = seal({MODEL: program_to_json(program).encode(), PARAMS: write_params(arrays)}, info)
    if archive or _is_archive(path):
        write_archive(path, contents, info.extra_files)
    elif info.extra_files:
        raise ValueError(f"extra files need an archive: save to a path that ends in {SUFFIX}")
    else:
        write_model(path, contents)  # type: ignore[arg-type]


def read_files(path: str | os.PathLike | IO[bytes]) -> tuple[Program, Info]:
    """The Program, its parameters mapped from the file (read-only arrays), and the Info; ModelFileError says what is wrong.

    `path` is a prefix, an archive's path, or a binary file object that holds an archive.
    """
    found = read_archive(path) if _is_archive(path) or os.path.isfile(path) else read_model(path)  # type: ignore[arg-type]
    info, files = found
    program = program_from_json(bytes(files[MODEL]))
    _attach(program, files[PARAMS])
    for method, function in info.entries.items():
        if function not in program.functions:
            raise ModelFileError(f"the entry {method!r} names the function {function!r}, which the Program lacks")
    return program, info


def _is_archive(path: Any) -> bool:
    return hasattr(path, "read") or hasattr(path, "write") or os.fspath(path).endswith(SUFFIX)


def _attach(program: Program, params: Buffer) -> None:
    """Give every parameter its array."""
    arrays = read_params(params)
    if arrays.keys() != program.parameters.keys():
        names = sorted(arrays.keys() ^ program.parameters.keys())
        raise ModelFileError(f"the model and its parameter file don't agree: {', '.join(names[:5])} is in one of them only")
    for name, parameter in program.parameters.items():
        parameter.data = arrays[name]
    for problem in parameters_match_their_data(program):
        raise ModelFileError(f"the parameter file doesn't fit the model: {problem}")
