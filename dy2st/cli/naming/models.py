"""The name of a saved model: its prefix, any of its three files, its archive, or the folder that it is alone in."""

from __future__ import annotations

import os
from pathlib import Path

from ...saving import SUFFIX
from ...saving.files import DATA_FILES, INFO, PARAMS
from ..usage import UsageError

_OTHERS = {
    ".py": "is Python source: dy2st code lists what is in it, dy2st convert makes a model of that",
    ".npy": "is an array: name the model first, and arrays with --input",
    ".npz": "is a file of arrays: name the model first, and arrays with --input",
    ".onnx": "is an ONNX file: dy2st verify compares it with a model, dy2st.onnx.load reads it",
}
_PARTS = tuple(f".{suffix}" for suffix in (INFO, *DATA_FILES))


def model_path(name: str) -> str:
    """The prefix or the archive that `name` stands for. UsageError: there is no model, or there are several."""
    if os.path.isdir(name):
        return _in_folder(name)
    prefix, ending = model_prefix(name), os.path.splitext(name)[1]
    if os.path.isfile(f"{prefix}.{INFO}"):
        return prefix
    if os.path.isfile(name) and ending in _OTHERS:
        raise UsageError(f"{name} {_OTHERS[ending]}")
    if os.path.isfile(name) and (prefix == name or name.endswith(PARAMS)):  # parameters alone are a state dict
        return name
    missing = f" (looked for {name}.{INFO} and for an archive)" if prefix == name else f": {prefix}.{INFO} is missing"
    raise UsageError(f"there is no model at {name}{missing}{_nearby(name)}")


def loadable_path(name: str) -> str:
    """The same for what `load` is given, which may also be the prefix of a model with a method, `out/net.encode`."""
    base, _, method = name.rpartition(".")
    is_method = method.isidentifier() and os.path.isfile(f"{base}.{INFO}")
    return name if is_method and not os.path.exists(name) and not os.path.isfile(f"{name}.{INFO}") else model_path(name)


def model_prefix(name: str) -> str:
    """The prefix of the model that has a file of this name; else the name itself."""
    return next((name.removesuffix(part) for part in _PARTS if name.endswith(part)), name)


def models_in(folder: str) -> list[str]:
    """The prefixes and archives of the models in a folder."""
    names = sorted(os.listdir(folder))
    prefixes = [name.removesuffix(f".{INFO}") for name in names if name.endswith(f".{INFO}")]
    return [os.path.join(folder, name) for name in [*prefixes, *(name for name in names if name.endswith(SUFFIX))]]


def _in_folder(folder: str) -> str:
    if os.path.isfile(f"{folder.rstrip(os.sep)}.{INFO}"):
        raise UsageError(f"{folder} is a folder, and {folder.rstrip(os.sep)}.{INFO} belongs to a model: rename one of them")
    found = models_in(folder)
    if len(found) != 1:
        raise UsageError(f"{folder} is a folder with {len(found)} models: name one, {_listed(found)}" if found else
                         f"there is no model in the folder {folder}")  # fmt: skip
    return found[0]


def _nearby(name: str) -> str:
    """The models in the folder where one was looked for."""
    folder = Path(name).parent
    found = models_in(str(folder)) if folder.is_dir() else []
    return f"; there is {_listed(found)}" if found else ""


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown
