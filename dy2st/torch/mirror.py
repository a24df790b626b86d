"""The tensors of a PyTorch module as those of a Layer: the same names, the same memory."""

from __future__ import annotations

from typing import Any

from ..nn.layer import Layer, Parameter
from ..runtime.tensors.tensor import Tensor
from .packages import torch
from .values import array_of


class Tensors:
    """Which Tensor shares memory with each tensor of torch's."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Tensor]] = {}  # by id; with the tensor of torch's, so that no other one gets its id

    def of(self, value: Any) -> Tensor | None:
        """The Tensor for a tensor of torch's; None for anything else."""
        if not issubclass(type(value), torch().Tensor):  # whatever class a placeholder says it is of
            return None
        if id(value) not in self._known:
            self._known[id(value)] = value, _made(value)
        return self._known[id(value)][1]

    def refresh(self) -> None:
        """Follow tensors of torch's that have got other memory since."""
        for value, tensor in self._known.values():
            if value.data_ptr() != tensor._data.ctypes.data:
                tensor._data = array_of(value)
            tensor.stop_gradient = not value.requires_grad


def _made(value: Any) -> Tensor:
    if isinstance(value, torch().nn.Parameter):
        return Parameter(array_of(value), trainable=value.requires_grad)
    return Tensor(array_of(value), stop_gradient=not value.requires_grad)


class Mirror(Layer):
    """A Layer with the tensors of a PyTorch module, and one for each of its children."""

    def __init__(self, module: Any, tensors: Tensors):
        super().__init__()
        for name, parameter in module._parameters.items():
            if parameter is not None:
                self.add_parameter(name, tensors.of(parameter))  # type: ignore[arg-type]
        for name, buffer in module._buffers.items():
            if buffer is not None:
                self.register_buffer(name, tensors.of(buffer), persistable=name not in module._non_persistent_buffers_set)
        for name, child in module._modules.items():
            if child is not None:
                self.add_sublayer(name, Mirror(child, tensors))
