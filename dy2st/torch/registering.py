"""Functions of the user's that stand for functions of torch's, or of libraries around it, which have no row in the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Written = TypeVar("Written", bound=Callable)
REGISTERED: dict[Any, Callable] = {}


def register(function: Any) -> Callable[[Written], Written]:
    """Decorator: what is decorated, written in PyTorch, stands for `function` where code is converted.

    function: one of torch's or of a library's that is called, such as torch.ops.torchvision.nms, or torch.Tensor.method. The
    decorated function takes the same arguments, and is converted with its control flow. TypeError: `function` has no hash.

    >>> @dy2st.torch.register(torch.is_same_size)
    ... def is_same_size(x, y):
    ...     return x.shape == y.shape
    """

    def note(written: Written) -> Written:
        REGISTERED[function] = written
        return written

    hash(function)
    return note
