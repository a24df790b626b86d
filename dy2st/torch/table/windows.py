"""Windows of signals."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ..dtypes import default_float, kind_of
from .axes import known
from .creation import checked, dtype_of
from .rows import refused, row


def _window(name: str, function: Any, *shape: str) -> None:
    """A row. shape: the names of what tells its form, after the length and whether it is one period."""

    def compute(window_length: Any, periodic: Any = True, *form: Any, dtype: Any = None, **named: Any) -> Any:
        given = {**dict(zip(shape, form)), **{key: named.pop(key) for key in shape if key in named}}
        checked(named)
        made = dtype_of(dtype, default_float())
        if kind_of(made) != "float":
            raise refused(f"{name} gives floats, not {made}")
        window_length = known(window_length, "window_length")
        if window_length in (0, 1):
            return api.ones([window_length], dtype=made)
        return function(window_length, periodic, dtype="float64", **given).astype(made)

    compute.__name__ = name
    row(name)(compute)


_window("hann_window", api.hann_window)
_window("hamming_window", api.hamming_window, "alpha", "beta")
_window("bartlett_window", api.bartlett_window)
_window("blackman_window", api.blackman_window)
_window("kaiser_window", api.kaiser_window, "beta")
