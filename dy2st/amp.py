"""`dy2st.amp`: mixed precision, which Paddle offers on accelerators only: on the CPU it has no effect, here as there.

What is asked for is checked, computed in the dtype of the tensors, and a warning says so. A model whose tensors are bfloat16
(`net.to(dtype="bfloat16")`) does compute in it; see `ops/half.py`.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from .errors import Dy2stWarning
from .runtime.tensors.tensor import Tensor

__all__ = [
    "GradScaler", "auto_cast", "autocast", "decorate", "get_autocast_cpu_dtype", "get_autocast_dtype", "is_autocast_enabled",
    "is_bfloat16_supported", "is_float16_supported",
]  # fmt: skip


def _check(level: str, dtype: str) -> None:
    if level not in ("O0", "OD", "O1", "O2"):
        raise ValueError(f"amp: level is O0, OD, O1 or O2, not {level!r}")
    if dtype not in ("float16", "bfloat16"):
        raise ValueError(f"amp: dtype is 'float16' or 'bfloat16', not {dtype!r}")


@contextlib.contextmanager
def auto_cast(
    enable: bool = True, custom_white_list: Any = None, custom_black_list: Any = None, level: str = "O1",
    dtype: str = "float16", use_promote: bool = True,
) -> Iterator[None]:  # fmt: skip
    """Around a forward: on an accelerator, operators that gain by it would run in `dtype`.

    On the CPU without effect, with a warning. enable: nothing is checked or said where False. level: O0, OD, O1 or O2; dtype:
    "float16" or "bfloat16". custom_white_list, custom_black_list: names of operators. ValueError: others, or a name in both
    lists. `use_promote` has no effect.
    """
    if enable:
        _check(level, dtype)
        if set(custom_white_list or ()) & set(custom_black_list or ()):
            raise ValueError("auto_cast: the white list and the black list have names in common")
        warnings.warn(f"auto_cast has no effect on the CPU: nothing is computed in {dtype}", Dy2stWarning, stacklevel=3)
    yield


def autocast(device_type: str, dtype: str = "float16", enabled: bool = True, cache_enabled: bool = True) -> Any:
    """As `auto_cast`, in the order of PyTorch's arguments: `enabled` is its enable.

    `device_type` and `cache_enabled` have no effect.
    """
    return auto_cast(enable=enabled, dtype=dtype)


def decorate(
    models: Any, optimizers: Any = None, level: str = "O1", dtype: str = "float16", master_weight: bool | None = None,
    save_dtype: str | None = None, master_grad: bool = False, excluded_layers: Any = None,
) -> Any:  # fmt: skip
    """`models`, or (models, optimizers), as they are: on the CPU parameters keep their dtype.

    level, dtype: as in `auto_cast`, ValueError for others. `master_weight`, `save_dtype`, `master_grad` and `excluded_layers`
    have no effect.
    """
    _check(level, dtype)
    return models if optimizers is None else (models, optimizers)


class GradScaler:
    """Scales losses, so that gradients in float16 don't vanish: on the CPU without effect, since nothing is in float16.

    A warning says so where `enable`. `init_loss_scaling`, `incr_ratio`, `decr_ratio`, `incr_every_n_steps`,
    `decr_every_n_nan_or_inf` and `use_dynamic_loss_scaling` are accepted.
    """

    def __init__(
        self, enable: bool = True, init_loss_scaling: float = 65536.0, incr_ratio: float = 2.0, decr_ratio: float = 0.5,
        incr_every_n_steps: int = 2000, decr_every_n_nan_or_inf: int = 1, use_dynamic_loss_scaling: bool = True,
    ):  # fmt: skip
        if enable:
            warnings.warn("GradScaler has no effect on the CPU: losses aren't scaled", Dy2stWarning, stacklevel=2)

    def scale(self, var: Tensor) -> Tensor:
        """The loss `var`, of any shape and dtype, itself."""
        return var

    def unscale_(self, optimizer: Any) -> None:
        """Nothing: the gradients of the `optimizer` aren't scaled."""

    def step(self, optimizer: Any) -> None:
        """The step of the `optimizer`."""
        optimizer.step()

    def update(self) -> None:
        """Nothing: there is no scale to adapt."""

    def minimize(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """The minimize of the `optimizer`, with its arguments and result."""
        return optimizer.minimize(*args, **kwargs)

    def is_enable(self) -> bool:
        """False: losses aren't scaled."""
        return False

    def is_use_dynamic_loss_scaling(self) -> bool:
        """False: there is no scale."""
        return False

    def get_init_loss_scaling(self) -> float:
        """The scale of losses: 1.0."""
        return 1.0

    def state_dict(self) -> dict:
        """Empty: there is nothing to keep."""
        return {}

    def load_state_dict(self, state_dict: dict) -> None:
        """Take over what `state_dict` gave, which is nothing; ValueError for the state of another scaler."""
        if state_dict:
            raise ValueError("GradScaler: a scale was saved, but losses aren't scaled on the CPU")


def is_bfloat16_supported(device: Any = None) -> bool:
    """Whether tensors can be bfloat16: where the package ml_dtypes is installed. auto_cast has no effect all the same.

    `device` has no effect.
    """
    return find_spec("ml_dtypes") is not None


def is_float16_supported(device: Any = None) -> bool:
    """False, as in Paddle on the CPU, whatever `device` says: mixed precision needs an accelerator. Tensors can be float16."""
    return False


def is_autocast_enabled(device_type: Any = None) -> bool:
    """False: on the CPU auto_cast has no effect, whatever `device_type` says."""
    return False


def get_autocast_dtype(device_type: Any = None) -> str:
    """The name of the dtype that auto_cast would use where none is given; `device_type` has no effect."""
    return "float16"


get_autocast_cpu_dtype = get_autocast_dtype
