"""What converted PyTorch code handles as a tensor while it is staged: a Tensor of dy2st with the face of torch's.

Its methods are those of `table/`. What torch.Tensor has beyond them is refused in words; what only a Tensor of dy2st has isn't there.
"""

from __future__ import annotations

from typing import Any

from ..errors import ConversionError
from ..runtime.tensors.tensor import Tensor
from .dtypes import of_name
from .packages import torch


class Size(tuple):
    """x.shape: a tuple of ints, of which only the Program may know some."""

    def numel(self) -> Any:
        """How many elements there are."""
        count: Any = 1
        for length in self:
            count = count * length
        return count


class Face(Tensor):
    """A placeholder in PyTorch code; `isinstance(x, torch.Tensor)` is true of it."""

    @property
    def __class__(self) -> Any:  # type: ignore[override]
        return torch().Tensor

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        """A call of torch's in code that isn't converted."""
        from .calls import call

        return call(func, args, kwargs or {})

    @property
    def dtype(self) -> Any:  # type: ignore[override]
        """torch.float32 and the like."""
        return of_name(self.type.dtype)

    @property
    def shape(self) -> Size:  # type: ignore[override]
        """The lengths of the axes."""
        return Size(Tensor.shape.fget(self))  # type: ignore[attr-defined]

    @property
    def device(self) -> Any:
        """The CPU."""
        return torch().device("cpu")

    @property
    def requires_grad(self) -> bool:
        """Whether gradients flow to it."""
        return not self.stop_gradient

    @property
    def ndim(self) -> int:  # type: ignore[override]
        """The number of axes."""
        return len(self.static_shape)

    is_cuda = is_sparse = is_quantized = is_nested = is_meta = False
    layout = property(lambda self: torch().strided)


def refused(name: str) -> property:
    """A method of torch.Tensor that has no row in the table."""

    def refuse(self: Any) -> Any:
        text = f"torch.Tensor.{name} isn't mapped to operators: dy2st.torch.register(torch.Tensor.{name}) adds it"
        raise ConversionError(text)

    return property(refuse)


def hidden(name: str) -> property:
    """A method of dy2st's Tensor that torch.Tensor hasn't."""

    def absent(self: Any) -> Any:
        raise AttributeError(f"'Tensor' object has no attribute '{name}'")

    return property(absent)


_OWN = frozenset("type name static_shape stop_gradient is_staged given_name inplace_version persistable grad".split())


def complete(methods: dict[str, Any]) -> None:
    """Give Face the methods of the table, and hide or refuse all others."""
    theirs = {name for name in dir(torch().Tensor) if not name.startswith("_")}
    ours = {name for name in dir(Tensor) if not name.startswith("_")}
    for name, method in methods.items():
        setattr(Face, name, method)
    for name in (theirs | ours) - set(methods) - set(vars(Face)) - _OWN:
        setattr(Face, name, refused(name) if name in theirs else hidden(name))
