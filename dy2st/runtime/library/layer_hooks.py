"""Calls of layers and of PyTorch's modules with hooks before forward, which give None or a replacement of the inputs.

Rewritten while staging, since which of these it is may depend on the input data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def inputs_after(changed: Any, inputs: tuple) -> tuple:
    """The inputs after a hook that ran before forward and gave `changed`."""
    if changed is None:
        return inputs
    return changed if isinstance(changed, tuple) else (changed,)


def arguments_after(changed: Any, args: tuple, kwargs: dict) -> tuple:
    """The arguments after a hook of PyTorch's that takes those by name, too, and gave `changed`. RuntimeError: no pair."""
    if changed is None:
        return args, kwargs
    if isinstance(changed, tuple) and len(changed) == 2:
        return changed
    raise RuntimeError("forward pre-hook must return None or a tuple of (new_args, new_kwargs)")


def called_with(forward: Callable, inputs: tuple, kwargs: dict) -> Any:
    """What forward gives of inputs that a hook may have changed."""
    return forward(*inputs, **kwargs)


def called_after(module: Any, forward: Callable, before: tuple, args: tuple, kwargs: dict) -> tuple:
    """The arguments, and what forward gives of them, after hooks of PyTorch's; with each, whether it takes arguments by name."""
    for hook, takes_kwargs in before:
        if takes_kwargs:
            args, kwargs = arguments_after(hook(module, args, kwargs), args, kwargs)
        else:
            args = inputs_after(hook(module, args), args)
    return args, kwargs, forward(*args, **kwargs)
