"""`dy2st.save` and `dy2st.load`: state dicts of layers and optimizers, and TracedModules as graphs. Nothing is pickled."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from .config import VERSION
from .errors import ModelFileError
from .runtime.tensors.borrowed import own
from .runtime.tensors.tensor import Tensor
from .saving.altered import crlf_problem
from .saving.archive import read_archive, write_archive
from .saving.content import chunks
from .saving.copies import Copies
from .saving.files import MODEL, PARAMS, seal
from .saving.info import Info
from .saving.params import ParamsFile, map_file, read_params
from .saving.trees import packed, unpacked
from .saving.untrusted import parse_json
from .saving.writer import replacing
from .traced_module import TracedModule
from .traced_module import files as traced_files

_KIND, _SUFFIX = "state", ".safetensors"


def save(obj: Any, path: str | os.PathLike | IO[bytes], protocol: int = 4, *, use_binary_format: bool = False) -> None:
    """Save tensors, numbers and texts in dicts, lists and tuples (state dicts), or a TracedModule, at exactly this path.

    obj: what is saved. A path that ends in `.safetensors` gets a plain safetensors file, which holds a dict of tensors.
    `protocol` has no effect. `dy2st.jit.save` saves a Program. What was there is replaced at once or not at all.
    TypeError: anything else in the tree; OSError: the path can't be written; RuntimeError: another thread changes the tensors;
    ValueError: use_binary_format, a format of Paddle's own.
    """
    if use_binary_format:
        raise ValueError("save: use_binary_format is a format of Paddle's own, which dy2st doesn't write; leave it out")
    if isinstance(obj, TracedModule):
        traced_files.save(obj, path)
        return
    tree, arrays = packed(own(obj), lambda value: isinstance(value, Tensor))
    if _is_plain(path):
        if not isinstance(obj, Mapping) or list(arrays) != list(obj):
            raise TypeError(f"a {_SUFFIX} file holds a dict of tensors by name; choose another ending for anything else")
        with replacing(path) as file:  # type: ignore[arg-type]
            file.writelines(chunks(ParamsFile(arrays)))
        return
    info = Info(versions={"dy2st": VERSION}, extra={"kind": _KIND})
    write_archive(path, seal({MODEL: [json.dumps(tree).encode()], PARAMS: ParamsFile(arrays)}, info))


def load(
    path: str | os.PathLike | IO[bytes], *, return_numpy: bool = False, model_filename: str | None = None,
    params_filename: str | None = None, keep_name_table: bool = False,
) -> Any:  # fmt: skip
    """What `save` saved at this path, or a safetensors file as a dict of tensors. ModelFileError says what is wrong with a file.

    return_numpy: arrays in place of the tensors. ValueError: a `model_filename`, `params_filename` or `keep_name_table`, which go
    with files of Paddle's own.
    """
    theirs = {"model_filename": model_filename, "params_filename": params_filename, "keep_name_table": keep_name_table}
    for name, given in theirs.items():
        if given:
            raise ValueError(f"load: {name} goes with files of Paddle's own, which dy2st doesn't read; leave it out")
    copies = Copies()

    def made(array: Any) -> Any:
        return copies.of(array) if return_numpy else Tensor(copies.of(array))

    if _is_plain(path):
        return {name: made(array) for name, array in _plain_arrays(Path(path)).items()}  # type: ignore[arg-type]
    _refuse_pickle(path)
    info, files = read_archive(path)
    if info.extra.get("kind") != _KIND:
        return traced_files.from_archive(info, files)
    return unpacked(parse_json(bytes(files[MODEL]), "the saved tree"), read_params(files[PARAMS]), made)


def _is_plain(path: Any) -> bool:
    return isinstance(path, (str, os.PathLike)) and os.fspath(path).endswith(_SUFFIX)


def _plain_arrays(path: Path) -> Mapping[str, Any]:
    """The arrays of a safetensors file."""
    data = map_file(path)
    try:
        return read_params(data)
    except ModelFileError as error:
        if problem := crlf_problem(data, str(path)):
            raise ModelFileError(problem) from error
        raise


def _refuse_pickle(path: Any) -> None:
    """A file of Paddle's or of PyTorch's old kind starts as every pickle does."""
    start = map_file(Path(path))[:2] if isinstance(path, (str, os.PathLike)) else b""
    if start[:1] == b"\x80" and len(start) == 2 and start[1] <= 5:
        raise ModelFileError(
            f"{os.fspath(path)} is a pickle, which can run any code when it is loaded, so it isn't. Where it was made, write it "
            "anew: safetensors.numpy.save_file({k: v.numpy() for k, v in paddle.load(path).items()}, 'weights.safetensors')"
        )
