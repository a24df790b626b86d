"""What PyTorch code is told that asks of the moment, such as `torch.jit.is_scripting()`; and what isn't called while staging."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from ..errors import ConversionError
from ..ops.dispatch import recorder_of_mode
from .messages import told
from .packages import torch

NO = """
    jit.is_scripting jit.is_tracing _jit_internal.is_scripting _C._is_tracing compiler.is_compiling
    compiler.is_dynamo_compiling compiler.is_exporting _utils.is_compiling onnx.is_in_onnx_export
    is_autocast_enabled is_autocast_cpu_enabled overrides.has_torch_function _C._has_torch_function
    _C._has_torch_function_unary _C._has_torch_function_variadic _C._log_api_usage_once
""".split()  # nobody stands in for torch's functions in converted code
TRANSFORMS = ("torch._functorch", "torch.func", "torch.autograd.functional", "torch._dynamo", "torch.nested")
REFUSED = "torch's {} isn't mapped: a Program is made of calls of operators; call it around the converted function"


@cache
def _known() -> dict[Any, Any]:
    found: dict[Any, Any] = {torch()._C._get_tracing_state: None}
    for name in NO:
        owner: Any = torch()
        for part in name.split("."):
            owner = getattr(owner, part, None)
        if owner is not None:
            found[owner] = False
    return found


def answer_to(function: Any) -> Callable | None:
    """What to call in place of a function whose answer is known, or of one that logs on a path; None for another one."""
    if isinstance(function, FunctionType | BuiltinFunctionType | MethodType) and _is_refused(function):
        raise ConversionError(f"{recorder_of_mode().here()}: {REFUSED.format(function.__name__)}")
    if function in _known():
        return lambda *args, **kwargs: _known()[function]
    return told(function) if len(recorder_of_mode().frames) > 1 else None


def _is_refused(function: Any) -> bool:
    """Whether a function differentiates, maps or compiles other functions."""
    if isinstance(function, MethodType):
        return function.__name__ == "apply" and isinstance(function.__self__, type(torch().autograd.Function))
    module, name = getattr(function, "__module__", None) or "", function.__name__
    differentiates = module == "torch.autograd" and name in ("grad", "backward")
    return differentiates or module.startswith(TRANSFORMS) or function is torch().compile
