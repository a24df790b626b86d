"""The two packages that the extra `onnx` brings, imported when they are first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..extras import how_to_install


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        if error.name != name:
            raise
        raise ImportError(f"dy2st.onnx needs the package {name}: {how_to_install('onnx')}", name=name) from None


def onnx() -> Any:
    """The package onnx. ImportError: it isn't installed."""
    return _package("onnx")


def onnxruntime() -> Any:
    """The package onnxruntime. ImportError: it isn't installed."""
    return _package("onnxruntime")
