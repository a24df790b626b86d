"""Where and how operators run, under Paddle's names."""

from __future__ import annotations

from ..ops import dispatch
from ..runtime.eager import EAGER

__all__ = ("get_device", "in_dynamic_mode", "set_device")


def in_dynamic_mode() -> bool:
    """Whether operators run at once, rather than being recorded."""
    return dispatch.current_mode() is EAGER


def get_device() -> str:
    """The device that tensors live on: always the CPU."""
    return "cpu"


def set_device(device: str) -> str:
    """Accepts "cpu", the only device; ValueError for any other."""
    if device != "cpu":
        raise ValueError(f'set_device takes "cpu", the only device, not {device!r}')
    return device
