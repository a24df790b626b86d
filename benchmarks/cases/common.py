"""What the cases share: torch where it is installed, a saved and loaded model, modules that no cache has seen."""

from __future__ import annotations

import importlib.util
import itertools
import tempfile
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import dy2st
from dy2st.errors import Dy2stWarning

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]
else:
    torch.set_num_threads(1)

_folder = tempfile.TemporaryDirectory(prefix="dy2st-benchmark-")
FOLDER = Path(_folder.name)
_numbers = itertools.count()


def saved(target: Any) -> str:
    """Save a staged Layer or function; returns the path."""
    path = str(FOLDER / f"saved_{next(_numbers)}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Dy2stWarning)  # that it is saved for the lengths of the example alone
        dy2st.jit.save(target, path)
    return path


def loaded(target: Any) -> Any:
    """What `jit.load` gives for a staged Layer or function."""
    return dy2st.jit.load(saved(target))


def fresh_module(text: str) -> ModuleType:
    """Import `text` from a file of its own, under a name of its own."""
    name = f"benchmark_source_{next(_numbers)}"
    path = FOLDER / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
