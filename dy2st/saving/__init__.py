"""Programs as open files: JSON, safetensors, one zip. No pickle, no import by name, no evaluation of what a file holds.

`write_files` and `read_files` are all that others need; `docs/format.md` describes the formats.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import IO, Any

import numpy as np

from ..errors import ModelFileError
from ..ir.core import Program
from ..ir.rules import parameters_match_their_data
from .files import BY_HASH, MODEL, PARAMS, read_model, seal, write_model
from .info import Info
from .model_json import program_from_json, program_to_json
from .narrow import WEIGHTS, check_weights, narrowed_names
from .params import Buffer, ParamsFile, read_params

__all__ = ["Info", "read_files", "write_files"]
SUFFIX = ".dy2st"


def write_files(
    path: str | os.PathLike | IO[bytes], program: Program, info: Info, archive: bool = False, weights: str | None = None
) -> None:
    """Save a Program with its parameters: three files at the prefix `path`, or one archive.

    An archive is written where `archive` is true, where the path ends in `.dy2st`, and to a file object. What was there before is
    replaced at once or not at all. `weights` is float16 or bfloat16: the dtype that parameters and buffers are kept in.

    ValueError: a parameter without data or too large for `weights`, extra files without an archive, an Info that isn't JSON;
    OSError: the path can't be written; RuntimeError: another thread changes the parameters meanwhile.
    """
    check_weights(weights)
    if unloaded := [name for name, p in program.parameters.items() if p.data is None]:
        raise ValueError(f"the parameter {unloaded[0]!r} has no data to save")
    arrays: dict[str, np.ndarray] = {name: p.data for name, p in program.parameters.items()}
    extra = {key: value for key, value in info.extra.items() if key != WEIGHTS}
    info = replace(info, extra={**extra, WEIGHTS: weights} if weights else extra)
    params = ParamsFile(arrays, narrowed_names(program), weights) if weights else ParamsFile(arrays)
    contents = seal({MODEL: [program_to_json(program).encode()], PARAMS: params}, info)
    if archive or _is_archive(path):
        from .archive import write_archive  # which needs zipfile: other models load quicker without

        write_archive(path, contents, info.extra_files)
    elif info.extra_files:
        raise ValueError(f"extra files need an archive: save to a path that ends in {SUFFIX}")
    else:
        write_model(path, contents)  # type: ignore[arg-type]


def read_files(path: str | os.PathLike | IO[bytes], verify: str = BY_HASH) -> tuple[Program, Info]:
    """The Program, its parameters mapped from the file (read-only arrays), and the Info; ModelFileError says what is wrong.

    `path` is a prefix, an archive's path, or a binary file object that holds an archive. `verify` is "hash": all bytes are held
    against the info file; or "header": of the parameters, the header only.
    """
    info, files = _contents(path, verify)
    program = program_from_json(bytes(files[MODEL]))
    _attach(program, read_params(files[PARAMS], info.extra.get(WEIGHTS)))
    return program, info


def _contents(path: Any, verify: str) -> tuple[Info, Mapping[str, Buffer]]:
    """The Info and the data files of a model, checked to belong together."""
    if not (_is_archive(path) or os.path.isfile(path)):
        return read_model(path, verify)
    from .archive import read_archive

    return read_archive(path, verify)


def _is_archive(path: Any) -> bool:
    return hasattr(path, "read") or hasattr(path, "write") or os.fspath(path).endswith(SUFFIX)


def _attach(program: Program, arrays: Mapping[str, np.ndarray]) -> None:
    """Give every parameter its array."""
    if arrays.keys() != program.parameters.keys():
        names = sorted(arrays.keys() ^ program.parameters.keys())
        raise ModelFileError(f"the model and its parameter file don't agree: {', '.join(names[:5])} is in one of them only")
    for name, parameter in program.parameters.items():
        parameter.data = arrays[name]
    for problem in parameters_match_their_data(program):
        raise ModelFileError(f"the parameter file doesn't fit the model: {problem}")
