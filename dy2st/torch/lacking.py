"""Which functions and methods of torch's no Program can call, told before anything is staged."""

from __future__ import annotations

from typing import Any

from .answers import REFUSED, is_refused, known
from .calls import CALLED, is_mapped, name_of, needs_row, table
from .face import LACKED, unmapped
from .packages import torch
from .registering import REGISTERED

_OTHERS = (dict, list, tuple, set, str, slice, range, complex)  # whose methods may be meant by the same name


def lacking(function: Any) -> str | None:
    """Why a function can't be called, in words; None: it can, as far as is known without its arguments."""
    if not isinstance(function, (*CALLED, torch()._ops.OpOverload, torch()._ops.OpOverloadPacket)) or is_mapped(function):
        return None
    if is_refused(function):
        return REFUSED.format(function.__name__)
    return unmapped(name_of(function)) if needs_row(function) or not isinstance(function, CALLED) else None


def lacking_method(name: str) -> str | None:
    """Why a method of this name can't be called if it is a tensor's, in words; None: it can, or it may well be another's."""
    table()  # which says what is lacking
    if name not in LACKED or getattr(torch().Tensor, name) in REGISTERED or any(hasattr(cls, name) for cls in _OTHERS):
        return None
    return f"if this is a tensor, {unmapped(f'torch.Tensor.{name}')}"


def answer(function: Any) -> bool | None:
    """What a function answers in a Program that asks of the moment, such as torch.jit.is_scripting; None: it isn't one."""
    return known().get(function)
