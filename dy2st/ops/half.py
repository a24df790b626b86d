"""float16 and bfloat16 are dtypes to keep values in: operators compute in float32, and their results are rounded once.

A sum in half precision stops growing at 2048 (float16) or 256 (bfloat16), and a square overflows at 256 in float16. So an
operator is written out as casts to float32, the operator, and a cast back, at once as in a Program. Every engine computes that
as it is, and gradients are taken of it.

Two kinds of operators take half precision as it is. Those that move values (views, indexing, copies, casts) do no arithmetic.
Those that round once (a product, a comparison) give the same in NumPy's float16, and so do their gradients.

A function that is composed of several operators rounds once, too, where `in_float32` is around it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ..dtypes import DTYPES
from .cast import assign_, cast
from .registry import OpDef

WIDE = "float32"
MOVES = frozenset((
    "cast copy_ assign assign_value where full_like zeros_like fill getitem_copy getitem_advanced gather concat stack tile flip "
    "roll repeat_interleave setitem setitem_copy broadcast_like shape numel embedding gradient_check gradient_hook "
    "custom_gradient demand with_slope reshape_copy flatten_copy squeeze_copy unsqueeze_copy expect_copy transpose_copy "
    "broadcast_to_copy detach_copy checkpoint_copy reshape_scatter transpose_scatter detach_scatter diagonal_copy "
    "diagonal_scatter"
).split())  # fmt: skip
# Those of LAPACK are among them: they refuse float16, as in NumPy, Paddle and PyTorch.
ROUNDED_ONCE = frozenset((
    "equal not_equal less_than less_equal greater_than greater_equal logical_and logical_or logical_xor logical_not isnan isinf "
    "isfinite real imag conj clip clip_ exp log sqrt floor ceil trunc round sign abs exp_ sqrt_ floor_ ceil_ round_ abs_ "
    "neg neg_ maximum minimum fmax fmin nextafter signbit frexp relu relu_ full_like_ eye tril triu tril_ triu_ one_hot "
    "uniform_like normal_like uniform_like_ normal_like_ bernoulli dropout_mask take_along_axis nonzero unique searchsorted sort "
    "topk max min argmax argmin all any cummax cummin pad max_pool2d_indices as_strided_copy as_strided_scatter windows_copy "
    "windows_scatter add subtract multiply add_ subtract_ multiply_ "
    "inverse solve det slogdet cholesky qr geqrf svd svdvals eigh eigvalsh eig lu"
).split())  # fmt: skip
_NARROW = ("float16", "bfloat16")


def is_widened(definition: OpDef) -> bool:
    """Whether an operator computes in float32 for operands of float16; for those of bfloat16 more do."""
    return _takes_part(definition) and definition.name not in ROUNDED_ONCE


def _takes_part(definition: OpDef) -> bool:
    return definition.view is None and definition.name not in MOVES and "." not in definition.name


def narrow_dtype(x: Any) -> str | None:
    """float16 or bfloat16, where a tensor is of that dtype."""
    name = _dtype(x)
    return name if name in _NARROW else None


def widened(definition: OpDef, operands: tuple, attrs: dict[str, Any], bind: Callable[..., Any]) -> Any:
    """Bind an operator whose operands may be of float16 or bfloat16, in float32 where its arithmetic takes more.

    The result is of that dtype again, unless the operator is told another or some operand has more bits.
    """
    dtypes = [narrow_dtype(x) for x in operands]
    narrow = next(filter(None, dtypes), None)
    is_exact = definition.name in ROUNDED_ONCE and "bfloat16" not in dtypes
    if narrow is None or is_exact or not _takes_part(definition):
        return bind(definition, operands, attrs)
    computed = [i for i, dtype in enumerate(dtypes) if dtype and i not in definition.shape_only] or [dtypes.index(narrow)]
    wide = tuple(cast(x, dtype=WIDE) if i in computed else x for i, x in enumerate(operands))
    result = bind(definition, wide, attrs)
    for i in definition.mutates:
        if i in computed:
            assign_(operands[i], cast(wide[i], dtype=dtypes[i]))
    if definition.mutates:
        return operands[definition.mutates[0]] if result is wide[definition.mutates[0]] else result
    if "dtype" in attrs or _stays_wide(definition, operands, dtypes, result):
        return result
    narrow = dtypes[0] or narrow
    return tuple(_narrowed(x, narrow) for x in result) if isinstance(result, tuple) else _narrowed(result, narrow)


def _stays_wide(definition: OpDef, operands: tuple, dtypes: list[str | None], result: Any) -> bool:
    """Whether the result is of an operand's dtype of more bits: of one result that isn't the first operand's."""
    mixed = any(_dtype(x) in (WIDE, "float64") for i, x in enumerate(operands) if i not in definition.shape_only)
    return mixed and (dtypes[0] is None or isinstance(result, tuple))


def _dtype(x: Any) -> str | None:
    """The name of the dtype of a tensor, else None; of a staged object nothing is asked: that would be recorded."""
    if not _is_tensor(x):
        return None
    return getattr(x.dtype, "name", None) or x.type.dtype  # of a placeholder of PyTorch code it is one of torch's


def _is_tensor(x: Any) -> bool:
    return isinstance(getattr(type(x), "static_shape", None), property)


def _narrowed(x: Any, dtype: str) -> Any:
    return cast(x, dtype=dtype) if _dtype(x) == WIDE else x


def wide(x: Any) -> Any:
    """A tensor in float32, where it is of float16 or bfloat16; anything else is itself."""
    return cast(x, dtype=WIDE) if narrow_dtype(x) else x


def in_float32(function: Callable) -> Callable:
    """A function composed of operators, which rounds once: it computes in float32, and its results have the arguments' dtype.

    Tensors among its arguments, and in lists and tuples of these, are cast where they are of float16 or bfloat16. So it writes
    into none of them. Results of float32 are cast back where the first tensor was, but for those of a `dtype` that was asked for.
    """

    @wraps(function)
    def computed(*args: Any, **kwargs: Any) -> Any:
        dtypes: list[str] = []

        def noted(x: Any) -> Any:
            name = _dtype(x)
            if name is not None and DTYPES[name].is_floating:
                dtypes.append(name)
            return wide(x)

        given = [_mapped(noted, x) for x in args], {name: _mapped(noted, x) for name, x in kwargs.items()}
        if kwargs.get("dtype") is not None or not any(name in _NARROW for name in dtypes):
            return function(*args, **kwargs)
        result = function(*given[0], **given[1])
        return _mapped(lambda x: _narrowed(x, dtypes[0]), result) if dtypes[0] in _NARROW else result

    computed.__dy2st_wide__ = True  # type: ignore[attr-defined]
    return computed


def _mapped(change: Callable[[Any], Any], value: Any) -> Any:
    """`change(value)`, or a list or tuple with `change(part)` for each of its parts."""
    if isinstance(value, tuple | list):
        parts = [change(x) for x in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return change(value)
