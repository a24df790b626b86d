"""Libraries that look for torch when they are first called: they find it before anything is recorded."""

from __future__ import annotations

import sys

from .packages import torch


def prepare_libraries() -> None:
    """Let einops choose its functions for torch's tensors, and keep them, as its first call would."""
    backends = sys.modules.get("einops._backends")
    if backends is not None and torch().Tensor not in getattr(backends, "_type2backend", {torch().Tensor}):
        backends.get_backend(torch().empty(0))
