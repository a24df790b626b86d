"""Structures of values, such as arguments and results, with others in place of their leaves; and tensors as those of torch's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..api.shape_args import listed
from ..dtypes import DTYPES, is_bfloat16
from ..errors import ConversionError
from ..runtime.heap.identity import note_constants
from ..runtime.tensors.foreign import note_library
from ..runtime.tensors.tensor import Tensor
from .packages import torch

# Classes of constants, of which the text tells all.
TOLD_BY_TEXT = (
    bool, int, float, complex, str, type(None), torch().dtype, torch().device, torch().memory_format, torch().layout,
)  # fmt: skip
_AXES = 64 if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else 32


def mapped(change: Callable[[Any], Any], value: Any) -> Any:
    """A structure of tuples, lists, dicts and slices with `change(leaf)` in place of each leaf, which a staged list is, too.

    Only classes are asked: `isinstance` is slow where a placeholder is no instance.
    """
    cls = type(value)
    if cls is list:
        value = listed(value)
        cls = type(value)
    if cls is tuple or cls is list:
        return cls([mapped(change, x) for x in value])
    if cls is dict:
        return {key: mapped(change, x) for key, x in value.items()}
    if cls is slice:
        return slice(*[mapped(change, x) for x in (value.start, value.stop, value.step)])
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return cls(*[mapped(change, x) for x in value])
    if issubclass(cls, tuple) and hasattr(cls, "n_sequence_fields"):  # torch.return_types.max
        return cls([mapped(change, x) for x in value])
    return change(value)


def leaves(value: Any) -> list[Any]:
    """The leaves of a structure, in order."""
    found: list[Any] = []
    mapped(found.append, value)
    return found


def holds(value: Any, cls: type) -> bool:
    """Whether a leaf is exactly of a class."""
    return any(type(x) is cls for x in leaves(value))


def is_dense(tensor: Any) -> bool:
    """Whether a tensor of torch's has its elements row by row, on the CPU, as numbers."""
    return tensor.layout is torch().strided and tensor.device.type == "cpu" and not tensor.is_quantized


def array_of(tensor: Any) -> np.ndarray:
    """The elements of a tensor of torch's, in the same memory. ConversionError: it isn't dense, on the CPU, or of so few axes."""
    with torch()._C.DisableTorchFunction():
        if torch()._C._functorch.is_functorch_wrapped_tensor(tensor):
            raise ConversionError("a static function captures a tensor of a torch.func transform; pass it as an argument")
        if not is_dense(tensor):
            kind = str(tensor.layout if tensor.device.type == "cpu" else tensor.device).removeprefix("torch.")
            raise ConversionError(f"tensors are dense ones on the CPU, unlike one of {kind}; write x.to_dense() or x.cpu()")
        if tensor.ndim > _AXES:
            raise ConversionError(f"tensors have at most {_AXES} axes, as NumPy's arrays; this one has {tensor.ndim}")
        tensor = tensor.detach().resolve_conj().resolve_neg()
        if tensor.dtype == torch().bfloat16:  # which NumPy lacks
            return tensor.view(torch().int16).numpy().view(DTYPES["bfloat16"].numpy)
        return tensor.numpy()


def torch_of(tensor: Tensor) -> Any:
    """A tensor of torch's with the elements of one of dy2st's, in the same memory where torch takes that."""
    array = np.asarray(tensor._data)
    array = array if array.flags.writeable and min(array.strides, default=0) >= 0 else array.copy()
    if is_bfloat16(array.dtype):
        return torch().from_numpy(array.view(np.int16)).view(torch().bfloat16)
    return torch().from_numpy(array)


note_library(torch().Tensor, array_of)
note_constants(torch().device)
