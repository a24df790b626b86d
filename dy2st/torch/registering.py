"""Functions of the user's that stand for functions of torch's, or of libraries around it, which have no row in the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .packages import torch

Written = TypeVar("Written", bound=Callable)
REGISTERED: dict[Any, Callable] = {}


def operator_of(function: Any) -> Any:
    """The operator behind `torch.ops.library.name`, its overloads, and what `torch.library.custom_op` gives; None: it is none."""
    overload = getattr(function, "_opoverload", None) if isinstance(function, torch().library.CustomOpDef) else function
    if isinstance(overload, torch()._ops.OpOverload):
        return overload._overloadpacket
    return overload if isinstance(overload, torch()._ops.OpOverloadPacket) else None


def registered(function: Any) -> Callable | None:
    """The function of the user's that stands for a function of torch's; None: there is none."""
    return REGISTERED.get(operator_of(function) or function)


def register(function: Any) -> Callable[[Written], Written]:
    """Decorator: what is decorated, written in PyTorch, stands for `function` where code is converted.

    function: one of torch's or of a library's that is called, such as torch.ops.torchvision.nms, or torch.Tensor.method. The
    decorated function takes the same arguments, and is converted with its control flow. TypeError: `function` has no hash.

    >>> @dy2st.torch.register(torch.is_same_size)
    ... def is_same_size(x, y):
    ...     return x.shape == y.shape
    """

    def note(written: Written) -> Written:
        REGISTERED[operator_of(function) or function] = written
        return written

    hash(function)
    return note
