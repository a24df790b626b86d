"""The names of dy2st.device. Written by `python tests/support/stubs.py`."""

from dy2st.api.modes import get_device as get_device
from dy2st.api.modes import is_compiled_with_cuda as _is_compiled_with_cuda
from dy2st.api.modes import is_compiled_with_cuda as is_compiled_with_cuda
from dy2st.api.modes import is_compiled_with_custom_device as is_compiled_with_custom_device
from dy2st.api.modes import set_device as set_device
from dy2st.device import cuda as cuda
from dy2st.device.cuda import device_count as device_count
from dy2st.runtime.tensors.random_state import get_rng_state as get_rng_state
from dy2st.runtime.tensors.random_state import set_rng_state as set_rng_state
from typing import Any

def get_all_custom_device_type() -> list[str]:
    """The kinds of devices that others have added: none."""

def get_all_device_type() -> list[str]:
    """The kinds of devices: one."""

def get_available_device() -> list[str]:
    """The devices: one."""

def get_cudnn_version() -> None:
    """None: there is no cuDNN."""

is_compiled_with_cinn = _is_compiled_with_cuda

is_compiled_with_distribute = _is_compiled_with_cuda

is_compiled_with_ipu = _is_compiled_with_cuda

is_compiled_with_rocm = _is_compiled_with_cuda

is_compiled_with_xpu = _is_compiled_with_cuda

def synchronize(device: Any = None) -> None:
    """Nothing to wait for: an operator has ended when it returns. ValueError for a `device` that there isn't."""
