"""The tensors of a PyTorch module as those of a Layer: the same names, the same memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..nn.layer import Layer, Parameter
from ..runtime.tensors.tensor import Tensor
from .packages import torch


def array_of(tensor: Any) -> np.ndarray:
    """The elements of a tensor of torch's, in the same memory where NumPy can have them."""
    return tensor.detach().numpy()


class Tensors:
    """Which Tensor shares memory with each tensor of torch's."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Tensor]] = {}  # by id; the tensor of torch's, so that its id stays its own

    def of(self, value: Any) -> Tensor | None:
        """The Tensor for a tensor of torch's; None for anything else."""
        if not isinstance(value, torch().Tensor):
            return None
        if id(value) not in self._known:
            self._known[id(value)] = value, self._made(value)
        return self._known[id(value)][1]

    @staticmethod
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
                self.add_parameter(name, tensors.of(parameter))
        for name, buffer in module._buffers.items():
            if buffer is not None:
                self.register_buffer(name, tensors.of(buffer), persistable=name not in module._non_persistent_buffers_set)
        for name, child in module._modules.items():
            if child is not None:
                self.add_sublayer(name, Mirror(child, tensors))
