"""Which exceptions torch raises where operators on tensors raise those of dy2st: in Programs whose `errors` is "torch".

Shapes, and most else, are a RuntimeError there; a place beyond a tensor is an IndexError, except in a few functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import DTypeError, Dy2stError, ShapeError
from ..ir.core import Operation
from ..ir.types import TensorType

LINALG_ERROR = "_LinAlgError"  # as torch.linalg.LinAlgError calls itself

_OF_LISTS = ("list.stack", "list.concat_tensors")
_DECOMPOSING = ("inverse", "solve", "cholesky", "svd", "svdvals", "eigh", "eigvalsh")
_REDUCING = ("max", "min", "amax", "amin")  # over no elements: of all axes, or of one
_ARG = ("argmax", "argmin")
_SCATTERING = ("take_along_axis", "put_along_axis", "index_add")
_AS_THEY_ARE = ("demand", "py.item")  # float(x) of many elements raises a ValueError there, too
_TRUTH = ("The truth value of a", "bool(x) takes")  # wherever it is asked for: of many elements, a RuntimeError
_TURNED = (ShapeError, DTypeError, IndexError, ValueError, OverflowError, TypeError)


def in_torch(operator: str, attrs: Mapping[str, Any], takes_tensors: bool, name: str) -> str:
    """The class of the exception that torch raises where an operator raises the one called `name`."""
    if not _is_of_tensors(operator, takes_tensors) or operator in _AS_THEY_ARE:
        return name
    if name == "ValueError" and (operator in _ARG or (operator in _REDUCING and attrs.get("axis") is not None)):
        return "IndexError"
    if name == "ValueError" and operator in _DECOMPOSING:
        return LINALG_ERROR
    if name == "IndexError" and operator not in _SCATTERING:
        return name
    return "RuntimeError"


def of_operation(op: Operation, name: str) -> str:
    """The same for an Operation."""
    return in_torch(op.name, op.attrs, any(isinstance(value.type, TensorType) for value in op.operands), name)


def kind_of(error: BaseException) -> str:
    """The name of the class in question; "" where an exception is none that has another class in torch."""
    if isinstance(error, Dy2stError) and not isinstance(error, ShapeError | DTypeError):
        return ""
    return next((cls.__name__ for cls in _TURNED if isinstance(error, cls)), "")


def is_of_truth(error: Exception) -> bool:
    """Whether an exception is what NumPy or a kernel says of the truth of a tensor that hasn't one element."""
    return isinstance(error, ValueError) and str(error).startswith(_TRUTH)


def _is_of_tensors(operator: str, takes_tensors: bool) -> bool:
    family = operator.rpartition(".")[0]
    return takes_tensors if family == "py" else not family or operator in _OF_LISTS
