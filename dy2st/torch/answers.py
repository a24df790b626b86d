"""What PyTorch code is told that asks of the moment, such as `torch.jit.is_scripting()`; and what isn't called while staging."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from types import BuiltinFunctionType, FunctionType
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
MARKS = {"mark_static_address", "mark_static", "mark_dynamic", "maybe_mark_dynamic", "mark_unbacked"}  # for torch.compile alone
COMPILES = ("torch._dynamo.utils", "is_compile_supported")  # which isn't imported to ask for it
REFUSED = "torch's {} isn't mapped: a Program is made of calls of operators; call it around the converted function"
ACTS = """
    set_default_dtype set_default_tensor_type set_default_device set_num_threads set_num_interop_threads set_printoptions
    set_float32_matmul_precision set_flush_denormal set_deterministic_debug_mode set_warn_always use_deterministic_algorithms
    seed initial_seed get_rng_state set_rng_state random.seed random.initial_seed random.get_rng_state random.set_rng_state
    random.fork_rng save load
""".split()
LOOKS = """
    get_default_dtype get_num_threads get_num_interop_threads get_float32_matmul_precision get_deterministic_debug_mode
    are_deterministic_algorithms_enabled is_warn_always_enabled
""".split()
OUTSIDE = "torch.{} would act once, while the Program is made, not at each call; call it outside of the function"


def _named(names: list[str]) -> dict[Any, str]:
    """The functions of torch's with these names, as far as it has them."""
    found: dict[Any, str] = {}
    for name in names:
        owner: Any = torch()
        for part in name.split("."):
            owner = getattr(owner, part, None)
        if owner is not None:
            found[owner] = name
    return found


@cache
def known() -> dict[Any, Any]:
    """The answers of functions that are asked without arguments that matter."""
    asked = (torch()._C._get_tracing_state, torch()._C._log_api_usage_once)
    return {**dict.fromkeys(asked), **dict.fromkeys(_named(NO), False)}


@cache
def _acting() -> dict[Any, str]:
    return _named(ACTS)


@cache
def _looking() -> dict[Any, str]:
    return _named(LOOKS)


def answer_to(function: Any) -> Callable | None:
    """What to call in place of a function whose answer is known, or of one that logs on a path; None for another one."""
    if is_refused(function):
        if function.__name__ in MARKS:
            return lambda *args, **kwargs: None
        if (function.__module__, function.__name__) == COMPILES:
            return lambda *args, **kwargs: False
        raise ConversionError(f"{recorder_of_mode().here()}: {REFUSED.format(function.__name__)}")
    if function in _acting():
        raise ConversionError(f"{recorder_of_mode().here()}: {OUTSIDE.format(_acting()[function])}")
    if function in known():
        return lambda *args, **kwargs: known()[function]
    if function in _looking():
        return partial(_asked, function)
    return told(function, is_on_path=len(recorder_of_mode().frames) > 1)


def is_refused(function: Any) -> bool:
    """Whether a function differentiates, maps or compiles other functions."""
    if not isinstance(function, FunctionType | BuiltinFunctionType):
        return False
    module, name = getattr(function, "__module__", None) or "", function.__name__
    if function is torch().func.functional_call:
        return False
    differentiates = module == "torch.autograd" and name in ("grad", "backward")
    return differentiates or module.startswith(TRANSFORMS) or function is torch().compile


def _asked(function: Any) -> Any:
    """What a function says that looks at the process: the next call asks whether it still does."""
    recorder_of_mode().facts.guards.answers.note(function, ())
    return function()
