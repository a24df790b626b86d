"""A TracedModule as one archive: layers and graphs as JSON, tensors as safetensors. No pickle, no import by name.

Layers are a list, of which the first is the module itself and others go by number, so that what is shared stays shared. A layer
of the library, or of a registered class, is kept as its class name, its plain attributes and its tensors.
"""

from __future__ import annotations

import io
import json
import os
from typing import IO, Any

from ..config import VERSION
from ..errors import ModelFileError
from ..saving.archive import read_archive, write_archive
from ..saving.content import Pieces
from ..saving.files import MODEL, PARAMS, seal
from ..saving.format import expect_format
from ..saving.info import Info
from ..saving.params import ParamsFile, read_params
from ..saving.untrusted import expect_keys, parse_json
from .layers_read import ModuleReader
from .layers_written import ModuleWriter
from .module import TracedModule


def save(module: TracedModule, path: str | os.PathLike | IO[bytes]) -> None:
    """Save `module`, a TracedModule, as the graph it is, at exactly this path; what was there is replaced at once or not at all.

    TypeError: no TracedModule. OSError: the path can't be written.
    """
    if not isinstance(module, TracedModule):
        raise TypeError(f"save takes a TracedModule, not {type(module).__name__}")
    writer = ModuleWriter(module)
    contents: dict[str, Pieces] = {MODEL: [json.dumps(writer.tree()).encode()], PARAMS: ParamsFile(writer.arrays)}
    info = Info(training=module.training, name=module.class_name, versions={"dy2st": VERSION}, extra={"kind": "traced_module"})
    write_archive(path, seal(contents, info))


def load(path: str | os.PathLike | IO[bytes]) -> TracedModule:
    """The TracedModule that was saved at this path, a binary file object among them.

    ModelFileError says what is wrong with the file.
    """
    return from_archive(*read_archive(path))


def from_archive(info: Info, files: dict[str, Any]) -> TracedModule:
    """The TracedModule in the members of an archive."""
    if info.extra.get("kind") != "traced_module":
        raise ModelFileError("this archive holds no TracedModule; `dy2st.jit.load` reads Programs")
    tree = expect_format(parse_json(bytes(files[MODEL]), MODEL), "traced_module", MODEL)
    expect_keys(tree, {"traced_module", "layers", "graphs"}, set(), MODEL)
    return ModuleReader(tree, read_params(files[PARAMS])).module()


def module_bytes(module: TracedModule) -> bytes:
    """The archive as bytes."""
    buffer = io.BytesIO()
    save(module, buffer)
    return buffer.getvalue()


def module_from_bytes(data: bytes) -> TracedModule:
    """The TracedModule of an archive's bytes."""
    return load(io.BytesIO(data))
