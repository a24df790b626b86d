"""Sessions of onnxruntime: what fails is an exception, nothing is logged besides, and nothing else is tried instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import ModelFileError
from .packages import onnxruntime

CPU = ("CPUExecutionProvider",)
_SILENT = 4


def quiet() -> Any:
    """Options of a session that logs nothing."""
    options = onnxruntime().SessionOptions()
    options.log_severity_level = _SILENT
    return options


def opened(source: Any, options: Any = None, providers: Sequence[Any] = CPU) -> Any:
    """The session of a model, by its path or its bytes. ModelFileError: onnxruntime doesn't load it."""
    runtime, made = onnxruntime(), quiet() if options is None else options
    try:
        return runtime.InferenceSession(source, made, providers=[*providers], enable_fallback=0)
    except Exception as error:
        raise ModelFileError(f"onnxruntime doesn't load the model: {error}") from None
