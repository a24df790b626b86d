"""`dy2st.torch.to_static`: PyTorch modules and functions that are called as before, and run as Programs."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

from ..runtime.where.tracebacks import shows_users_frames
from .function import TorchFunction
from .mirror import Mirror, Tensors
from .modules import SCRIPT_MODULE
from .originals import uncompiled
from .packages import torch
from .specs import checked_spec
from .static_module import method_of, plain, static_module


def _layer(module: Any, input_spec: Any, methods: Sequence[str]) -> Mirror:
    """A PyTorch module as a Layer some of whose methods are Programs, which is saved and exported."""
    name = type(module).__name__
    layer = type(name, (Mirror,), {"__module__": type(module).__module__})(module, Tensors())
    for method in methods:
        spec = input_spec if method == "forward" or len(methods) == 1 else None
        vars(layer)[method] = TorchFunction(method_of(module, method), spec, module, layer)
    return layer


@shows_users_frames
def to_static(module: Any, input_spec: Any = None, methods: Sequence[str] = ("forward",)) -> Any:
    """Make a PyTorch module or function static; it stays unchanged.

    module: a torch.nn.Module, or a function on tensors of torch's. input_spec: as for `dy2st.jit.to_static`, for `forward`
    or the one method, with examples as tensors of torch's; or a dict by parameter, for arguments that are given by name.
    methods: the methods of the module that are called and saved.

    Returned is a module of a class under the module's own, on the same attributes: the tensors, parts, hooks and mode of one are
    those of the other. Its static methods take and give tensors of torch's; `code` is the rewritten source of `forward`, `module`
    the module. TypeError: neither a module nor a function. ConversionError, at the first call: what can't become a Program.

    >>> net = dy2st.torch.to_static(torch.nn.Linear(2, 3))
    >>> net(torch.ones(5, 2)).shape
    torch.Size([5, 3])
    """
    if isinstance(module, torch().jit.ScriptModule):
        raise TypeError(SCRIPT_MODULE)
    input_spec = checked_spec(input_spec)
    module = uncompiled(module)
    if isinstance(module, torch().nn.Module):
        module = plain(module)
        layer = _layer(module, input_spec, methods)
        functions = {name: vars(layer)[name] for name in methods}
        return static_module(module, layer, functions, (to_static, module, input_spec, tuple(methods)))
    if isinstance(module, types.FunctionType):
        return TorchFunction(module, input_spec)
    instead = f"; give it {module.__name__}.__wrapped__" if hasattr(module, "__wrapped__") else ""
    raise TypeError(f"dy2st.torch.to_static takes a torch.nn.Module or a function, not {type(module).__name__}{instead}")
