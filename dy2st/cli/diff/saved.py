"""What a path holds, as `diff` compares it. Files are read; nothing in them runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...ir.core import Function, Program
from ...ir.printer import parameter_lines, state_lines
from ...saving import Info, read_files
from ...saving.archive import read_archive
from ...saving.params import map_file, read_params
from ..entries import entry_line
from ..naming.models import model_path
from ..results import leaves


@dataclass
class Saved:
    """kind: in words. tables: title -> lines. functions: of a Program. graph: of a traced module. arrays: the weights by name."""

    kind: str
    tables: dict[str, list[str]] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    graph: Any = None
    arrays: dict[str, np.ndarray] = field(default_factory=dict)


def read_saved(path: str) -> Saved:
    """A model, a traced module or a state dict. UsageError: there is none; ModelFileError: a file that is damaged."""
    path = model_path(path)
    if path.endswith(".safetensors"):
        return Saved("a state dict", arrays=read_params(map_file(Path(path))))
    kind = read_archive(path)[0].extra.get("kind") if os.path.isfile(path) else None
    if kind is None:
        return _of_program(*read_files(path))
    from ...state_files import load  # it knows all layers

    found = load(path)
    return _of_state(found) if kind == "state" else _of_traced(found)


def _of_program(program: Program, info: Info) -> Saved:
    tables = {
        "about": [f"name: {info.name}", f"saved in {'training' if info.training else 'evaluation'} mode"],
        "entries": [entry_line(program, *entry) for entry in info.entries.items()],
        "info": list(_info_lines(info)),
        "parameters": sorted(parameter_lines(program)),
        "state": sorted(state_lines(program)),
    }
    return Saved("a model", tables, program.functions, None, {name: p.data for name, p in program.parameters.items()})


def _info_lines(info: Info) -> Iterator[str]:
    for title in ("inputs", "outputs", "extra"):
        for name, tree in sorted(getattr(info, title).items()):
            yield from (f"{title} {name}: {line}" for line in json.dumps(tree, indent=1, sort_keys=True).split("\n"))
    yield from (f"file {name}: {len(data):,} bytes" for name, data in sorted(info.extra_files.items()))


def _of_traced(module: Any) -> Saved:
    """Constants of the graph are compared with the graph."""
    about = [f"class: {module.class_name}", f"saved in {'training' if module.training else 'evaluation'} mode"]
    tensors = dict([*module.named_parameters(), *module.named_buffers()])
    return Saved("a traced module", {"about": about}, {}, module.graph, {n: np.asarray(t._data) for n, t in tensors.items()})


def _of_state(tree: Any) -> Saved:
    found = dict(leaves(tree))
    arrays = {name: value for name, value in found.items() if isinstance(value, np.ndarray)}
    values = [f"{name}: {value!r}" for name, value in found.items() if name not in arrays]
    return Saved("a state dict", {"values": values}, arrays=arrays)
