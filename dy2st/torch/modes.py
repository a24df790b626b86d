"""`torch.no_grad`, `torch.autocast`, `torch.utils.checkpoint` and their kin in converted code: what stands for each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from typing import Any

from ..api.checkpoint import between_checkpoints
from ..errors import ConversionError
from ..ops.dispatch import recorder_of_mode
from ..runtime.tensors.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from .packages import torch

AUTOCAST = "autocast changes the dtypes of what is computed, and isn't mapped: call it with enabled=False, or write x.to(dtype)"


def inference_mode(mode: Any = True) -> Any:
    """No gradients, where `mode` says so."""
    return no_grad(mode) if callable(mode) else no_grad() if mode else nullcontext()


def autocast(device_type: str = "cpu", dtype: Any = None, enabled: bool = True, cache_enabled: Any = None) -> Any:
    """Nothing: what isn't on this device, or isn't enabled, stays as it is. ConversionError: it is."""
    if enabled and device_type == "cpu":
        raise ConversionError(f"{recorder_of_mode().here()}: {AUTOCAST}")
    return nullcontext()


def checkpoint(
    function: Any, *args: Any, use_reentrant: Any = None, context_fn: Any = None, determinism_check: str = "default",
    debug: bool = False, preserve_rng_state: bool = True, early_stop: bool = True, **kwargs: Any,
) -> Any:  # fmt: skip
    """function(*args, **kwargs): the backward keeps its tensor arguments and results, and computes all between again."""
    if context_fn is not None:
        raise ConversionError(f"{recorder_of_mode().here()}: checkpoint(..., context_fn=...) isn't mapped; leave it out")
    return between_checkpoints(function, args, kwargs)


def _enter(mode: Any) -> Any:
    """`with` an autocast that was made before."""
    if mode._enabled and mode.device == "cpu":
        raise ConversionError(f"{recorder_of_mode().here()}: {AUTOCAST}")
    return mode


@cache
def stand_ins() -> dict[Any, Callable]:
    """What is called in place of each."""
    from . import asked_gradients, func_transforms  # which call what stands here

    t = torch()
    return {
        t.autograd.grad: asked_gradients.grad,
        t.func.grad: func_transforms.func_grad,
        t.func.grad_and_value: func_transforms.grad_and_value,
        t._functorch.eager_transforms.grad_impl: func_transforms.grad_of,
        t._functorch.eager_transforms.grad_and_value_impl: func_transforms.grad_and_value_of,
        t.func.vjp: func_transforms.vjp,
        t.func.jvp: func_transforms.jvp,
        t.func.jacrev: func_transforms.jacrev,
        t.func.jacfwd: func_transforms.jacfwd,
        t.func.hessian: func_transforms.hessian,
        t.no_grad: no_grad,
        t.enable_grad: enable_grad,
        t.set_grad_enabled: set_grad_enabled,
        t._C._set_grad_enabled: set_grad_enabled,
        t.is_grad_enabled: is_grad_enabled,
        t.inference_mode: inference_mode,
        t.is_inference_mode_enabled: lambda: False,
        t.utils.checkpoint.checkpoint: checkpoint,
        t.autocast: autocast,
        t.amp.autocast: autocast,
        t.cpu.amp.autocast: lambda enabled=True, dtype=None, cache_enabled=True: autocast("cpu", dtype, enabled),
        t.cuda.amp.autocast: lambda enabled=True, dtype=None, cache_enabled=True: nullcontext(),
        t.autograd.profiler.record_function: lambda name, args=None: nullcontext(),
        t.autocast.__enter__: _enter,
        t.autocast.__exit__: lambda *args: None,
    }


def refuse_autocast() -> None:
    """ConversionError: the call is made where the caller has enabled autocast."""
    if torch().is_autocast_enabled("cpu"):
        raise ConversionError(f"this call is under torch.autocast: {AUTOCAST}")
