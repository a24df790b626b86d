"""Paths that `jit.load` is given where there is no model: what is there, and what to write instead."""

from __future__ import annotations

import os
from pathlib import Path

from ...errors import ModelFileError

PARTS = (".model.json", ".info.json", ".params.safetensors")
PADDLES = (".pdmodel", ".pdiparams", ".pdparams")
IN_PADDLE = "is a file of Paddle's, and load reads what dy2st.jit.save wrote: save the model, from its source, with that"


def refuse_part(path: str) -> None:
    """ModelFileError for a file that is a part of a model, or of Paddle's."""
    for suffix in PARTS:
        prefix = path.removesuffix(suffix)
        if prefix != path and all(os.path.isfile(prefix + each) for each in PARTS):
            raise ModelFileError(f"{path} is one of the three files of a model: write load({prefix!r})")
    if path.endswith(PADDLES):
        raise ModelFileError(f"{path} {IN_PADDLE}")


def refuse_missing(prefix: str) -> None:
    """ModelFileError for a prefix at which there is no model."""
    for suffix in PADDLES:
        if os.path.isfile(prefix + suffix):
            raise ModelFileError(f"{prefix}{suffix} {IN_PADDLE}")
    if prefix.endswith(PADDLES):
        raise ModelFileError(f"there is no file {prefix}; one that ends so {IN_PADDLE}, and load it without the ending")
    folder = Path(prefix).parent
    if not folder.is_dir():
        raise ModelFileError(f"there is no model {prefix}: there is no folder {folder}; give the path that was saved to")
    found = sorted(file.name.removesuffix(".info.json") for file in folder.glob("*.info.json"))
    others = f"; in {folder} there are: {', '.join(found[:8])}" if found else ""
    raise ModelFileError(f"there is no model {prefix}: there is no file {prefix}, nor {prefix}.info.json{others}")
