"""Modules and functions behind wrappers of torch.compile and torch.jit.script, whose Python is converted."""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any

from ..errors import ConversionError
from .packages import torch

_ORIGINAL = "_torchdynamo_orig_callable"  # of the function that torch.compile gives, and torch.compiler.disable


def uncompiled(function: Any) -> Any:
    """What torch.compile or torch.jit.script was given; anything else is itself.

    ConversionError: a compiled module with hooks of its own.
    """
    if isinstance(function, torch().jit.ScriptFunction):
        return function._torchdynamo_inline
    if isinstance(function, MethodType):
        inner = uncompiled(function.__func__)
        return function if inner is function.__func__ else MethodType(inner, function.__self__)
    if isinstance(function, FunctionType):
        original = vars(function).get(_ORIGINAL)
        return function if original is None else uncompiled(original)
    if isinstance(function, torch().nn.Module) and "_orig_mod" in vars(function).get("_modules", ()):
        return _module_in(function)
    return function


def _module_in(compiled: Any) -> Any:
    module = vars(compiled)["_modules"]["_orig_mod"]
    if any(vars(compiled)[table] for table in ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")):
        raise ConversionError(
            f"what torch.compile made of {type(module).__name__} has hooks of its own; register them on the module that it was "
            "given"
        )
    return uncompiled(module)
