"""`dy2st.device.cuda`: what model files ask of a GPU, which there is none."""

from __future__ import annotations

from typing import Any


def device_count() -> int:
    """How many GPUs there are: 0."""
    return 0


def empty_cache() -> None:
    """Nothing: no GPU's memory is kept."""


def memory_allocated(device: Any = None) -> int:
    """The bytes that tensors take on a GPU, whatever `device` says: 0."""
    return 0


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


def synchronize(device: Any = None) -> None:
    """Nothing to wait for, whatever `device` says: there is no GPU."""
