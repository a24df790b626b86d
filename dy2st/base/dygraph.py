"""`dy2st.base.dygraph`: operators run at once; the names by which models ask for that."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ..api.autograd import grad, no_grad  # noqa: F401
from ..api.creation import to_tensor
from ..api.modes import in_dynamic_mode as enabled  # noqa: F401
from ..runtime.tensors.tensor import Tensor

no_grad_ = no_grad


@contextlib.contextmanager
def guard(place: Any = None) -> Iterator[None]:
    """The body runs as it does without: operators run at once, on the CPU."""
    yield


def to_variable(value: Any, name: str | None = None, zero_copy: bool | None = None, dtype: Any = None) -> Tensor:
    """A Tensor of the shape and with the values of `value`, numbers or an array, or the Tensor that it is already.

    dtype: as in `to_tensor`; of a Tensor a copy in it. `zero_copy` has no effect.
    """
    return value if isinstance(value, Tensor) and dtype is None else to_tensor(value, dtype=dtype)
