"""ONNX: Programs as models that other runtimes run, with real If and Loop, and ONNX models as Programs.

Nothing here imports onnx or onnxruntime before it is used: `pip install '.[onnx]'` brings both.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .exporting import export as export
    from .reading.load import load as load
    from .session import Session as Session

# Names and their modules, which are imported when they are first used.
_HOMES = {"export": "exporting", "load": "reading.load", "Session": "session"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
