"""`dy2st.save` and `dy2st.load`: state dicts of layers and optimizers, and TracedModules as graphs. Nothing is pickled."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from .config import VERSION
from .errors import ModelFileError
from .runtime.tensors.tensor import Tensor
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


def save(obj: Any, path: str | os.PathLike | IO[bytes], protocol: int = 4, **configs: Any) -> None:
    """Save tensors, numbers and texts in dicts, lists and tuples (state dicts), or a TracedModule, at exactly this path.

    obj: what is saved. A path that ends in `.safetensors` gets a plain safetensors file, which holds a dict of tensors.
    `protocol` and `configs` have no effect. `dy2st.jit.save` saves a Program. What was there is replaced at once or not at all.
    TypeError: anything else in the tree; OSError: the path can't be written; RuntimeError: another thread changes the tensors.
    """
    if isinstance(obj, TracedModule):
        traced_files.save(obj, path)
        return
    tree, arrays = packed(obj, lambda value: isinstance(value, Tensor))
    if _is_plain(path):
        if not isinstance(obj, Mapping) or list(arrays) != list(obj):
            raise TypeError(f"a {_SUFFIX} file holds a dict of tensors by name; choose another ending for anything else")
        with replacing(path) as file:  # type: ignore[arg-type]
            file.writelines(chunks(ParamsFile(arrays)))
        return
    info = Info(versions={"dy2st": VERSION}, extra={"kind": _KIND})
    write_archive(path, seal({MODEL: [json.dumps(tree).encode()], PARAMS: ParamsFile(arrays)}, info))


def load(path: str | os.PathLike | IO[bytes], **configs: Any) -> Any:
    """What `save` saved at this path, or a safetensors file as a dict of tensors. ModelFileError says what is wrong with a file.

    `configs` has no effect.
    """
    if _is_plain(path):
        copies = Copies()
        return {name: Tensor(copies.of(array)) for name, array in read_params(map_file(Path(path))).items()}  # type: ignore[arg-type]
    _refuse_pickle(path)
    info, files = read_archive(path)
    if info.extra.get("kind") != _KIND:
        return traced_files.from_archive(info, files)
    copies, tree = Copies(), parse_json(bytes(files[MODEL]), "the saved tree")
    return unpacked(tree, read_params(files[PARAMS]), lambda array: Tensor(copies.of(array)))


def _is_plain(path: Any) -> bool:
    return isinstance(path, (str, os.PathLike)) and os.fspath(path).endswith(_SUFFIX)


def _refuse_pickle(path: Any) -> None:
    """A file of Paddle's or of PyTorch's old kind starts as every pickle does."""
    start = map_file(Path(path))[:2] if isinstance(path, (str, os.PathLike)) else b""
    if start[:1] == b"\x80" and len(start) == 2 and start[1] <= 5:
        raise ModelFileError(
            f"{os.fspath(path)} is a pickle, which can run any code when it is loaded, so it isn't. Where it was made, write it "
            "anew: safetensors.numpy.save_file({k: v.numpy() for k, v in paddle.load(path).items()}, 'weights.safetensors')"
        )
