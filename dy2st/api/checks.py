"""Argument checks and dtype promotion of the public functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from ..dtypes import BY_NUMPY, DTYPES, FLOWING, DType, get_default_dtype, has_gradient, promote
from ..errors import ConversionError, DTypeError, ShapeError
from ..ir.types import NUMERIC, ScalarType
from ..ops import dispatch
from ..ops.cast import cast
from ..ops.rules import need_real
from ..runtime.proxies import PYTHON_CLASS, Staged, StagedContainer, as_own
from ..runtime.recorder.recorder import user_loc
from ..runtime.tensors.tensor import Tensor
from ..runtime.tensors.unfit import UnfitArgumentError, described

_array = np.ndarray
AXES = ("int", "bool", "number")  # kinds of scalars that may be an axis
NUMBERS = {int, float}  # what leaves the dtype of a floating tensor as it is


def need_tensor(op: str, x: Any, what: str = "x") -> Tensor:
    """`x`, which must be a Tensor; TypeError otherwise."""
    if isinstance(x, Tensor):
        return x
    cure = f"; write to_tensor({what})" if isinstance(x, (_array, list)) else ""
    found = x.stands_for.__name__ if isinstance(x, StagedContainer) else describe(x)
    raise TypeError(f"{op}: {what} must be a Tensor, not {found}{cure}")


def check_state(op: str, state: Any) -> None:
    """TypeError where a state dict is none, but for example the path of its file."""
    if not isinstance(state, Mapping):
        is_path = isinstance(state, str | PathLike)
        cure = f"write {op}(paddle.load({state!r}))" if is_path else "give it what state_dict() of another object gives"
        raise TypeError(f"{op} takes a dict of names and Tensors, not {describe(state)}; {cure}")


def known_rank(op: str, x: Tensor) -> int:
    """The number of axes of `x`; ConversionError where only the Program knows it."""
    rank = need_tensor(op, x).type.rank
    if rank is None:
        raise ConversionError(
            f"{op} takes a tensor whose number of axes is known while staging; give an InputSpec, or reshape it to known lengths"
        )
    return rank


def listed_or_each(args: tuple) -> Sequence[Any]:
    """Arguments that may come one by one or as one list. ConversionError: a container whose length only the Program knows."""
    first = args[0] if len(args) == 1 else args
    _refuse_unknown_length(first)
    return first if isinstance(first, (list, tuple)) else args


def _refuse_unknown_length(x: Any) -> None:
    if isinstance(x, StagedContainer):
        raise ConversionError(
            f"how many items this {x.stands_for.__name__} holds is known only when the Program runs, and has to be known while "
            "staging; write them one by one, [a, b], or stack them as one tensor"
        )


def describe(x: Any) -> str:
    """An argument for an error message: its type, and its value where that is known and short.

    ConversionError: a container whose items only the Program knows; plain Python might take it.
    """
    _refuse_unknown_length(x)
    if isinstance(x, Staged):
        return PYTHON_CLASS.get(type(x), getattr(x, "stands_for", type(x))).__name__
    module = type(x).__module__.partition(".")[0]
    if type(x).__name__ in ("Tensor", "Parameter", "Variable") and not isinstance(x, Tensor):
        return f"{module}.{type(x).__name__} of another library; write to_tensor(x.numpy())"
    return described(x)


def scalar_kind(x: Any) -> str | None:
    """bool, int, float, complex or number for a Python or NumPy scalar, staged or not; None for anything else."""
    kind = type(x)
    if kind in (bool, int, float, complex):
        return kind.__name__
    if isinstance(x, np.generic):
        return {"b": "bool", "i": "int", "u": "int", "f": "float", "V": "float", "c": "complex"}.get(x.dtype.kind)
    staged = getattr(x, "_type", None)
    if isinstance(staged, ScalarType):
        return staged.name if staged in NUMERIC else None
    for base in (bool, int, float, complex):
        if isinstance(x, base):
            return base.__name__
    return None


def plain_scalar(x: Any) -> Any:
    """A NumPy scalar, or a member of an IntEnum, as the Python scalar that has no influence on dtypes."""
    return x.item() if isinstance(x, np.generic) else as_own(x)


def plain_number(x: Any) -> Any:
    """`plain_scalar` of what a Program keeps as a number.

    TypeError: a list or a text, in words that name the argument of the function that the user has called.
    """
    if isinstance(x, list | tuple | str):
        error = UnfitArgumentError(f"this takes a number, not {described(x)}")
        error.value = x
        raise error
    return plain_scalar(x)


def as_operand(number: Any, dtype: str) -> Any:
    """A number beside a tensor of `dtype`. A Program knows no complex number but as a 0-d tensor."""
    if scalar_kind(number) == "complex" and dispatch.current_mode().rec is not None:
        return Tensor(np.asarray(number, dtype))
    return plain_scalar(number)


def to_dtype(x: Tensor, dtype: str) -> Tensor:
    """`x` in `dtype`: itself, or a cast."""
    return x if x.dtype.name == dtype else cast(x, dtype=dtype)


def undecided() -> ConversionError:
    """The refusal of a number whose class follows the path, where that decides a dtype and nobody has split it."""
    return ConversionError(
        f"{user_loc()}: a number that is an int on one path and a float on another decides the dtype of a tensor here; write "
        "float(k) or int(k)"
    )


def dtypewith_scalar(dtype: DType, kind: str) -> str:
    """The dtype in which a tensor of `dtype` meets a Python scalar of `kind`."""
    if kind == "number" and not has_gradient(dtype.name):
        raise undecided()
    if kind == "float" and not has_gradient(dtype.name):
        return get_default_dtype()
    if kind == "int" and dtype.name == "bool":
        return "int64"
    if kind == "complex" and not dtype.is_complex:
        return "complex128" if dtype.name == "float64" else "complex64"
    return dtype.name


def kind_of(dtype: DType) -> str:
    """NumPy's letter for its kind; that of other fractions for bfloat16."""
    return "f" if dtype.is_floating else dtype.numpy.kind


def floating_dtype(dtype: str) -> str:
    """`dtype` where it has fractions, else the default dtype."""
    return dtype if DTYPES[dtype].is_floating or DTYPES[dtype].is_complex else get_default_dtype()


def floating(op: str, x: Any) -> Tensor:
    """The Tensor `x`, integers and booleans cast to the default dtype."""
    need_tensor(op, x)
    if type(x._data) is _array and x._data.dtype.kind in FLOWING:
        return x
    return to_dtype(x, floating_dtype(x.dtype.name))


def real_floating(op: str, x: Any) -> Tensor:
    """The same, not of complex numbers: DTypeError."""
    return need_real(op, floating(op, x))


def operands(op: str, x: Any, y: Any, fractions: bool = False, weak: bool = False) -> tuple:
    """Two operands of an element-wise operator in one dtype: both Tensors, or one of them a Python scalar.

    With `fractions`, integers become the default dtype (division); with `weak`, a scalar leaves the tensor as it is (comparison).
    """
    if isinstance(x, Tensor) and isinstance(y, Tensor):
        a, b = x._data, y._data
        if type(a) is _array and type(b) is _array and a.dtype is b.dtype and not (fractions and a.dtype.kind not in FLOWING):
            return x, y
        common = promote(x.dtype.name, y.dtype.name)
        if fractions:
            common = floating_dtype(common)
        return to_dtype(x, common), to_dtype(y, common)
    if isinstance(x, Tensor):
        return with_scalar(op, x, y, fractions, weak)
    if isinstance(y, Tensor):
        y, x = with_scalar(op, y, x, fractions, weak)
        return x, y
    raise TypeError(f"{op} takes at least one Tensor, not {describe(x)} and {describe(y)}")


def with_scalar(op: str, x: Tensor, y: Any, fractions: bool, weak: bool) -> tuple:
    """The same of a Tensor and what isn't one."""
    if type(y) in NUMBERS and x.dtype.is_floating:
        return x, y
    kind = scalar_kind(y)
    if kind is None:
        if isinstance(y, _array) and y.dtype in BY_NUMPY:
            return operands(op, x, Tensor(y), fractions, weak)
        raise TypeError(f"{op} takes a Tensor or a number, not {describe(y)}")
    if weak and kind != "complex":
        return x, plain_scalar(y)
    common = dtypewith_scalar(x.dtype, kind)
    if fractions:
        common = floating_dtype(common)
    return to_dtype(x, common), as_operand(y, common)


def in_place_value(op: str, x: Any, y: Any) -> Any:
    """The second operand of an in-place operator: a scalar, or a Tensor cast to the dtype of `x` where that loses no kind."""
    need_tensor(op, x)
    kind = None if isinstance(y, Tensor) else scalar_kind(y)
    if kind is None:
        y = need_tensor(op, Tensor(y) if isinstance(y, _array) else y, "y")
    common = promote(x.dtype.name, y.dtype.name) if kind is None else dtypewith_scalar(x.dtype, kind)
    if kind_of(DTYPES[common]) != kind_of(x.dtype):
        given = y.dtype.name if kind is None else f"Python {kind}"
        raise DTypeError(f"{op} can't write {given} values into a {x.dtype.name} tensor; cast the tensor first")
    return as_operand(y, x.dtype.name) if kind is not None else to_dtype(y, x.dtype.name)


def refuse_positional_out(op: str, out: Any) -> None:
    """TypeError for an `out` that comes by its place: by its name it never gets here (`api/out.py`)."""
    if out is not None:
        raise TypeError(f"{op} takes out by name: out={describe(out)}")


def check_axis(op: str, x: Tensor, axis: Any, what: str = "axis") -> None:
    """ShapeError where the int `axis`, or one of them, is out of range for `x`; TypeError where it isn't an int."""
    rank = x.type.rank
    for one in axis if isinstance(axis, (tuple, list)) else (axis,):
        if isinstance(one, Tensor) or scalar_kind(one) not in AXES:
            raise TypeError(f"{op}: {what} must be an int or a list of ints, not {describe(axis)}")
        if rank is not None and isinstance(one, (int, np.integer)) and not -rank <= one < max(rank, 1):
            raise ShapeError(f"{op}: {what} {one} is out of range for a tensor of rank {rank}")


def axes_of(op: str, x: Tensor, axis: Any) -> Any:
    """The attribute for an `axis` argument: None (all axes), an int, or a tuple of ints."""
    if axis is None or (isinstance(axis, (tuple, list)) and len(axis) == 0):
        return None
    if isinstance(axis, Tensor) and axis.dtype.is_integer:
        axis = [int(a) for a in np.atleast_1d(axis._array(f"{op}(axis=Tensor)"))]
    check_axis(op, x, axis)
    if isinstance(axis, (tuple, list)):
        return tuple(plain_scalar(a) for a in axis) if len(axis) > 1 else plain_scalar(axis[0])
    return plain_scalar(axis)
