"""PyTorch, imported when it is first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from ..extras import how_to_install


@cache
def torch() -> Any:
    """The package torch. ImportError: it isn't installed; says how to install it."""
    try:
        return import_module("torch")
    except ImportError as error:
        raise ImportError(f"PyTorch models need torch ({error}): {how_to_install('torch')}") from None
