"""What converted PyTorch code handles as a tensor while it is staged: a Tensor of dy2st with the face of torch's.

Its methods are rows of the table. What torch.Tensor has beyond them is refused in words; what a Tensor of dy2st has isn't there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from ..errors import ConversionError
from ..ops.dispatch import recorder_of_mode
from ..runtime.convert.builtins.text import convert_format
from ..runtime.proxies import SpelledLate
from ..runtime.tensors.tensor import Tensor
from .askers import called_by, is_of_torch
from .dtypes import of_name
from .instead import name_of, unmapped
from .packages import torch
from .registering import REGISTERED
from .requires_grad import let_flow

_KEPT = frozenset("type name static_shape stop_gradient is_staged given_name inplace_version persistable grad".split())


asked_last: list[Any] = []  # the placeholder that was asked for its type last
LACKED: set[str] = set()  # what torch.Tensor has, and no row


class Size(SpelledLate, tuple):
    """x.shape: a tuple of ints, of which only the Program knows some. One whose lengths are all known is torch's own."""

    def __new__(cls, lengths: Iterable[Any] = ()) -> Any:
        found = tuple(lengths)
        return torch().Size(found) if all(type(n) is int for n in found) else tuple.__new__(cls, found)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # type: ignore[override]
        return torch().Size

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def spelled(self) -> Any:
        """Its `repr`, which the Program makes."""
        return convert_format("torch.Size({})", list(self))

    def __getitem__(self, index: Any) -> Any:
        found = tuple.__getitem__(self, index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> Any:
        found = tuple.__add__(self, other)
        return found if found is NotImplemented else Size(found)

    def numel(self) -> Any:
        """How many elements there are."""
        count: Any = 1
        for length in self:
            count = count * length
        return count


class Asked(property):
    """A property that converted code calls as a method."""

    def __call__(self, owner: Any) -> Any:
        return self.__get__(owner)


class Face(Tensor):
    """A placeholder in PyTorch code. `isinstance(x, torch.Tensor)` is true of it in Python; code of C isn't misled.

    ConversionError where a function or class of torch's in C asks, which no row stands for.
    """

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # type: ignore[override]
        function = called_by(sys._getframe(1))
        if function is None:
            return torch().Tensor
        if is_of_torch(function):
            raise ConversionError(f"{recorder_of_mode().here()}: {unmapped(name_of(function))}")
        return Face

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        """A call of torch's in code that isn't converted."""
        return recorder_of_mode().facts.policy.call(func, args, kwargs or {})

    @Asked
    def type(self) -> Any:  # type: ignore[override]
        """The type in the IR; converted code that calls it means torch's method (`calls.replacement`)."""
        asked_last[:] = [self]
        return Tensor.type.fget(self)  # type: ignore[attr-defined]

    @property
    def dtype(self) -> Any:  # type: ignore[override]
        """The dtype of the elements, torch.float32 or the like."""
        return of_name(self.type.dtype)

    @property
    def shape(self) -> Size:  # type: ignore[override]
        """The lengths of the axes."""
        found = self._told(lambda x: tuple(Tensor.shape.fget(x)))  # type: ignore[attr-defined]
        return Size(found) if type(found) is tuple else found

    @property
    def device(self) -> Any:
        """The CPU."""
        return torch().device("cpu")

    @property
    def layout(self) -> Any:
        """torch.strided."""
        return torch().strided

    @property  # type: ignore[misc]
    def requires_grad(self) -> bool:
        """Whether gradients flow to it."""
        return not self.stop_gradient

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.requires_grad_(value)

    def requires_grad_(self, requires_grad: bool = True) -> Face:
        """Let gradients flow into it, as into a leaf. RuntimeError: it is of whole numbers, or computed with a gradient."""
        let_flow(self, requires_grad)
        return self

    @property
    def ndim(self) -> int:  # type: ignore[override]
        """The number of axes."""
        return self._told(lambda x: len(x.static_shape or ()))

    def _told(self, tell: Callable[[Tensor], Any]) -> Any:
        """`tell(self)`; with each number of axes that it may have, where a path decides that."""
        if self.static_shape is not None:
            return tell(self)
        return recorder_of_mode().facts.policy.for_each_rank(self, tell)

    is_cuda = is_sparse = is_quantized = is_nested = is_meta = is_mps = is_xpu = False  # type: ignore[assignment]


Face.__name__ = Face.__qualname__ = "Tensor"  # as errors call it


def complete(methods: dict[str, Callable]) -> None:
    """Give Face these methods, and refuse or hide all that torch.Tensor or a Tensor of dy2st has otherwise."""
    theirs = {name for name in dir(torch().Tensor) if not name.startswith("_")}
    ours = {name for name in dir(Tensor) if not name.startswith("_")}
    for name in methods.keys() - _KEPT:
        setattr(Face, name, methods[name])
    LACKED.update(theirs - {*methods, *vars(Face)} - _KEPT)
    for name in (theirs | ours) - {*methods, *vars(Face)} - _KEPT:
        setattr(Face, name, _refused(name) if name in theirs else _hidden(name))


def _refused(name: str) -> property:
    """A method of torch.Tensor that has no row in the table."""

    def refuse(self: Any) -> Any:
        written = REGISTERED.get(getattr(torch().Tensor, name))
        if written is None:
            raise ConversionError(unmapped(f"torch.Tensor.{name}"))
        return partial(recorder_of_mode().convert_call(written), self)

    return property(refuse)


def _hidden(name: str) -> property:
    """A method of dy2st's Tensor that torch.Tensor hasn't."""

    def absent(self: Any) -> Any:
        raise AttributeError(f"'Tensor' object has no attribute '{name}'")

    return property(absent)
