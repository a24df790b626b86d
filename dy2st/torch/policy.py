"""How PyTorch code is staged: placeholders have torch's face, real tensors are parameters and buffers of the mirror."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..ir.core import Value
from ..runtime.outside.policy import Policy
from ..runtime.tensors.tensor import Tensor
from .face import Face
from .mirror import Tensors


class TorchPolicy(Policy):
    """tensors: the Tensors that share memory with those of torch's."""

    replaces = True
    boxes_scalars = False

    def __init__(self, tensors: Tensors):
        self.tensors = tensors
        self._is_plain = False

    @contextmanager
    def plain(self) -> Iterator[None]:
        """What is recorded in here gives Tensors of dy2st's."""
        before, self._is_plain = self._is_plain, True
        try:
            yield
        finally:
            self._is_plain = before

    def tensor(self, value: Value, stop_gradient: bool, name: str | None = None) -> Tensor:
        return (Tensor if self._is_plain else Face)(value, stop_gradient, name)

    def faced(self, tensor: Tensor) -> Face:
        """A Tensor with torch's face."""
        return Face(tensor._data, tensor.stop_gradient)

    def lifted(self, value: Any) -> Tensor | None:
        return self.tensors.of(value)

    def replacement(self, function: Any) -> Callable | None:
        from .calls import replaced
        from .modules import module_call

        return replaced(function) or module_call(function)
