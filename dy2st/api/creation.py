"""Making tensors, under Paddle's names."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any

import numpy as np

from ..dtypes import BY_NUMPY, DTYPES, dtype_name, get_default_dtype
from ..errors import ConversionError, DTypeError
from ..ir.types import FLOAT, NUMERIC, ListType
from ..ops import creation, dispatch
from ..ops.cast import assign as _assign
from ..ops.cast import assign_
from ..ops.registry import lookup
from ..pytree import nodes
from ..runtime.proxies import Staged, StagedList
from ..runtime.recorder.recorder import user_loc
from ..runtime.tensors.eager import EagerMode
from ..runtime.tensors.grad_mode import no_grad
from ..runtime.tensors.tensor import Tensor
from .autograd import set_stop_gradient
from .checks import describe, known_rank, need_tensor, plain_number, plain_scalar, scalar_kind, to_dtype, undecided
from .known import of_shape
from .modes import set_device
from .shape_args import check_dtype, elem_of, int_leaf, int_list, listed
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "arange",
    "assign",
    "clone",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "linspace",
    "one_hot",
    "ones",
    "ones_like",
    "to_tensor",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
)

_SCALAR_DTYPES = {"bool": "bool", "int": "int64", "complex": "complex64"}


def to_tensor(data: Any, dtype: Any = None, place: Any = None, stop_gradient: bool = True) -> Tensor:
    """A new Tensor with the values of `data`: a number, nested lists or tuples (which may hold Tensors), an array, or a Tensor.

    Its shape is that of `data`. dtype: where None, Python floats get the default dtype, ints int64, complex numbers complex64; an
    array keeps its dtype. stop_gradient: False makes a leaf that gradients flow into. place: the CPU or None.
    ValueError: another place, lists of unequal lengths. TypeError: no numbers. DTypeError: a width of numbers that has no dtype.

    >>> dy2st.to_tensor([[1, 2], [3, 4]]).shape
    [2, 2]
    """
    if place is not None:
        set_device(place)
    result = tensor_from(data, None if dtype is None else dtype_name(dtype))
    if stop_gradient or not result.is_staged:
        result.stop_gradient = stop_gradient
    else:
        set_stop_gradient(result, False)
    return result


def _hint(data: Any, *_: Any, **__: Any) -> str | None:
    """What is shown where a recorded function calls `to_tensor`. Of a list without items, other paths may append to it."""
    if isinstance(data, StagedList) or is_dynamic(data) or (isinstance(data, (list, tuple)) and not data):
        return None
    once = "make the tensor once, in __init__, and keep it as a buffer"
    return f"to_tensor of a constant is an assign that every call repeats; {once}"


to_tensor.__dy2st_hint__ = _hint  # type: ignore[attr-defined]


def tensor_from(data: Any, dtype: str | None) -> Tensor:
    """A new tensor of a number, an array, or nested lists of them, which may be known only when the Program runs."""
    if isinstance(data, Tensor):
        copied = _assign(data.detach())
        return copied if dtype is None else to_dtype(copied, dtype)
    kind = scalar_kind(data)
    if kind == "number" and dtype is None:
        raise undecided()
    if kind is not None and not isinstance(data, (int, float, complex, np.generic)):
        return full([], data, dtype or _SCALAR_DTYPES.get(kind) or get_default_dtype())
    data = listed(data)
    if isinstance(data, StagedList):
        return _from_staged_list(data, dtype)
    if is_dynamic(data):
        from .joining import stack

        stacked = stack([tensor_from(item, dtype) for item in data])
        return stacked if dtype is None else to_dtype(stacked, dtype)
    tensor = Tensor(_array_from(data, dtype))
    return tensor if isinstance(dispatch.current_mode(), EagerMode) else _assign(tensor)


def is_dynamic(data: Any) -> bool:
    """Whether nested lists hold a tensor, or what only the Program knows."""
    return any(isinstance(part, (Tensor, Staged)) for part in nodes(data, _rows))


def _rows(data: Any) -> Iterable[Any]:
    """What a list or tuple holds, as the Program sees it."""
    return map(listed, data) if isinstance(data, (list, tuple)) else ()


def _from_staged_list(data: StagedList, dtype: str | None) -> Tensor:
    """ConversionError: a list of anything but numbers and lists of them, or of ints without a dtype: an empty one has another."""
    elem = number = elem_of(data)
    rank = 1
    while isinstance(number, ListType):
        number, rank = number.elem, rank + 1
    if number not in NUMERIC:
        raise ConversionError(
            f"a list<{elem}> whose length only the Program knows doesn't become a tensor by itself; write stack(xs) or concat(xs)"
        )
    if dtype is None and number != FLOAT:
        raise ConversionError(
            f"to_tensor: this list<{elem}> may be empty when the Program runs, and makes a {get_default_dtype()} tensor then; "
            'give the dtype, to_tensor(xs, dtype="int64")'
        )
    return lookup("list.to_tensor")(data, dtype=dtype or get_default_dtype(), rank=rank)


def _array_from(data: Any, dtype: str | None) -> np.ndarray:
    """A new array; a ragged or non-numeric `data` is a TypeError or ValueError in words."""
    try:
        array = np.array(data)
    except ValueError:
        raise ValueError(f"to_tensor: the nested lists don't form a rectangle: {_ragged(data)}; pad the short ones") from None
    if dtype is None and not isinstance(data, (np.ndarray, np.generic)):
        if array.dtype == np.float64:
            dtype = get_default_dtype()
        elif array.dtype == np.complex128:
            dtype = "complex64"
    if dtype == "bfloat16" and array.dtype == np.uint16 and isinstance(data, np.ndarray):  # what `numpy()` gives of such
        array = array.view(DTYPES["bfloat16"].numpy)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype not in BY_NUMPY and array.dtype.kind in "iufc":
        raise DTypeError(f"to_tensor: there is no dtype for {array.dtype.name}; convert the array first")
    if array.dtype not in BY_NUMPY:
        raise TypeError(f"to_tensor takes numbers, nested lists of them, an array or a Tensor, not {describe(data)}")
    return array if dtype is None else array.astype(DTYPES[dtype].numpy, copy=False)


def _ragged(data: Any) -> str:
    """The first two parts, of lists that lie equally deep, that differ in length or in what they hold."""
    level = list(data)
    while all(isinstance(part, (list, tuple, np.ndarray)) for part in level):
        for part in level:
            if len(part) != len(level[0]):
                return f"one of them holds {len(level[0])} and another {len(part)} items"
        level = [item for part in level for item in part]
    return "a list stands beside a number"


def shape_attr(op: str, shape: Any) -> list:
    """A shape argument (a list of ints, staged ints and 0-d Tensors, one int, a 1-d Tensor) as an attribute."""
    return [_length(op, dim) for dim in int_list(op, shape, "shape")]


def length_attr(op: str, length: Any, what: str) -> Any:
    """The int `length`, staged or not, as an attribute. TypeError: no int; ValueError: a negative one."""
    return _length(op, int_leaf(op, length, what))


def _length(op: str, dim: Any) -> Any:
    if isinstance(dim, int) and dim < 0:
        raise ValueError(f"{op}: a length in a shape can't be negative, but {dim} is")
    return dim


def _spelt(op: str, value: Any) -> Any:
    """A number that is spelt out, such as "-inf"; anything else as it is."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        raise ValueError(f"{op}: fill_value is a number, or a text that spells one, not {value!r}") from None


def _fill_attr(op: str, value: Any, what: str = "fill_value") -> Any:
    if not isinstance(value, Tensor) and scalar_kind(value) is None:
        raise TypeError(f"{op}: {what} must be a number or a 0-d Tensor, not {describe(value)}")
    if scalar_kind(value) == "complex" and dispatch.current_mode().rec is not None:
        raise ConversionError(
            f"{user_loc()}: {op} of the complex {value}, which a Program knows as a tensor only; write zeros(..., 'complex64') + "
            f"{value} instead"
        )
    return plain_scalar(value)


def full(shape: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor [*shape] with `fill_value`, a number, a text that spells one ("-inf"), or a 0-d Tensor, everywhere.

    shape: a list of ints, staged ints and 0-d Tensors, one int, or a 1-d integer Tensor. dtype: where None, bool for a bool,
    complex64 for a complex number, else the default dtype. ValueError: a negative length, a text that spells no number.
    TypeError: a `fill_value` of another kind. ConversionError: a complex one in a static function.

    >>> dy2st.full([2], 7, "int64").tolist()
    [7, 7]
    """
    value = _fill_attr("full", _spelt("full", fill_value))
    if dtype is None:
        kind = scalar_kind(value)
        dtype = _SCALAR_DTYPES[kind] if kind in ("bool", "complex") else get_default_dtype()
    return creation.full(shape=shape_attr("full", shape), fill_value=value, dtype=dtype_name(dtype))


def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor [*shape] of zeros. `shape` as in `full`; dtype: the default dtype where None. ValueError: a negative length.

    >>> dy2st.zeros([2, 3]).shape
    [2, 3]
    """
    check_dtype("zeros", dtype, shape, name)
    return creation.full(shape=shape_attr("zeros", shape), fill_value=0, dtype=dtype_name(dtype or get_default_dtype()))


def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor [*shape] of ones. `shape` as in `full`; dtype: the default dtype where None. ValueError: a negative length.

    >>> dy2st.ones([3], "int64").tolist()
    [1, 1, 1]
    """
    check_dtype("ones", dtype, shape, name)
    return creation.full(shape=shape_attr("ones", shape), fill_value=1, dtype=dtype_name(dtype or get_default_dtype()))


def empty(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor [*shape] whose values don't matter: zeros here, so that every run gives the same.

    `shape` and `dtype` as in `zeros`.
    """
    check_dtype("empty", dtype, shape, name)
    return creation.full(shape=shape_attr("empty", shape), fill_value=0, dtype=dtype_name(dtype or get_default_dtype()))


@tensor_method()
def full_like(x: Tensor, fill_value: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """`fill_value`, a number, its text or a 0-d Tensor, everywhere: the result has the shape of x and `dtype`, that of x if None.

    TypeError: a `fill_value` of another kind. ValueError: a text that spells no number. ConversionError: a complex number in a
    static function.

    >>> dy2st.full_like(dy2st.zeros([2]), 0.5).tolist()
    [0.5, 0.5]
    """
    kind = None if dtype is None else dtype_name(dtype)
    value = _fill_attr("full_like", _spelt("full_like", fill_value))
    return creation.full_like(need_tensor("full_like", x), fill_value=value, dtype=kind)


@tensor_method()
def zeros_like(x: Tensor, dtype: Any = None, name: str | None = None) -> Tensor:
    """Zeros: the result has the shape of x and `dtype`, that of x where None."""
    return creation.zeros_like(need_tensor("zeros_like", x), dtype=None if dtype is None else dtype_name(dtype))


@tensor_method()
def ones_like(x: Tensor, dtype: Any = None, name: str | None = None) -> Tensor:
    """Ones: the result has the shape of x and `dtype`, that of x where None."""
    return full_like(x, 1, dtype)


@tensor_method()
def empty_like(x: Tensor, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor whose values don't matter, zeros here: the result has the shape of x and `dtype`, that of x where None."""
    return zeros_like(x, dtype)


def arange(start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None) -> Tensor:
    """start, start + step, ... up to but not including `end`, as a vector; with one argument, from 0 up to it.

    start, end, step: numbers, staged or not, or 0-d Tensors. dtype: where None, int64 if all three are integers, else the default
    dtype. ValueError: a step of 0. TypeError: no numbers. ConversionError: a complex one in a static function.

    >>> dy2st.arange(1, 7, 2).tolist()
    [1, 3, 5]
    """
    if end is None:
        start, end = 0, start
    parts = [_fill_attr("arange", part, what) for part, what in ((start, "start"), (end, "end"), (step, "step"))]
    if isinstance(parts[2], (int, float)) and parts[2] == 0:
        raise ValueError("arange: step must not be 0")
    if dtype is None:
        kinds = {part.dtype.name if isinstance(part, Tensor) else scalar_kind(part) for part in parts}
        dtype = "int64" if kinds <= {"int", "bool", "int64", "int32"} else get_default_dtype()
    return creation.arange(start=parts[0], end=parts[1], step=parts[2], dtype=dtype_name(dtype))


def linspace(start: Any, stop: Any, num: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """`num` evenly spaced values from `start` to `stop`, both included: a vector [num].

    start, stop, num: numbers, staged or not, or 0-d Tensors. dtype: the default dtype where None. ValueError: `num` below 1.
    TypeError: no numbers. ConversionError: a complex one in a static function.

    >>> dy2st.linspace(0, 1, 5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    parts = [_fill_attr("linspace", part, what) for part, what in ((start, "start"), (stop, "stop"), (num, "num"))]
    if isinstance(parts[2], int) and parts[2] < 1:
        raise ValueError(f"linspace: num must be at least 1, not {parts[2]}")
    return creation.linspace(start=parts[0], stop=parts[1], num=parts[2], dtype=dtype_name(dtype or get_default_dtype()))


def eye(num_rows: Any, num_columns: Any = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """A matrix [num_rows, num_columns] with ones on the diagonal, zeros elsewhere; square where `num_columns` is None.

    dtype: the default dtype where None. ValueError: a negative length.

    >>> dy2st.eye(2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    columns = num_rows if num_columns is None else num_columns
    rows, columns = length_attr("eye", num_rows, "num_rows"), length_attr("eye", columns, "num_columns")
    return creation.eye(num_rows=rows, num_columns=columns, dtype=dtype_name(dtype or get_default_dtype()))


@tensor_method()
def tril(x: Tensor, diagonal: Any = 0, name: str | None = None) -> Tensor:
    """The lower triangle of the matrices x [..., n, m], up to `diagonal` (0 the main one, 1 above it); zeros elsewhere.

    x has any dtype; the result has its shape and dtype.

    >>> dy2st.tril(dy2st.ones([2, 2])).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    return creation.tril(need_tensor("tril", x), diagonal=plain_number(diagonal))


@tensor_method()
def triu(x: Tensor, diagonal: Any = 0, name: str | None = None) -> Tensor:
    """The upper triangle of the matrices x [..., n, m], from `diagonal` (0 the main one, 1 above it) on; zeros elsewhere.

    x has any dtype; the result has its shape and dtype.

    >>> dy2st.triu(dy2st.ones([2, 2]), 1).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    return creation.triu(need_tensor("triu", x), diagonal=plain_number(diagonal))


@tensor_method()
def assign(x: Any, output: Tensor | None = None) -> Tensor:
    """A copy of x (a Tensor, or what `to_tensor` takes), of its shape and dtype, through which gradients flow.

    output: a Tensor that x broadcasts to; the values are written into it, in its dtype, and it is the result. A parameter stays
    one when values without a gradient are written into it.
    """
    source = x if isinstance(x, Tensor) else to_tensor(x)
    if output is None:
        return _assign(source) if isinstance(x, Tensor) else source
    need_tensor("assign", output, "output")
    at_once = isinstance(dispatch.current_mode(), EagerMode)
    with no_grad() if at_once and source.stop_gradient and output.is_leaf else nullcontext():
        assign_(output, to_dtype(source, output.dtype.name))
    return output


@tensor_method()
def clone(x: Tensor, name: str | None = None) -> Tensor:
    """A copy of x, of its shape and dtype, through which gradients flow."""
    return _assign(need_tensor("clone", x))


@tensor_method()
def fill_(x: Tensor, value: Any) -> Tensor:
    """Write `value`, a number or a 0-d Tensor, everywhere into x, which keeps shape and dtype and is returned.

    TypeError: a value of another kind. ConversionError: a complex number in a static function.
    """
    creation.fill_(need_tensor("fill_", x), fill_value=_fill_attr("fill_", value, "value"))
    return x


@tensor_method()
def zero_(x: Tensor) -> Tensor:
    """Write 0 everywhere into x, which keeps shape and dtype and is returned."""
    return fill_(x, 0)


@tensor_method()
def set_value(x: Tensor, value: Any) -> None:
    """Write `value` into x, which keeps its memory, shape and dtype and stays what it is on the tape.

    value: an array, a Tensor or nested lists of the shape of x, or a number. ValueError: another shape. TypeError: another kind.
    """
    source = value if isinstance(value, Tensor) else Tensor(np.asarray(value))
    if not isinstance(value, (Tensor, np.ndarray, np.generic, int, float, list, tuple)):
        raise TypeError(f"set_value takes an array, a Tensor or a number, not {describe(value)}")
    if known_rank("set_value", source) > 0:
        source = of_shape("set_value", source, x, "a tensor keeps its shape")
    with no_grad():
        assign_(x, to_dtype(source, x.dtype.name))


def one_hot(x: Tensor, num_classes: Any = -1, name: str | None = None) -> Tensor:
    """For x [...] of integer classes, a tensor [..., num_classes] of the default dtype: 1.0 at the class and 0.0 elsewhere.

    num_classes: an int; -1 stands for the largest class + 1. A class out of range has no 1.0. DTypeError: x isn't integer.

    >>> dy2st.nn.functional.one_hot(dy2st.to_tensor([0, 2]), 3).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    if not need_tensor("one_hot", x).dtype.is_integer:
        raise DTypeError(f"one_hot takes integer classes, not {x.dtype.name}")
    return creation.one_hot(x, num_classes=plain_scalar(num_classes), dtype=get_default_dtype())
