"""Packages that may be missing."""

from __future__ import annotations

import importlib
from types import ModuleType


def try_import(module_name: str, err_msg: str | None = None) -> ModuleType:
    """The module of the name `module_name`; ImportError, in the words of `err_msg`, where it isn't installed."""
    try:
        return importlib.import_module(module_name)
    except ImportError:
        package = module_name.partition(".")[0]
        raise ImportError(err_msg or f"{package} isn't installed: pip install {package}") from None
