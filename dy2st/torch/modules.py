"""Calls of PyTorch modules in converted code: hooks, then the converted forward."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..ops.dispatch import recorder_of_mode
from .packages import torch


def module_call(function: Any) -> Callable | None:
    """What to call in place of a module, or of its `__call__`; None for anything else."""
    if isinstance(function, torch().nn.Module):
        return partial(called, function)
    return None


def called(module: Any, *args: Any, **kwargs: Any) -> Any:
    """module(*args, **kwargs), as torch.nn.Module.__call__ does it: its hooks around its forward."""
    convert = recorder_of_mode().convert_call
    for hook in module._forward_pre_hooks.values():
        given = convert(hook)(module, args)
        if given is not None:
            args = given if isinstance(given, tuple) else (given,)
    result = convert(module.forward)(*args, **kwargs)
    for hook in module._forward_hooks.values():
        given = convert(hook)(module, args, result)
        if given is not None:
            result = given
    return result
