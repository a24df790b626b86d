"""Errors of torch's functions are torch's own: while staging, each call is made of torch, too, on tensors of zeros.

A call that torch refuses for its shapes, dtypes or arguments is refused in torch's words, whatever a row of the table would make
of it. What only the elements decide, operators raise when the Program runs (`ops.torch_errors`).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable
from math import prod
from typing import Any

from ..errors import ConversionError
from ..ops.dispatch import entered, recorder_of_mode
from ..ops.torch_errors import LINALG_ERROR, in_torch, kind_of
from ..runtime.convert.operations.operators import BINARY
from ..runtime.engine.exceptions import of_torch
from ..runtime.proxies import Staged
from ..runtime.tensors.eager import EAGER
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.profiling import unwatched
from .dtypes import of_name
from .face import Face, Size
from .packages import torch
from .values import leaves, mapped

_FEW, _MANY = 1 << 16, 1 << 24  # elements: a call of few costs no time; one of many isn't made, only one without memory
_OPEN = 2  # stands for a length that only the Program knows
_PLAIN = (bool, int, float, complex, str, type(None))
_KEPT = 10_000
_fine: set[Hashable] = set()  # calls that torch takes


def refuse_as_torch_does(function: Any, args: tuple, kwargs: dict) -> None:
    """Raise what torch raises for a call of one of its functions, unless only the elements of its tensors decide that."""
    with torch()._C.DisableTorchFunction():
        told = _raised(function, _plain(args), _plain(kwargs))
    if told is not None:
        raise told


def _raised(function: Any, args: tuple, kwargs: dict) -> Exception | None:
    given = leaves((args, kwargs))
    if any(isinstance(x, Staged) or _is_odd(x) for x in given):
        return None
    if _weight(given) > _MANY or (key := _key(function, args, kwargs)) in _fine:
        return None
    if _is_safe(given):
        told = _of_any_elements(function, args, kwargs, _weight(given) <= _FEW)
    else:
        told = _made(function, args, kwargs, "meta")
    if isinstance(told, Exception) and (_is_known(given) or _is_of_kinds(told)):
        return told
    if key is not None and len(_fine) < _KEPT:
        _fine.add(key)
    return None


def torchs(function: Any, args: tuple, kwargs: dict, error: Exception) -> Exception:
    """What torch raises for a call whose row in the table has raised `error`.

    Where torch raises nothing, that is refused. Where only the Program knows all of the call, the error has torch's class.
    """
    args, kwargs = _plain(args), _plain(kwargs)
    given = leaves((args, kwargs))
    with torch()._C.DisableTorchFunction():
        is_staged = any(isinstance(x, Staged) or _is_odd(x) for x in given)
        is_known = not is_staged and _is_known(given)
        is_made = _is_safe(given) and _weight(given) <= _MANY
        told = None if is_staged else _made(function, args, kwargs, "cpu" if is_made else "meta")
    if isinstance(told, Exception):
        return told
    if not is_known and (kind := kind_of(error)):
        return of_torch(error, in_torch("", {}, True, kind))
    if not is_known and isinstance(error, RuntimeError):
        return error
    return ConversionError(f"{recorder_of_mode().here()}: torch takes this, and dy2st can't: {error}")


def _of_any_elements(function: Any, args: tuple, kwargs: dict, is_small: bool) -> Exception | None:
    """What torch raises whatever the elements are: without memory, and of zeros, as far as the results are small, too."""
    apart = _made(function, args, kwargs, "meta")
    if isinstance(apart, NotImplementedError) and not is_small:
        return None
    if not isinstance(apart, Exception) and not (is_small and sum(map(_count, leaves(apart))) <= _FEW):
        return None
    told = _made(function, args, kwargs, "cpu")
    if not isinstance(told, Exception):
        return None
    is_of_dtypes = isinstance(told, NotImplementedError) and "not implemented for" in str(told)
    return told if is_of_dtypes or _are_same(apart, told) or _is_always(told, function, args, kwargs) else None


def _is_always(told: Exception, function: Any, args: tuple, kwargs: dict) -> bool:
    """Whether torch raises the same of ones and of other numbers. Of integers and matrices, few are ones that it takes."""
    tensors = [x for x in leaves((args, kwargs)) if _is_tensor(x)]
    if not all(x.dtype.is_floating_point or x.dtype.is_complex for x in tensors) or type(told).__name__ == LINALG_ERROR:
        return False
    return all(_are_same(_made(function, args, kwargs, "cpu", fill), told) for fill in (_ones, _steps))


def _are_same(found: Any, told: Exception) -> bool:
    return type(found) is type(told) and str(found) == str(told)


def _zeros(tensor: Any) -> None:
    """0 everywhere; 1 where these may be LAPACK's pivots, which count from 1."""
    tensor.fill_(tensor.dtype == torch().int32)


def _ones(tensor: Any) -> None:
    tensor.fill_(1)


def _steps(tensor: Any) -> None:
    """The unit matrix; 0, 1, 2, ... along a single axis."""
    if tensor.ndim > 1:
        tensor.diagonal(0, -2, -1).fill_(1)
    else:
        tensor.copy_(torch().arange(tensor.numel()).reshape(tensor.shape))


@unwatched
def _made(function: Any, args: tuple, kwargs: dict, device: str, fill: Callable = _zeros) -> Any:
    """What torch gives for such a call, on stand-ins; or the exception that it raises. It is no part of what is staged."""
    def stand_in(value: Any) -> Any:
        return _stand_in(value, device, fill)

    with entered(EAGER), torch().enable_grad(), torch().random.fork_rng([]), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = function(*mapped(stand_in, args), **mapped(stand_in, kwargs))
            return _unsupported(function, args) if found is NotImplemented else found
        except AssertionError:  # tells of the machine
            return None
        except Exception as error:
            return error.with_traceback(None)


def _unsupported(function: Any, args: tuple) -> Exception:
    """What Python says of an operator that torch leaves to the other operand, which isn't a number or tensor."""
    signs = {f"__{operation.__name__.strip('_')}__": sign for sign, operation in BINARY.items()}
    kinds = [f"'{'Tensor' if _is_tensor(x) else type(x).__name__}'" for x in args]
    name = function.__name__
    if name not in signs:  # __radd__
        name, kinds = f"__{name[3:]}", kinds[::-1]
    return TypeError(f"unsupported operand type(s) for {signs.get(name, name)}: {' and '.join(kinds)}")


def _stand_in(value: Any, device: str, fill: Callable) -> Any:
    """A tensor of zeros, filled, for a placeholder and for a real one."""
    if isinstance(value, torch().Tensor) and type(value) is not Face:
        made = torch().zeros(value.shape, dtype=value.dtype, device=device)
        fill(made)
        return made.requires_grad_(value.requires_grad).clone()
    if type(value) is not Face:
        return value
    lengths = [_OPEN if length is None else length for length in _lengths(value)]
    made = torch().zeros(lengths, dtype=of_name(value.type.dtype), device=device)
    fill(made)
    return made.requires_grad_(not value.stop_gradient and (made.is_floating_point() or made.is_complex())).clone()


def _plain(tree: Any) -> Any:
    """A structure in which each shape is a tuple, whose lengths are leaves."""
    return mapped(lambda x: tuple(x) if isinstance(x, Size) else x, tree)


def _weight(given: list) -> int:
    """How many elements a call has at least, or asks for."""
    tensors = [_lengths(x) for x in given if _is_tensor(x)]
    asked = [x for x in given if type(x) is int and x > 1] if not tensors else []
    return sum(prod(_OPEN if length is None else length for length in lengths) for lengths in tensors) + prod(asked)


def _is_known(given: list) -> bool:
    """Whether all lengths are known while staging."""
    return not any(_is_tensor(x) and None in _lengths(x) for x in given)


def _is_safe(given: list) -> bool:
    """Whether a call may be made in memory: some functions of torch's don't check that lengths fit, and write beyond them."""
    return _is_known(given) or sum(map(_is_tensor, given)) == 1


def _is_of_kinds(error: Exception) -> bool:
    """Whether an exception tells of arguments, dtypes or the number of axes, and not of lengths."""
    is_of_dtypes = isinstance(error, NotImplementedError) and "not implemented for" in str(error)
    return is_of_dtypes or isinstance(error, TypeError) or str(error).startswith("Dimension out of range")


def _is_odd(value: Any) -> bool:
    """Whether nothing can stand for an argument: a function, a generator of random numbers, a tensor that isn't dense."""
    if isinstance(value, torch().Generator) or (callable(value) and not isinstance(value, Tensor | torch().Tensor | type)):
        return True
    return _is_tensor(value) and type(value) is not Face and (value.layout is not torch().strided or value.is_quantized)


def _count(value: Any) -> int:
    return value.numel() if _is_tensor(value) else 0


def _is_tensor(value: Any) -> bool:
    return isinstance(value, torch().Tensor)


def _lengths(x: Any) -> list[int | None]:
    shape = x.static_shape if type(x) is Face else x.shape
    return [None] if shape is None else [length if type(length) is int else None for length in shape]


def _key(function: Any, args: tuple, kwargs: dict) -> Hashable:
    """What tells a call from others; None where its arguments don't."""
    def of(value: Any) -> Any:
        if _is_tensor(value):
            dtype = value.type.dtype if type(value) is Face else value.dtype
            return f"{_lengths(value)} {dtype} {value.requires_grad}"
        return f"{type(value)} {value!r}" if type(value) in (*_PLAIN, torch().dtype) else None

    found = mapped(of, (args, kwargs))
    return None if None in leaves(found) else (function, repr(found))
