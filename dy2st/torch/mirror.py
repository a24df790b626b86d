"""The tensors of a PyTorch module as those of a Layer: the same names, the same memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..nn.layer import Layer, Parameter
from ..runtime.tensors.tensor import Tensor
from .packages import torch
from .values import array_of


class Twin:
    """A tensor of torch's, and the Tensor that shares its memory. Each counts how often that is written; so does the other."""

    def __init__(self, theirs: Any, ours: Tensor):
        self.theirs, self.ours = theirs, ours
        self._version, self._writes = self._now(), ours._writes[0]

    def _now(self) -> int:
        return 0 if self.theirs.is_inference() else self.theirs._version

    def note_writes(self) -> bool:
        """Let the Tensor count what torch has written; whether it has."""
        before, self._version = self._version, self._now()
        if before != self._version:
            self.ours._writes[0] += 1
            self._writes = self.ours._writes[0]
        return before != self._version

    def tell_writes(self) -> bool:
        """Let torch count what a Program has written; whether it has."""
        before, self._writes = self._writes, self.ours._writes[0]
        if before != self._writes and not self.theirs.is_inference():
            torch().autograd.graph.increment_version(self.theirs)
            self._version = self._now()
        return before != self._writes


class Tensors:
    """Which Tensor shares memory with each tensor of torch's."""

    def __init__(self) -> None:
        self._known: dict[int, Twin] = {}  # by id of the tensor of torch's, which is kept, so that no other one gets its id

    def of(self, value: Any) -> Tensor | None:
        """The Tensor for a tensor of torch's; None for anything else."""
        if not issubclass(type(value), torch().Tensor):  # whatever class a placeholder says it is of
            return None
        if id(value) not in self._known:
            with torch()._C.DisableTorchFunction():
                self._known[id(value)] = Twin(value, _made(value))
        return self._known[id(value)].ours

    def __iter__(self) -> Iterator[Twin]:
        return iter(self._known.values())

    def refresh(self) -> None:
        """Follow tensors of torch's that have been written, or have got other memory."""
        for twin in self._known.values():
            value, tensor = twin.theirs, twin.ours
            if value.data_ptr() != tensor._data.ctypes.data:
                tensor._data = array_of(value)
            tensor.stop_gradient = not value.requires_grad
        self.note_writes()

    def note_writes(self) -> None:
        """Count what torch has written since."""
        for twin in self._known.values():
            twin.note_writes()


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
