"""The tensors that PyTorch's gradient formulas read, for rows that compute otherwise: a later write to one is an error, as there.

A row may cast an index before it reads it, or compute its gradient beside the value. Then nothing of the Program's own gradient
reads the tensor that the user has given. `saving` adds such tensors to the result's gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any

from ...ops.registry import lookup
from ...runtime.tensors.tensor import Tensor
from ..dtypes import kind_of

_BY_NAME = {
    "input": """
        celu clamp clamp_max clamp_min clip copysign cummax cummin digamma erf erfc erfinv hardshrink hardsigmoid hardswish
        hardtanh lgamma logit logsigmoid nan_to_num norm prod relu6 sinc softshrink std threshold var
    """,
    "input other": "arctan2 atan2 dist igamma logaddexp maximum minimum xlogy",
    "input exponent": "pow __pow__ __rpow__ __ipow__",
    "input target": "binary_cross_entropy binary_cross_entropy_with_logits huber_loss mse_loss smooth_l1_loss",
    "target weight": "nll_loss",
    "weight": "lerp",
    "index": "gather index_add index_copy index_fill index_reduce index_select scatter scatter_add scatter_reduce",
    "src": "scatter_reduce",
    "source": "index_reduce",
    "mask": "masked_scatter",
    "min max": "clamp clip clamp_min clamp_max",
    "input grid": "grid_sample",
    "input offsets": "embedding_bag",
}
_FOR_ITS_OWN = {
    "addcdiv": "tensor1",
    "fmod": "other",
    "hypot": "other",
    "index_add": "source",
    "index_copy": "source",
    "put": "source",
    "remainder": "other",
}  # the operand that is read where its own gradient is asked for
_RESULTS = frozenset("copysign hypot index_reduce norm prod std".split())
_WHOLE = frozenset("mul multiply __mul__ __rmul__ __imul__ div divide true_divide __truediv__".split())  # integers are cast
_SAVING_RESULTS = frozenset(
    """
    celu copysign cumprod elu exp exp2 expm1 float_power hypot index_reduce ldexp leaky_relu logcumsumexp reciprocal relu rrelu
    rsqrt scatter_reduce selu sgn sigmoid sqrt tan tanh
    """.split()
)  # functions of which the one in place saves its result


def saves_result(name: str, operands: Iterable[Any]) -> bool:
    """Whether the gradient of the function in place, called with these operands besides the tensor, needs its result."""
    return name in _SAVING_RESULTS or (name == "pow" and any(isinstance(x, Tensor) for x in operands))


def _parameters() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for parameters, names in _BY_NAME.items():
        for name in names.split():
            found.setdefault(name, set()).update(parameters.split())
    return found


_PARAMETERS = _parameters()


def saving(name: str, function: Callable) -> Callable:
    """The function `name` of PyTorch's, whose gradient needs what it needs there; `function`, where that is so anyway."""
    if not (name in _PARAMETERS or name in _WHOLE or name in _FOR_ITS_OWN):
        return function
    known, wanted = signature(function), _PARAMETERS.get(name, ())

    @wraps(function)
    def compute(*args: Any, **kwargs: Any) -> Any:
        found = function(*args, **kwargs)
        given = known.bind(*args, **kwargs).arguments
        tensors = {key: x for key, x in given.items() if isinstance(x, Tensor)}
        read = [x for key, x in tensors.items() if key in wanted or (name in _WHOLE and kind_of(x.type.dtype) in ("bool", "int"))]
        more = [x for key, x in tensors.items() if key == _FOR_ITS_OWN.get(name)]
        first, *rest = found if isinstance(found, tuple) else (found,)
        is_new = isinstance(first, Tensor) and all(first is not x for x in tensors.values())
        if not (read or more) or not is_new or kind_of(first.type.dtype) not in ("float", "complex"):
            return found
        first = lookup("saving")(first, *read, *more, always=len(read), result=name in _RESULTS)
        return _like(found, first, *rest) if isinstance(found, tuple) else first

    return compute


def _like(found: tuple, *items: Any) -> tuple:
    """A tuple of other items, of the same class."""
    return type(found)(*items) if hasattr(found, "_fields") else items
