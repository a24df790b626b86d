"""`dy2st.torch.to_static`: PyTorch modules and functions that are called as before, and run as Programs."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

from .function import TorchFunction
from .mirror import Mirror, Tensors
from .modules import SCRIPT_MODULE
from .packages import torch


class StaticModule(Mirror):
    """A PyTorch module, `module`, some of whose methods are Programs. It stays as it is, and shares its tensors."""

    module: Any

    def __init__(self, module: Any, input_spec: Any, methods: Sequence[str]):
        tensors = Tensors()
        super().__init__(module, tensors)
        self.__dict__["module"] = module
        for name in methods:
            spec = input_spec if name == "forward" or len(methods) == 1 else None
            self.__dict__[name] = TorchFunction(getattr(type(module), name), spec, module, self, tensors)
        self.training = module.training

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call `forward` with tensors of torch's."""
        return self.forward(*args, **kwargs)

    @property
    def code(self) -> str:
        """The rewritten source of `forward`, with the user's line numbers as comments."""
        return self.forward.code  # type: ignore[attr-defined]

    def train(self, mode: bool = True) -> StaticModule:
        """Switch the module to training, or to evaluation."""
        self.module.train(mode)
        super().train() if mode else super().eval()
        return self

    def eval(self) -> StaticModule:
        """Switch the module to evaluation."""
        return self.train(False)


def to_static(module: Any, input_spec: Any = None, methods: Sequence[str] = ("forward",)) -> Any:
    """Make a PyTorch module or function static; it stays unchanged.

    module: a torch.nn.Module, or a function on tensors of torch's. input_spec: as for `dy2st.jit.to_static`, for `forward`
    or the one method; or a dict by parameter, for arguments that are given by name.
    methods: the methods of the module that are called and saved.

    Returned is a wrapper that takes and gives tensors of torch's. TypeError: neither a module nor a function. ConversionError, at
    the first call: what can't become a Program.

    >>> net = dy2st.torch.to_static(torch.nn.Linear(2, 3))
    >>> net(torch.ones(5, 2)).shape
    torch.Size([5, 3])
    """
    if isinstance(module, torch().jit.ScriptModule):
        raise TypeError(SCRIPT_MODULE)
    if isinstance(module, torch().jit.ScriptFunction):
        module = module._torchdynamo_inline
    if isinstance(module, torch().nn.Module):
        return StaticModule(module, input_spec, methods)
    if isinstance(module, types.FunctionType):
        return TorchFunction(module, input_spec, None, None, Tensors())
    raise TypeError(f"dy2st.torch.to_static takes a torch.nn.Module or a function, not {type(module).__name__}")
