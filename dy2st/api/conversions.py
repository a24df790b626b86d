"""Tensor methods that change the dtype or make a tensor like another, and what says where it lies; under Paddle's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..dtypes import DTYPES, DType, dtype_name
from ..errors import DTypeError
from ..runtime.tensors.tensor import Tensor
from .autograd import set_stop_gradient
from .checks import describe, need_tensor, to_dtype
from .creation import full
from .modes import Place, set_device
from .tensor_methods import attach, tensor_method, tensor_property

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
    method.__doc__ = f"x, of any shape and dtype, in {dtype}: x itself where it is. The result has the shape of x."
    return method


for _name, _dtype in (*_METHODS.items(), *((name, name) for name in DTYPES if name != "bool")):
    attach(_cast_method(_name, _dtype), _name)


@tensor_method()
def to(x: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """x in another dtype: given as such, or by another tensor; x itself where it has that dtype. The shape stays.

    x.to("float64"), x.to("cpu", "float64"), x.to(other), x.to(dtype="float64", blocking=True). A device may be given, too:
    ValueError where it isn't the CPU. TypeError: an argument that is none of these. DTypeError: a name that isn't a dtype's.
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
    """x in the dtype of `other`: x itself where it has it. The shape stays."""
    return to_dtype(x, need_tensor("type_as", other, "other").dtype.name)


def _new(name: str, value: Any, doc: str) -> None:
    def method(var: Tensor, size: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
        return _made(var, size, value, dtype, device, requires_grad)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"""{doc}

    var: the tensor whose dtype counts where `dtype` is None. size: a list of ints. requires_grad: whether gradients flow into the
    result. device: "cpu" or None. ValueError: another `device`, or a negative length.
    """
    attach(method, name)


def _made(x: Tensor, size: Any, value: Any, dtype: Any, device: Any, requires_grad: bool) -> Tensor:
    if device is not None:
        set_device(device)
    found = full(size, value, x.dtype if dtype is None else dtype)
    found.stop_gradient = not requires_grad
    return found


_new("new_zeros", 0, "Zeros of the shape `size`.")
_new("new_ones", 1, "Ones of the shape `size`.")
_new("new_empty", 0, "A tensor of the shape `size` whose values don't matter: zeros here.")


@tensor_method()
def new_full(
    var: Tensor, size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """`fill_value`, a number, everywhere, of shape `size`, in the dtype of this tensor unless `dtype` is given.

    var: the tensor whose dtype counts. requires_grad: whether gradients flow into the result. device: "cpu" or None; ValueError
    for any other.
    """
    return _made(var, size, fill_value, dtype, device, requires_grad)


@tensor_method("cuda", "pin_memory")
def no_device(x: Tensor, device_id: Any = None, blocking: bool = True) -> Tensor:
    """ValueError: a tensor x, of any shape and dtype, lives on the CPU, whatever `device_id` and `blocking` say."""
    raise ValueError("tensors live on the CPU; there is no GPU to move one to: leave the call out")


@tensor_method("contiguous", "to_dense", "value")
def itself(x: Tensor, *_: Any, **__: Any) -> Tensor:
    """x itself, shape and dtype: tensors live on the CPU, and no caller sees in which order its elements lie."""
    return x


@tensor_method()
def repeat(input: Tensor, *repeats: Any) -> Tensor:
    """As `tile`, of `input`; the counts `repeats` may be given one by one. The result has the dtype of input."""
    return input.tile(repeats[0] if len(repeats) == 1 else list(repeats))


@tensor_method()
def split_with_sizes(self: Tensor, split_sizes: Any, dim: int = 0) -> list[Tensor]:
    """Views of the lengths `split_sizes` along the axis `dim`, a list of tensors of otherwise the shape and dtype of this one.

    ShapeError: the lengths don't add up to that of the axis.
    """
    return self.split(list(split_sizes), dim)


@tensor_method()
def is_same_shape(x: Tensor, y: Tensor) -> bool:
    """Whether the tensors x and y, of any dtypes, have one shape: a bool."""
    return list(x.shape) == list(need_tensor("is_same_shape", y, "y").shape)


@tensor_method()
def is_empty(x: Tensor, name: str | None = None) -> Tensor:
    """Whether x, of any shape, has no elements: a 0-d bool tensor."""
    return need_tensor("is_empty", x).numel() == 0


@tensor_method()
def apply(self: Tensor, func: Callable[[Tensor], Tensor]) -> Tensor:
    """func(self), what `func` gives of this tensor, of whatever shape and dtype.

    RuntimeError: gradients flow into this tensor.
    """
    _check_apply(self)
    return func(self)


@tensor_method()
def apply_(self: Tensor, func: Callable[[Tensor], Tensor]) -> Tensor:
    """Write func(self), which broadcasts to the shape of this tensor and takes its dtype, into it; it is returned.

    `func` gets a copy. RuntimeError: gradients flow into this tensor.
    """
    _check_apply(self)
    return self.copy_(func(self.clone()))


def _check_apply(x: Tensor) -> None:
    if not (x.is_staged or x.stop_gradient):
        raise RuntimeError("apply is for tensors that don't require a gradient (stop_gradient=True); call the function itself")


@tensor_method()
def stride(self: Tensor, dim: int | None = None) -> Any:
    """How many elements of this tensor, of any shape and dtype, lie between neighbours along each axis, a list of ints.

    dim: one axis, for one int. StagedValueError while recording.
    """
    array = self._array("x.stride()")
    found = [step // array.itemsize for step in array.strides]
    return found if dim is None else found[dim]


@tensor_method()
def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Set whether gradients flow into this tensor (`requires_grad`), and return it, with its shape and dtype as they were."""
    set_stop_gradient(self, not requires_grad)
    return self


def _set_requires_grad(self: Tensor, value: bool) -> None:
    set_stop_gradient(self, not value)


def _set_data(self: Tensor, value: Tensor) -> None:
    self.set_value(value)


@tensor_property("requires_grad", _set_requires_grad)
def _requires_grad(self: Tensor) -> bool:
    """Whether gradients flow into this tensor: not `stop_gradient`."""
    return not self.stop_gradient


@tensor_property("data", _set_data)
def _data(self: Tensor) -> Tensor:
    """This tensor; what is assigned is written into it, as by `set_value`."""
    return self


@tensor_property("strides")
def _strides(self: Tensor) -> list[int]:
    """How many elements lie between neighbours along each axis, as `stride()` says."""
    return stride(self)


@tensor_property("itemsize")
def _itemsize(self: Tensor) -> int:
    """The bytes of one element."""
    return self.dtype.numpy.itemsize


@tensor_property("is_cuda")
def _is_cuda(self: Tensor) -> bool:
    """False: tensors live on the CPU."""
    return False


@tensor_method()
def is_dense(self: Tensor) -> bool:
    """True: every element is kept."""
    return True


@tensor_method("is_sparse", "is_sparse_coo", "is_sparse_csr", "is_dist", "is_selected_rows")
def is_of_another_kind(self: Tensor) -> bool:
    """False: tensors are dense, and lie in one process."""
    return False


@tensor_method()
def get_device(self: Tensor) -> int:
    """-1, which stands for the CPU."""
    return -1
