"""PyTorch modules, which another `to_static` is for. Nothing here imports torch."""

from __future__ import annotations

from typing import Any

from ...pytree import module_of


def refuse_pytorch(owner: Any) -> None:
    """TypeError: a PyTorch module that isn't static, or whose method isn't."""
    if any((module_of(cls), cls.__name__) == ("torch.nn.modules.module", "Module") for cls in type(owner).__mro__):
        name = type(owner).__name__
        raise TypeError(f"{name} is a PyTorch module: make it static by dy2st.torch.to_static(module, input_spec)")
