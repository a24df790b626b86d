"""DLPack: the memory of a tensor, given to another library or taken from one, without a copy where that is safe.

A capsule holds a C struct that says where the elements lie and of what kind they are (https://dmlc.github.io/dlpack/latest).
NumPy writes and reads it. It knows no bfloat16, so the kind is put in here, and taken out.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ...dtypes import BY_NUMPY, DTYPES
from ...errors import ConversionError, DTypeError
from ...ops import dispatch
from .borrowed import named
from .tensor import Tensor

CPU = (1, 0)  # DLPack's number of the kind of device, and which one
_ON_THE_HOST = {1, 3, 11, 13}  # kinds whose memory the CPU reads
_DEVICES = {2: "cuda", 4: "opencl", 7: "vulkan", 8: "metal", 10: "rocm"}
_UINT, _BFLOAT = 1, 4  # DLPack's numbers of kinds of elements
_TELLS_MORE = np.lib.NumpyVersion(np.__version__) >= "2.1.0"  # NumPy's own exports take a version
_get_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", ctypes.pythonapi))
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


class _Elements(ctypes.Structure):
    """The beginning of DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("device_id", ctypes.c_int32), ("rank", ctypes.c_int32),
        ("kind", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
    ]  # fmt: skip


class _Versioned(ctypes.Structure):
    """The beginning of DLManagedTensorVersioned."""

    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64), ("elements", _Elements),
    ]  # fmt: skip


def _elements(capsule: Any) -> _Elements:
    """The struct in a capsule. TypeError: no capsule of DLPack, or one that was used."""
    try:
        name = _get_name(capsule)
        address = _get_pointer(capsule, name)
    except ValueError:
        raise TypeError(f"from_dlpack takes a tensor or a capsule of DLPack, not a {type(capsule).__name__}") from None
    if name == b"dltensor_versioned":
        return _Versioned.from_address(address).elements
    if name == b"dltensor":
        return _Elements.from_address(address)
    raise TypeError("from_dlpack takes a capsule of DLPack that nobody has taken yet: to_dlpack makes a new one")


# --- giving -----------------------------------------------------------------------------------------------------------


def exported(x: Tensor, max_version: Any = None, dl_device: Any = None, copy: bool | None = None) -> Any:
    """The capsule of a tensor: of its memory, or of a copy where others could do harm there.

    Some libraries write into memory that is read-only, and count on strides that aren't negative. BufferError: a tensor that
    gradients flow into; another device; copy=False for such memory. StagedValueError: only the Program knows the elements.
    """
    array = x._array("x.__dlpack__()")
    if not x.stop_gradient:
        raise BufferError("gradients don't flow through DLPack, and this tensor has stop_gradient=False: give x.detach()")
    if dl_device is not None and tuple(map(int, dl_device)) != CPU:
        raise BufferError("tensors live on the CPU: take this one there, and move it then")
    safe = array.flags.writeable and all(stride >= 0 for stride in array.strides)
    if copy is False and not safe:
        why = "its strides are negative" if array.flags.writeable else "its memory is read-only"
        raise BufferError(f"this tensor can't be shared without a copy: {why}; leave copy=False out")
    if copy or not safe:
        array = array.copy()
    options = {"max_version": max_version} if _TELLS_MORE and max_version is not None else {}
    if array.dtype.kind != "V":
        return array.__dlpack__(**options)
    capsule = array.view(np.uint16).__dlpack__(**options)
    _elements(capsule).kind = _BFLOAT
    return capsule


# --- taking -----------------------------------------------------------------------------------------------------------


class _Producer:
    """A tensor of another library, as NumPy takes it: bfloat16 as the bits."""

    def __init__(self, value: Any):
        self.value, self.is_bfloat = value, False
        self.gives: Callable[..., Any] = getattr(value, "__dlpack__", lambda **_: value)  # a capsule gives itself

    def __dlpack_device__(self) -> tuple[int, int]:
        if hasattr(self.value, "__dlpack_device__"):
            return self.value.__dlpack_device__()
        elements = _elements(self.value)
        return elements.device, elements.device_id

    def __dlpack__(self, **options: Any) -> Any:
        capsule = self.gives(**options)
        elements = _elements(capsule)
        if elements.kind == _BFLOAT and elements.bits == 16:
            elements.kind, self.is_bfloat = _UINT, True
        return capsule


def array_of(value: Any) -> np.ndarray:
    """The array of a tensor of another library, or of a capsule: in the same memory. What it may not write into is read-only.

    BufferError: a tensor that lies on another device, or that its library doesn't give away. DTypeError: elements of a kind that
    has no dtype here. TypeError: anything else. ConversionError: while staging, where its values would be kept.
    """
    _refuse_while_staging(value)
    producer = _Producer(value)
    try:
        kind, index = producer.__dlpack_device__()
        if int(kind) not in _ON_THE_HOST:
            where = f"{_DEVICES.get(int(kind), f'a device of kind {int(kind)}')}:{index}"
            raise BufferError(f"it lies on {where}, and tensors of dy2st on the CPU: move it there first")
        array = value if isinstance(value, np.ndarray) else np.from_dlpack(producer)
    except DTypeError:
        raise
    except Exception as error:
        _refuse(value, error)
    if not hasattr(value, "__dlpack__"):
        array = _writable(array)
    if producer.is_bfloat:
        return array.view(DTYPES["bfloat16"].numpy)
    if array.dtype not in BY_NUMPY:
        raise DTypeError(f"there is no dtype for the {array.dtype.name} elements of this {named(value)}: cast it first")
    return array


class _Memory:
    """The memory of an array, which it keeps, to be written."""

    def __init__(self, array: np.ndarray):
        described = array.__array_interface__
        self.array, self.__array_interface__ = array, {**described, "data": (described["data"][0], False)}


def _writable(array: np.ndarray) -> np.ndarray:
    """An array of a capsule, which NumPy takes for read-only where the capsule doesn't say: who gives one shares the memory."""
    return array if array.flags.writeable else np.asarray(_Memory(array))


def _refuse(value: Any, error: Exception) -> NoReturn:
    if type(error) is RuntimeError and "dtype" in str(error):  # NumPy's word for what it doesn't know
        kind = str(getattr(value, "dtype", "such"))
        raise DTypeError(f"there is no dtype for the {kind} elements of this {named(value)}: cast it first") from None
    if type(error) is TypeError:
        raise error
    raise BufferError(f"this {named(value)} can't be taken: {str(error).splitlines()[0]}") from error


def _refuse_while_staging(value: Any) -> None:
    mode = dispatch.current_mode()
    if (staging := mode.rec or mode.tracer) is not None:
        raise ConversionError(
            f"{staging.here()}: a {named(value)} of another library is read while this is staged, and the Program would keep the "
            "values of now; give it as an argument, or make a tensor of it before, dy2st.from_dlpack(x), and use that here"
        )
