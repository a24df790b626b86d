"""What of the user's is PyTorch's, and what becomes static by which `to_static`.

Nothing here imports torch: only a file that has imported it can hold such things.
"""

from __future__ import annotations

import sys
from types import FunctionType, MethodType
from typing import Any


def is_imported() -> bool:
    """Whether there can be any."""
    return sys.modules.get("torch") is not None


def is_module(value: Any) -> bool:
    """Whether it is a torch.nn.Module."""
    return is_imported() and isinstance(value, sys.modules["torch"].nn.Module)


def is_layer_class(cls: type) -> bool:
    """Whether a class makes torch.nn.Modules."""
    return is_imported() and issubclass(cls, sys.modules["torch"].nn.Module)


def is_pytorch(target: Any) -> bool:
    """Whether it is a torch.nn.Module, a method of one, or a function that names the package torch or what is in it."""
    owner = getattr(target, "__self__", None)
    if not is_imported() or is_module(target) or is_module(owner):
        return is_module(target) or is_module(owner)
    function = target.__func__ if isinstance(target, MethodType) else target
    if not isinstance(function, FunctionType):
        return False
    return any(is_of_torch(function.__globals__.get(name)) for name in function.__code__.co_names)


def is_of_torch(value: Any) -> bool:
    """Whether a module, function or class is in the package torch."""
    return str(getattr(value, "__module__", None) or getattr(value, "__name__", "")).partition(".")[0] == "torch"


def unscripted(value: Any) -> Any:
    """The Python function that torch.jit.script was given; anything else is itself."""
    is_scripted = is_imported() and isinstance(value, sys.modules["torch"].jit.ScriptFunction)
    return value._torchdynamo_inline if is_scripted else value


def unwrapped(target: Any) -> Any:
    """The module or function of PyTorch's that a static one was made of; anything else is itself."""
    if not is_imported():
        return target
    from ...torch.function import TorchFunction
    from ...torch.static_module import plain

    target = plain(target)
    return target.dygraph_function if isinstance(target, TorchFunction) else target


def static_of(target: Any, specs: list | None) -> Any:
    """The target as a static function or layer, by the `to_static` that is for it."""
    if not is_pytorch(target):
        from ...jit import to_static

        return to_static(target, input_spec=specs)
    from ...torch import to_static as torch_to_static

    if isinstance(target, MethodType):
        static = torch_to_static(target.__self__, specs, methods=[target.__name__])
        return getattr(static, target.__name__)
    return torch_to_static(target, specs)


def concrete_program(found: Any, specs: list | None) -> Any:
    """The concrete program of a target for inputs of these types."""
    static = static_of(unwrapped(found), specs)
    return getattr(static, "forward", static).concrete_program
