# ruff: noqa: F401
"""`dy2st.device`: where tensors live, which is the CPU, under the names of `paddle.device`."""

from __future__ import annotations

from typing import Any

from ..api.modes import (
    get_device,
    is_compiled_with_cinn,
    is_compiled_with_cuda,
    is_compiled_with_custom_device,
    is_compiled_with_distribute,
    is_compiled_with_ipu,
    is_compiled_with_rocm,
    is_compiled_with_xpu,
    set_device,
)
from ..api.random import get_rng_state, set_rng_state
from . import cuda
from .cuda import device_count


def get_all_device_type() -> list[str]:
    """The kinds of devices: one."""
    return ["cpu"]


def get_available_device() -> list[str]:
    """The devices: one."""
    return ["cpu"]


def get_all_custom_device_type() -> list[str]:
    """The kinds of devices that others have added: none."""
    return []


def get_cudnn_version() -> None:
    """None: there is no cuDNN."""


def synchronize(device: Any = None) -> None:
    """Nothing to wait for: an operator has ended when it returns. ValueError for a `device` that there isn't."""
    if device is not None:
        set_device(device)
