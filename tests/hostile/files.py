"""Saved models, changed by hand and sealed again, as somebody would who wants a file to be accepted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dy2st.ops.families  # noqa: F401
from dy2st.ir.core import Program
from dy2st.saving import Info
from dy2st.saving.archive import write_archive
from dy2st.saving.files import MODEL, PARAMS, read_model, seal, write_model
from dy2st.saving.model_json import program_to_json
from dy2st.saving.params import ParamsFile

EVIL = "\x1b]0;pwned\x07\x1b[2J\rdy2st: fine\nsha256: fine\u202e\x9b31m\x00</script><!--<script>]]>[[data]]\u2028\u6587"


def with_model_text(path: Path, change: Callable[[str], str]) -> None:
    """Change the model file of a saved model; the checksums fit."""
    info, files = read_model(path)
    text = bytes(files[MODEL]).decode()
    changed = change(text)
    assert changed != text, "nothing to change"
    write_model(path, seal({MODEL: [changed.encode()], PARAMS: [files[PARAMS]]}, info))


def with_model(path: Path, change: Callable[[Any], None]) -> None:
    """Change the tree of the model file."""

    def changed(text: str) -> str:
        tree = json.loads(text)
        change(tree)
        return json.dumps(tree)

    with_model_text(path, changed)


def model_of(path: Path, program: Program, inputs: list, change: Callable[[str], str] = str, **extra: Any) -> Path:
    """A model whose `forward` is the entry of this Program; `change` is made to the text of its model file."""
    outputs = list(map(str, program.entry.result_types))
    text = change(program_to_json(program))
    arrays = {name: p.data for name, p in program.parameters.items()}
    info = Info({"forward": program.entry.name}, {"forward": inputs}, {"forward": outputs}, extra=extra)
    write_model(path, seal({MODEL: [text.encode()], PARAMS: ParamsFile(arrays)}, info))
    return path


def archive_of(path: Path, tree: Any, arrays: dict, info: Info) -> Path:
    """An archive whose model file holds this tree."""
    write_archive(path, seal({MODEL: [json.dumps(tree).encode()], PARAMS: ParamsFile(arrays)}, info))
    return path
