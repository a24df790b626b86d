"""Tensor methods that change the dtype or make a tensor like another, and what says where it lies; under Paddle's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..dtype import DTYPES, DType, dtype_name
from ..errors import DTypeError
from ..runtime.tensors.tensor import Tensor
from .checks import describe, need_tensor, to_dtype
from .creation import full
from .modes import Place, set_device
from .tensor_methods import attach, tensor_method

__all__ = ("is_empty",)

_METHODS = {
    "bool": "bool",
    "byte": "uint8",
    "char": "int8",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "cfloat": "complex64",
    "cdouble": "complex128",
}


def _cast_method(name: str, dtype: str) -> Callable[[Tensor], Tensor]:
    def method(x: Tensor) -> Tensor:
        return to_dtype(x, dtype)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"x in {dtype}: x itself where it is."
    return method


for _name, _dtype in (*_METHODS.items(), *((name, name) for name in DTYPES if name != "bool")):
    attach(_cast_method(_name, _dtype), _name)


@tensor_method()
def to(x: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """x in another dtype: given as such, or by another tensor. A device may be given, too, which must be the CPU.

    x.to("float64"), x.to("cpu", "float64"), x.to(other), x.to(dtype="float64", blocking=True)
    """
    dtype = kwargs.pop("dtype", None)
    device = kwargs.pop("device", None)
    unknown = set(kwargs) - {"blocking", "copy", "non_blocking", "other"}
    if unknown:
        raise TypeError(f"to() takes device, dtype and blocking, not {', '.join(sorted(unknown))}")
    for given in (*args, kwargs.get("other")):
        if isinstance(given, Tensor):
            dtype = given.dtype
        elif isinstance(given, DType) or (isinstance(given, str) and _is_dtype(given)):
            dtype = given
        elif isinstance(given, (str, Place)):
            device = given
        elif given is not None and not isinstance(given, bool):
            raise TypeError(f"to() takes a dtype, a device or a Tensor, not {describe(given)}")
    if isinstance(device, str):
        set_device(device)
    return x if dtype is None else to_dtype(x, dtype_name(dtype))


def _is_dtype(name: str) -> bool:
    try:
        return bool(dtype_name(name))
    except DTypeError:
        return False


@tensor_method()
def type_as(x: Tensor, other: Tensor) -> Tensor:
    """x in the dtype of `other`."""
    return to_dtype(x, need_tensor("type_as", other, "other").dtype.name)


def _new(name: str, value: Any, doc: str) -> None:
    def method(var: Tensor, size: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
        return _made(var, size, value, dtype, requires_grad)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = doc
    attach(method, name)


def _made(x: Tensor, size: Any, value: Any, dtype: Any, requires_grad: bool) -> Tensor:
    found = full(size, value, x.dtype if dtype is None else dtype)
    found.stop_gradient = not requires_grad
    return found


_new("new_zeros", 0, "Zeros of the shape `size`, in the dtype of this tensor unless `dtype` is given.")
_new("new_ones", 1, "Ones of the shape `size`, in the dtype of this tensor unless `dtype` is given.")
_new("new_empty", 0, "A tensor of the shape `size` whose values don't matter, in the dtype of this one unless `dtype` is given.")


@tensor_method()
def new_full(
    var: Tensor, size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """`fill_value` everywhere in the shape `size`, in the dtype of this tensor unless `dtype` is given."""
    return _made(var, size, fill_value, dtype, requires_grad)


@tensor_method("cuda", "pin_memory", "contiguous", "to_dense", "value")
def itself(x: Tensor, *_: Any, **__: Any) -> Tensor:
    """x itself: tensors live on the CPU, and no caller sees in which order its elements lie."""
    return x


@tensor_method()
def repeat(input: Tensor, *repeats: Any) -> Tensor:
    """As `tile`; the counts may be given one by one."""
    return input.tile(repeats[0] if len(repeats) == 1 else list(repeats))


@tensor_method()
def split_with_sizes(self: Tensor, split_sizes: Any, dim: int = 0) -> list[Tensor]:
    """Views of the lengths `split_sizes` along `dim`."""
    return self.split(list(split_sizes), dim)


@tensor_method()
def is_same_shape(x: Tensor, y: Tensor) -> bool:
    """Whether x and y have one shape."""
    return list(x.shape) == list(need_tensor("is_same_shape", y, "y").shape)


@tensor_method()
def is_empty(x: Tensor, name: str | None = None) -> Tensor:
    """Whether x has no elements: a 0-d bool tensor."""
    return need_tensor("is_empty", x).numel() == 0


@tensor_method()
def apply(self: Tensor, func: Callable[[Tensor], Tensor]) -> Tensor:
    """func(self)."""
    _check_apply(self)
    return func(self)


@tensor_method()
def apply_(self: Tensor, func: Callable[[Tensor], Tensor]) -> Tensor:
    """Write func(self) into this tensor, which is returned."""
    _check_apply(self)
    return self.copy_(func(self.clone()))


def _check_apply(x: Tensor) -> None:
    if not (x.is_staged or x.stop_gradient):
        raise RuntimeError("apply is for tensors that don't require a gradient (stop_gradient=True); call the function itself")


@tensor_method()
def stride(self: Tensor, dim: int | None = None) -> Any:
    """How many elements lie between neighbours along each axis, or along `dim`."""
    array = self._array("x.stride()")
    found = [step // array.itemsize for step in array.strides]
    return found if dim is None else found[dim]


@tensor_method()
def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Set whether gradients flow into this tensor, and return it."""
    self.stop_gradient = not requires_grad
    return self


def _set_requires_grad(self: Tensor, value: bool) -> None:
    self.stop_gradient = not value


def _set_data(self: Tensor, value: Tensor) -> None:
    self.set_value(value)


Tensor.requires_grad = property(lambda self: not self.stop_gradient, _set_requires_grad)  # type: ignore[attr-defined]
Tensor.data = property(lambda self: self, _set_data)  # type: ignore[attr-defined]
Tensor.strides = property(stride)  # type: ignore[attr-defined]
Tensor.itemsize = property(lambda self: self.dtype.numpy.itemsize)  # type: ignore[attr-defined]
Tensor.is_cuda = property(lambda self: False)  # type: ignore[attr-defined]
attach(lambda self: True, "is_dense")
attach(lambda self: False, "is_sparse", "is_sparse_coo", "is_sparse_csr", "is_dist", "is_selected_rows")
attach(lambda self: -1, "get_device")
