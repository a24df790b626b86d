# ruff: noqa: F403
"""Layers, containers, initializers and functions of neural networks, under Paddle's names (`names.py`)."""

import typing as _typing

from ..late import late_names as _late_names

if _typing.TYPE_CHECKING:
    from .names import *

__getattr__, __dir__ = _late_names(globals(), "names")
