"""The one Tensor: a NumPy array while running eagerly, a Value of the Program while recording.

Its methods are the functions of `dy2st.api`, which attaches them; here is only what every tensor is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...errors import DTypeError, StagedValueError
from ...ir.core import Value
from ...ir.shape import Shape
from ...ir.types import TensorType
from ...ops import dispatch
from ..where.faults import as_the_user
from .late_methods import LateMethods
from .unique_names import GeneratedName


def _mode() -> Any:
    """The current mode, which knows Variables: `shape_of(x)` and `refusal(x, use)`."""
    return dispatch.current_mode()


_HELD = frozenset({np.ndarray, Value})


def _given(data: Any) -> Any:
    """What a Tensor holds that isn't made of an array or a Value: of a Tensor the elements, in memory of their own.

    TypeError: what has no elements.
    """
    if isinstance(data, (np.ndarray, np.generic)):
        return data
    if isinstance(data, Tensor):
        copy = data.detach().clone()
        return copy._data if copy.is_staged else copy._array("Tensor(x)")
    from .borrowed import is_foreign, named  # which only other libraries need
    from .dlpack import array_of  # which only other libraries need

    if is_foreign(data):
        return array_of(data).copy()
    raise TypeError(f"a Tensor is made of an array or a Tensor, not of {named(data)}; to_tensor makes one of numbers")


class Tensor(LateMethods):
    """An n-dimensional array of one dtype. `to_tensor` makes one of numbers.

    data: a NumPy array, or while recording a Value, which gives shape and dtype; of a Tensor, or of one of another library, it is
    a copy. `stop_gradient=True` (the default) keeps gradients from flowing into it. `grad` is filled by `backward()`.
    TypeError: data of another kind.
    """

    __array_priority__ = 100  # `ndarray + Tensor` is a Tensor too
    __slots__ = ("_data", "_stops", "_grad", "_node", "_view", "_writes", "name", "persistable", "__weakref__", "__dict__")

    def __init__(self, data: np.ndarray | Value | Tensor, stop_gradient: bool = True, name: str | None = None):
        self._data: Any = data if type(data) in _HELD else _given(data)  # an ndarray or a Value
        self._stops = stop_gradient  # as of the last write that this tensor has heard of
        self._grad: Any = None  # a Tensor or None; while recording also what is one of them, as the path decides
        self._node: Any = None  # the tape node that made this tensor, with the result's index
        self._view: Any = None  # for a view: its base and how to take it again
        self._writes = [0]  # the count of in-place writes, one cell shared by all tensors on the same memory
        self.name = name
        self.persistable = False

    @property
    def stop_gradient(self) -> bool:
        """Whether no gradient flows into this tensor. A view hears here of the writes of its base."""
        view = self._view
        if view is not None and view.node is not view.base._node:
            from .aliases import refresh  # which needs this module

            refresh(self)
        return self._stops

    @stop_gradient.setter
    def stop_gradient(self, stops: bool) -> None:
        self._stops = stops

    @property
    def given_name(self) -> str | None:
        """The name, where it isn't a generated one."""
        return None if isinstance(self.name, GeneratedName) else self.name

    @property
    def is_staged(self) -> bool:
        """Whether this is a Variable: a placeholder or the result of a recorded operation."""
        return type(self._data) is Value

    @property
    def type(self) -> TensorType:
        """The IR type of this tensor."""
        data: Any = self._data
        return data.type if type(data) is Value else TensorType(dtypes.BY_NUMPY[data.dtype].name, data.shape)  # type: ignore[return-value]

    @property
    def static_shape(self) -> Shape:
        """The shape as far as it is known while staging."""
        data: Any = self._data
        return data.type.shape if type(data) is Value else data.shape  # type: ignore[attr-defined]

    @property
    def dtype(self) -> dtypes.DType:
        """The dtype of the elements."""
        data: Any = self._data
        return dtypes.DTYPES[data.type.dtype] if type(data) is Value else dtypes.BY_NUMPY[data.dtype]  # type: ignore[attr-defined]

    @property
    def inplace_version(self) -> int:
        """How often the memory of this tensor was written in place, by it or by any tensor that shares it."""
        return self._writes[0]

    @property
    def shape(self) -> list[int]:
        """The lengths of the axes: ints; while recording, staged ints where a length is known only at run time."""
        data: Any = self._data
        return _mode().shape_of(self) if type(data) is Value else list(data.shape)

    @property
    def grad(self) -> Tensor | None:
        """The gradient that `backward()` has added up: a Tensor of this shape and dtype, or None."""
        return _mode().gradient_of(self)

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        _mode().set_gradient(self, value)

    def numpy(self) -> np.ndarray:
        """The values as a NumPy array that shares this tensor's memory, its shape and dtype. StagedValueError while recording.

        Of bfloat16, which NumPy lacks, it is the bits as uint16, as in Paddle: `x.astype("float32").numpy()` gives numbers.
        """
        array = self._array("x.numpy()")
        return array.view(np.uint16) if array.dtype.kind == "V" else array

    def _array(self, use: str) -> np.ndarray:
        data: Any = self._data
        if type(data) is Value:
            raise StagedValueError(_mode().refusal(self, use))
        return data

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        array = self._array("a NumPy function")
        return as_the_user(array.astype, dtype) if dtype is not None and dtype != array.dtype else array.copy() if copy else array

    def __array_function__(self, function: Any, types: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """`np.mean(x)`, `np.concatenate([x, y])`: NumPy's function of the arrays, which it may read and not write.

        StagedValueError while recording.
        """
        from .numpy_calls import on_arrays  # which only such calls need

        return on_arrays(function, args, kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Where the elements lie, for another library: on the CPU."""
        return (1, 0)

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:  # fmt: skip
        """The memory of this tensor, for another library: `torch.from_dlpack(x)`.

        stream: none on a CPU. Read-only memory and negative strides are copied. BufferError: gradients flow into this tensor, so
        that `x.detach()` is to be given; another device; copy=False where there has to be one. StagedValueError while recording.
        """
        from .dlpack import exported  # which only such calls need

        return exported(self, max_version, dl_device, copy)

    def __hash__(self) -> int:
        return id(self)


def need_index(tensor: Tensor) -> None:
    """DTypeError unless a tensor holds integers, which alone can be an index, a length or the order of a sort."""
    dtype = tensor.type.dtype
    if not dtype.startswith(("int", "uint", "bool")):
        rec = dispatch.current_mode().rec
        is_torch = rec is not None and rec.facts.policy.errors == "torch"
        cast = "x.long()" if is_torch else "x.astype('int64')"
        raise DTypeError(f"an index or a length must be an integer tensor, not {dtype}; write {cast}")
