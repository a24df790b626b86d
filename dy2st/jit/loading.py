"""`jit.load`: from files to a Layer. Imports nothing that stages or rewrites source."""

from __future__ import annotations

import os
from typing import Any

from ..saving import read_files
from .translated_layer import TranslatedLayer


def check_path(path: Any) -> None:
    """A prefix, a path or a binary file object; TypeError or ValueError in words otherwise."""
    if hasattr(path, "read") or hasattr(path, "write"):
        return
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path is a str, a path or a binary file object, not {type(path).__name__}")
    if not os.path.basename(os.fspath(path)):
        raise ValueError(f"path {os.fspath(path)!r} has no file name: give a prefix such as 'out/net'")


def load(path: Any, map_location: Any = None, _extra_files: dict | None = None, **configs: Any) -> Any:
    """Load what `save` wrote: a Layer that runs the Program. Weights are mapped from the file, not copied.

    map_location: the device to load to: "cpu". _extra_files: a dict whose keys name files of the archive; their contents, as
    bytes, become the values. What `script` or `trace` gave comes back as a ScriptModule, or a function.

    ModelFileError says what is wrong with a file that is missing, damaged or mixed.
    """
    if configs:
        raise ValueError(f"jit.load knows no option {', '.join(configs)}")
    check_path(path)
    if map_location is not None and not str(map_location).startswith(("cpu", "Place(cpu")):
        raise ValueError(f"tensors live on the CPU; there is no device {str(map_location)!r}")
    program, info = read_files(path)
    for name in _extra_files or ():
        if name in info.extra_files:
            _extra_files[name] = info.extra_files[name]  # type: ignore[index]
    if "script" in info.extra:
        from .loaded_script import loaded  # only what needs it

        return loaded(program, info)
    return TranslatedLayer(program, info)
