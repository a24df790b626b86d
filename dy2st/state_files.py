"""`dy2st.save` and `dy2st.load`: state dicts, and a TracedModule as the graph it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from .config import VERSION
from .runtime.tensor import Tensor
from .saving.archive import read_archive, write_archive
from .saving.files import MODEL, PARAMS, seal
from .saving.info import Info
from .saving.params import read_params, write_params
from .traced_module import TracedModule
from .traced_module import files as traced_files

_KIND = "state"


def save(obj: Any, path: str | os.PathLike | IO[bytes]) -> None:
    """Save a state dict of tensors, or a TracedModule, at exactly this path, in one step; `dy2st.jit.save` saves a Program."""
    if isinstance(obj, TracedModule):
        traced_files.save(obj, path)
        return
    if not isinstance(obj, Mapping) or not all(isinstance(k, str) and isinstance(v, Tensor | np.ndarray) for k, v in obj.items()):
        raise TypeError(f"save takes a dict of names and tensors, or a TracedModule, not {type(obj).__name__}")
    arrays = {name: np.asarray(value) for name, value in obj.items()}
    info = Info(versions={"dy2st": VERSION}, extra={"kind": _KIND, "names": list(arrays)})
    write_archive(path, seal({MODEL: b"{}", PARAMS: write_params(arrays)}, info))


def load(path: str | os.PathLike | IO[bytes]) -> Any:
    """What `save` saved: a dict of tensors, or a TracedModule. ModelFileError says what is wrong with a file."""
    info, files = read_archive(path)
    if info.extra.get("kind") != _KIND:
        return traced_files.from_archive(info, files)
    arrays = read_params(files[PARAMS])
    return {name: Tensor(arrays[name].copy()) for name in info.extra["names"]}
