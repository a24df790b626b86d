"""Errors of torch's functions are torch's own: while staging, each call is made of torch, too, on tensors of zeros.

A call that torch refuses for its shapes, dtypes or arguments is refused in torch's words, whatever a row of the table would make
of it. What only the elements decide, operators raise when the Program runs (`ops.torch_errors`).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count, islice, product
from math import prod
from types import MappingProxyType
from typing import Any, NamedTuple

from ..dtypes import has_gradient
from ..errors import ConversionError
from ..ops.dispatch import entered, recorder_of_mode
from ..ops.registry import lookup
from ..ops.torch_errors import LINALG_ERROR, in_torch, kind_of
from ..runtime.convert.operations.asked_flags import flows_through
from ..runtime.convert.operations.operators import BINARY
from ..runtime.engine.exceptions import of_torch
from ..runtime.proxies import Staged, StagedScalar
from ..runtime.tensors.eager import EAGER
from ..runtime.tensors.grad_mode import is_grad_enabled
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.profiling import unwatched
from .dtypes import of_name
from .face import Face, Size
from .packages import torch
from .values import TOLD_BY_TEXT, leaves, mapped

_FEW, _MANY = 1 << 16, 1 << 24  # elements: a call of few costs no time; one of many isn't made, only one without memory
_OPEN = 2  # the first stand-in for a dynamic dimension; then those of the other operands, 3 and 1
_TRIES, _WIDE = 64, 64  # of lengths; the largest of these
_JUDGED = 8  # of the lengths, for which other dtypes are tried
_NUMBERS: dict[str, Callable] = {"int": int, "float": float, "bool": bool}  # stand-ins for those of the Program
_OF_LENGTHS = re.compile(
    "^shape '|^The size of tensor|^The expanded size|shapes cannot be multiplied|^The shape of the mask|"
    "sequences of bin edges|should contain [0-9]+ elements|a vector of size"
)
_OF_ELEMENTS = re.compile(r"ZeroDivisionError|Expected all rows of lengths|offsets\[0\] has to be 0")
_OF_AXES = re.compile(
    r"^Dimension out of range|\dD|\d-[Dd]|\d dims|[Dd]imensional|number of (spatial )?dim|dim\(\)(?!-)|a vector|"
    r"a scalar|a 2-tuple|required rank|dimension should be|\d (or more )?dimensions"
)
_OF_GRADIENTS = re.compile(
    "is a view and (is being|its base)|is a view of a view which|^A view was created in|don't support automatic differentiation"
)
_OF_A_USE = "its base or another view of its base"
_OF_DTYPES = re.compile("dtype|data ?type|scalar type|result type|can't be cast|must be integral|with a bool tensor")
_KEPT = 10_000
_fine: set[Hashable] = set()  # calls that torch takes


class _Call(NamedTuple):
    """A call of one of torch's functions, of which dimensions may be dynamic.

    open: the stand-ins for the dynamic dimensions of each tensor: one length, or those of the last dimensions.
    lengths: those for known dimensions. is_sure: whether stand-ins require gradients only where the tensors do on every path.
    is_assumed: whether those for tensors of the Program that may have a gradient require one, though each call decides that.
    """

    function: Any
    args: tuple
    kwargs: dict
    open: tuple[int | tuple[int, ...], ...] = ()
    lengths: Mapping[int, int] = MappingProxyType({})
    is_sure: bool = False
    is_assumed: bool = False

    def made(self, device: str, fill: Callable | None = None, dtypes: Mapping[int, Any] = MappingProxyType({})) -> Any:
        """What torch gives for stand-ins, or the exception that it raises. dtypes: those of some tensors, by number."""
        return _made(self, device, fill or _zeros, dtypes)

    @property
    def tensors(self) -> list[Any]:
        return [x for x in leaves((self.args, self.kwargs)) if _is_tensor(x)]

    @property
    def size(self) -> int:
        """How many elements the stand-ins have."""
        return sum(prod(self.shape(x, number)) for number, x in enumerate(self.tensors))

    def shape(self, tensor: Any, number: int) -> list[int]:
        """The shape of the stand-in for a tensor, which is the one of this number."""
        own, length = _lengths(tensor), self.open[number] if self.open else _OPEN
        last = (length,) * len(own) if isinstance(length, int) else (_OPEN,) * len(own) + length
        return [last[k - len(own)] if n is None else self.lengths.get(n, n) for k, n in enumerate(own)]

    def needs_gradient(self, rec: Any, tensor: Any) -> bool:
        """Whether the stand-in for a tensor requires a gradient: where the placeholder or the real tensor does."""
        if type(tensor) is not Face:
            return tensor.requires_grad
        flows = (self.is_assumed or rec.facts.policy.knows_gradients) and not tensor.stop_gradient
        return flows and (not self.is_sure or flows_through(rec, tensor._data) is True)


@unwatched
def refuse_as_torch_does(function: Any, args: tuple, kwargs: dict) -> None:
    """Raise what torch raises for a call of one of its functions, unless only the elements of its tensors decide that.

    Where a path or each call decides whether gradients flow to a tensor that torch doesn't let write, the Program checks it.
    """
    args, kwargs = _plain(args), _plain(kwargs)
    with torch()._C.DisableTorchFunction():
        told = _raised(function, args, kwargs)
        if told is None:
            open_ = _raised(function, args, kwargs, is_assumed=True) if _may_refuse_gradients(args, kwargs) else None
        else:
            open_ = told if _is_of_gradients(told) and _raised(function, args, kwargs, is_sure=True) is None else None
    if _is_of_gradients(open_):
        _check_gradients(leaves((args, kwargs)), str(open_))
    elif told is not None:
        raise told


def _is_of_gradients(told: Exception | None) -> bool:
    return told is not None and _OF_GRADIENTS.search(str(told)) is not None


def _may_refuse_gradients(args: tuple, kwargs: dict) -> bool:
    """Whether torch may refuse a write in a call that wants gradients, of which staging knows nothing: of a view, or by `out`."""
    policy = recorder_of_mode().facts.policy
    if policy.knows_gradients or not is_grad_enabled():
        return False
    return kwargs.get("out") is not None or any(map(policy.restricted_views.holds, leaves((args, kwargs))))


def _check_gradients(given: list, message: str) -> None:
    """Let the Program raise where a gradient flows to one of these tensors, or to the base of a view.

    Of a view that is used after a write into its base, the other operands don't matter.
    """
    views = recorder_of_mode().facts.policy.restricted_views
    faces = [x for x in given if type(x) is Face]
    held = [x for x in faces if views.holds(x)]
    tensors = [*(x for x in (held if _OF_A_USE in message else faces) if not x.stop_gradient), *map(views.base, held)]
    lookup("gradient_check")(*{x._data: x for x in tensors if has_gradient(x.type.dtype)}.values(), message=message)


def _raised(function: Any, args: tuple, kwargs: dict, is_sure: bool = False, is_assumed: bool = False) -> Exception | None:
    given = leaves((args, kwargs))
    if any(map(_is_odd, given)):
        return None
    if _weight(given) > _MANY or (key := _key(function, args, kwargs, is_sure, is_assumed)) in _fine:
        return None
    call, is_small = _Call(function, args, kwargs, is_sure=is_sure, is_assumed=is_assumed), _weight(given) <= _FEW
    if _is_known(given):
        told = _of_any_elements(call, is_small) or (None if is_small else _of_dtypes(_shrunk(call)))
    else:
        told = _of_any_lengths(call) if is_small else _of_any_lengths(_shrunk(call))
    if told is None and key is not None and len(_fine) < _KEPT:
        _fine.add(key)
    return told


def torchs(function: Any, args: tuple, kwargs: dict, error: Exception) -> Exception:
    """What torch raises for a call whose row in the table has raised `error`.

    Where torch raises nothing, that is refused. Where only the Program knows all of the call, the error has torch's class.
    """
    args, kwargs = _plain(args), _plain(kwargs)
    given = leaves((args, kwargs))
    with torch()._C.DisableTorchFunction():
        is_staged = any(isinstance(x, Staged) or _is_odd(x) for x in given)
        is_known = not is_staged and _is_known(given)
        is_made = (is_known or sum(map(_is_tensor, given)) == 1) and _weight(given) <= _MANY
        is_told = is_known or type(error) is not RuntimeError  # one of the row's own
        told = _Call(function, args, kwargs).made("cpu" if is_made else "meta") if is_told and not is_staged else None
    is_trusted = is_known or not isinstance(error, ConversionError) or _is_of_no_length(told)  # whatever the lengths are
    if isinstance(told, Exception) and is_trusted:
        return told
    if not is_known and (kind := kind_of(error)):
        return of_torch(error, in_torch("", {}, True, kind))
    if not is_known and isinstance(error, RuntimeError):
        return error
    return ConversionError(f"{recorder_of_mode().here()}: torch takes this, and dy2st can't: {error}")


def _of_any_elements(call: _Call, is_small: bool) -> Exception | None:
    """What torch raises whatever the elements are: without memory, and of zeros, as far as the results are small, too."""
    apart = call.made("meta")
    if isinstance(apart, NotImplementedError) and not is_small:
        return None
    if not isinstance(apart, Exception) and not (is_small and sum(map(_count, leaves(apart))) <= _FEW):
        return None
    told = call.made("cpu")
    if not isinstance(told, Exception):
        return None
    if _OF_ELEMENTS.search(str(told)):
        return apart if isinstance(apart, Exception) and _is_of_kernels(apart) else None
    is_by_shapes = type(apart) is type(told) and not _needs_memory(apart)
    is_decided = is_by_shapes or _is_of_kernels(told) or _is_always(told, call)
    return told if is_decided or _is_by_dtypes(told, call, "cpu") or _is_of_axes(told, call) else None


def _of_any_lengths(call: _Call) -> Exception | None:
    """What torch raises whatever the dynamic dimensions and the elements are: dtypes or numbers of axes decide it."""
    calls = [call._replace(open=lengths) for lengths in _lengths_to_try(call)]
    apart: list[Any] = []
    fitting: list[tuple[_Call, Exception]] = []
    for tried in calls:
        apart.append(tried.made("meta"))
        if not isinstance(apart[-1], Exception):
            if not _is_small(tried, apart[-1]):
                continue
            told = tried.made("cpu")
            if not isinstance(told, Exception) or _is_of_kernels(told):  # torch takes these lengths, or has no kernel
                return told if isinstance(told, Exception) else None
            fitting.append((tried, told))
        elif _needs_memory(apart[-1]):
            break
    by_dtypes = next((told for tried, told in fitting[:_JUDGED] if _is_by_dtypes(told, tried, "cpu")), None)
    return by_dtypes or _of_fitting_dtypes(islice(zip(calls, apart), _JUDGED)) or _of_all_lengths(calls)


def _of_fitting_dtypes(calls: Iterable[tuple[_Call, Any]]) -> Exception | None:
    """What torch raises for the dtypes of a call that it takes without memory where another dtype is given."""
    for tried, apart in calls:
        if isinstance(apart, Exception) and _is_by_dtypes(apart, tried, "meta"):  # the lengths fit
            told = tried.made("cpu")
            if isinstance(told, Exception) and _OF_ELEMENTS.search(str(told)):
                return apart
            return told if isinstance(told, Exception) else None
    return None


def _of_all_lengths(calls: list[_Call]) -> Exception | None:
    """The first exception that tells of dtypes, arguments or numbers of axes, where torch raises for each of some lengths.

    A length of 1 may be refused for itself.
    """
    told = [(tried, tried.made("cpu")) for tried in calls if 1 not in tried.open and tried.size <= _FEW]
    if not all(isinstance(x, Exception) for _, x in told):
        return None
    of_no_length = next((x for _, x in told if _is_of_no_length(x)), None)
    return of_no_length or next((x for tried, x in told[:_JUDGED] if _is_by_dtypes(x, tried, "cpu")), None)


def _of_dtypes(call: _Call) -> Exception | None:
    """What torch raises for the dtypes of a call whose lengths fit."""
    apart = call.made("meta")
    told = None if isinstance(apart, Exception) or not _is_small(call, apart) else call.made("cpu")
    if not isinstance(told, Exception):
        return None
    return told if _is_of_kernels(told) or _is_by_dtypes(told, call, "cpu") or _is_of_axes(told, call) else None


def _is_small(call: _Call, apart: Any) -> bool:
    """Whether a call may be made in memory, whose result without is `apart`."""
    return call.size + sum(map(_count, leaves(apart))) <= _FEW


def _lengths_to_try(call: _Call) -> list[tuple[int | tuple[int, ...], ...]]:
    """Stand-ins for the dynamic dimensions of each tensor: 2 everywhere, then other lengths, the same or several.

    An argument that is a tuple of numbers may be a shape, one that is a number the width of a window.
    """
    tensors = call.tensors
    known = {call.lengths.get(n, n) for x in tensors for n in _lengths(x) if n is not None}
    shapes = [tuple(x) for x in (*call.args, *call.kwargs.values()) if isinstance(x, tuple | list) and _is_shape(x)]
    numbers = [x for x in (*call.args, *call.kwargs.values()) if type(x) is int and 3 < x <= _WIDE]
    lengths = list(dict.fromkeys([_OPEN, *shapes, *sorted(known - {1})[-3:], 3, *numbers, 1]))
    dynamic = [number for number, x in enumerate(tensors) if None in _lengths(x)]
    alike: list[tuple] = [(n,) * len(tensors) for n in lengths]
    one_apart: list[tuple] = [(*x[:k], n, *x[k + 1 :]) for x in alike for k in dynamic for n in lengths]
    apart: Iterator[tuple] = product(*[lengths if number in dynamic else lengths[:1] for number in range(len(tensors))])
    empty = [tuple(0 if _lengths(x) == [None] else _OPEN for x in tensors)] if _leaves_out_empty(call.function) else []
    return list(islice(dict.fromkeys([*alike, *empty, *one_apart, *islice(apart, _TRIES)]), _TRIES))


def _leaves_out_empty(function: Any) -> bool:
    """Whether a function takes empty vectors beside tensors of any number of axes."""
    return function in (torch().cat, torch().concat, torch().concatenate)


def _shrunk(call: _Call) -> _Call:
    """A call with small dimensions in place of large ones; equal ones stay equal."""
    large = sorted({n for x in call.tensors for n in _lengths(x) if n and n > 8})
    return call._replace(lengths={n: 8 * number for number, n in enumerate(large, 1)})


def _is_by_dtypes(told: Exception, call: _Call, device: str) -> bool:
    """Whether torch takes the same call with another dtype, and refuses it whatever the elements are."""
    if isinstance(told, AssertionError) or _OF_LENGTHS.search(str(told)) or _OF_ELEMENTS.search(str(told)):
        return False  # torch asserts lengths
    if device == "cpu" and not all(_are_same(call.made(device, fill), told) for fill in (_ones, _steps)):
        return False
    return any(not isinstance(call.made(device, None, dtypes), Exception) for dtypes in _other_dtypes(call))


def _other_dtypes(call: _Call) -> Iterator[dict[int, Any]]:
    """Each tensor in another dtype; all floats in one."""
    own = [_dtype_of(x) for x in call.tensors]
    all_ = [*own, torch().float32, torch().int64, torch().bool, torch().complex64, torch().float64]
    yield {number: torch().float32 for number, dtype in enumerate(own) if dtype.is_floating_point}
    for number, dtype in enumerate(own):
        yield from ({number: other} for other in dict.fromkeys(all_) if other is not dtype)


def _is_always(told: Exception, call: _Call) -> bool:
    """Whether torch raises the same of ones and of other numbers. Of integers and matrices, few are ones that it takes."""
    dtypes = map(_dtype_of, call.tensors)
    if not all(x.is_floating_point or x.is_complex for x in dtypes) or type(told).__name__ == LINALG_ERROR:
        return False
    return all(_are_same(call.made("cpu", fill), told) for fill in (_ones, _steps))


def _is_of_axes(told: Exception, call: _Call) -> bool:
    """Whether an exception tells of the number of axes, and is raised whatever the elements are."""
    return bool(_OF_AXES.search(str(told))) and all(_are_same(call.made("cpu", fill), told) for fill in (_ones, _steps))


def _are_same(found: Any, told: Exception) -> bool:
    return type(found) is type(told) and str(found) == str(told)


def _zeros(tensor: Any) -> None:
    """0 everywhere; 1 where these may be LAPACK's pivots, which count from 1."""
    tensor.fill_(tensor.dtype == torch().int32)


def _ones(tensor: Any) -> None:
    """1 everywhere; integers may be indices, and stay 0, but uint8, which may be masks, and LAPACK's pivots."""
    is_one = tensor.is_floating_point() or tensor.is_complex() or tensor.dtype in (torch().bool, torch().uint8, torch().int32)
    tensor.fill_(is_one)


def _steps(tensor: Any) -> None:
    """The unit matrix; 0, 1, 2, ... along a single axis."""
    if tensor.ndim > 1:
        tensor.diagonal(0, -2, -1).fill_(1)
    else:
        tensor.copy_(torch().arange(tensor.numel()).reshape(tensor.shape))


@unwatched
def _made(call: _Call, device: str, fill: Callable, dtypes: Mapping[int, Any]) -> Any:
    """What torch gives for a call, on stand-ins; or the exception that it raises. It is no part of what is staged."""
    numbers, rec, records = count(), recorder_of_mode(), is_grad_enabled()
    needs_gradient = partial(call.needs_gradient, rec)
    views, blocks = rec.facts.policy.restricted_views, [frame.block for frame in rec.frames]

    def plain(value: Any, number: int) -> Any:
        if not _is_tensor(value):
            return _number(value, call)
        made = torch().zeros(call.shape(value, number), dtype=dtypes.get(number) or _dtype_of(value), device=device)
        fill(made)
        return _with_gradient(made, needs_gradient(value))

    def stand_in(value: Any) -> Any:
        number = next(numbers) if _is_tensor(value) else 0
        if not views.holds(value):
            return plain(value, number)
        made = views.stand_in(value, lambda x: plain(x, number), needs_gradient, blocks)
        fits = call.is_assumed or list(made.shape) == call.shape(value, number)  # torch looks at a view before it looks at shapes
        return made if fits else plain(value, number)

    with entered(EAGER), torch().set_grad_enabled(records), torch().random.fork_rng([]), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = call.function(*mapped(stand_in, call.args), **mapped(stand_in, call.kwargs))
            return _unsupported(call.function, call.args) if found is NotImplemented else found
        except Exception as error:
            return None if "Torch not compiled with" in str(error) else error.with_traceback(None)


def _unsupported(function: Any, args: tuple) -> Exception:
    """What Python says of an operator that torch leaves to the other operand, which isn't a number or tensor."""
    signs = {f"__{operation.__name__.strip('_')}__": sign for sign, operation in BINARY.items()}
    kinds = [f"'{'Tensor' if _is_tensor(x) else type(x).__name__}'" for x in args]
    name = function.__name__
    if name not in signs:  # __radd__
        name, kinds = f"__{name[3:]}", kinds[::-1]
    return TypeError(f"unsupported operand type(s) for {signs.get(name, name)}: {' and '.join(kinds)}")


def _number(value: Any, call: _Call) -> Any:
    """What stands for an argument that is no tensor: a number of the Program's is that of a dynamic dimension."""
    if isinstance(value, StagedScalar):
        length = call.open[0] if call.open else _OPEN
        return _NUMBERS[str(value._value.type)](length if isinstance(length, int) else _OPEN)
    return call.lengths.get(value, value) if type(value) is int else value


def _with_gradient(made: Any, needs: bool) -> Any:
    """A stand-in that requires a gradient where it needs to, and is no leaf."""
    with torch().enable_grad():
        return made.requires_grad_(needs and (made.is_floating_point() or made.is_complex())).clone()


def _plain(tree: Any) -> Any:
    """A structure in which each shape is a tuple, whose lengths are leaves."""
    return mapped(lambda x: tuple(x) if isinstance(x, Size) else x, tree)


def _weight(given: list) -> int:
    """How many elements a call has at least, or asks for."""
    tensors = [_lengths(x) for x in given if _is_tensor(x)]
    asked = [x for x in given if type(x) is int and x > 1] if not tensors else []
    return sum(prod(_OPEN if length is None else length for length in lengths) for lengths in tensors) + prod(asked)


def _is_known(given: list) -> bool:
    """Whether all lengths and numbers are known while staging."""
    return not any(isinstance(x, Staged) or (_is_tensor(x) and None in _lengths(x)) for x in given)


def _is_of_kernels(error: Exception) -> bool:
    """Whether torch has no kernel for a dtype."""
    return isinstance(error, NotImplementedError) and "not implemented for" in str(error)


def _needs_memory(error: Any) -> bool:
    """Whether a call on the meta device is refused because its tensors have no elements."""
    return isinstance(error, NotImplementedError) or "meta" in str(error)


def _is_of_no_length(error: Any) -> bool:
    """Whether an exception tells of arguments, dtypes or the number of axes, and not of lengths."""
    text = str(error)
    patterns = (_OF_AXES, _OF_DTYPES, _OF_GRADIENTS)
    is_told = _is_of_kernels(error) or isinstance(error, TypeError) or any(x.search(text) for x in patterns)
    return bool(is_told) and not _OF_LENGTHS.search(text) and not _OF_ELEMENTS.search(text)


def _is_odd(value: Any) -> bool:
    """Whether nothing can stand for an argument: a function, a generator of random numbers, a tensor that isn't dense."""
    if isinstance(value, Staged):
        return not isinstance(value, StagedScalar) or str(value._value.type) not in _NUMBERS
    if isinstance(value, torch().Generator) or (callable(value) and not isinstance(value, Tensor | torch().Tensor | type)):
        return True
    return _is_tensor(value) and type(value) is not Face and (value.layout is not torch().strided or value.is_quantized)


def _dtype_of(x: Any) -> Any:
    return of_name(x.type.dtype) if type(x) is Face else x.dtype


def _count(value: Any) -> int:
    return value.numel() if _is_tensor(value) else 0


def _is_tensor(value: Any) -> bool:
    return type(value) is Face or isinstance(value, torch().Tensor)


def _is_shape(numbers: Sequence) -> bool:
    return all(type(n) is int and n > 0 for n in numbers)


def _lengths(x: Any) -> list[int | None]:
    shape = x.static_shape if type(x) is Face else x.shape
    return [None] if shape is None else [length if type(length) is int else None for length in shape]


def _key(function: Any, args: tuple, kwargs: dict, *asked: bool) -> Hashable:
    """What tells a call from others; None where its arguments don't."""

    def of(value: Any) -> Any:
        if _is_tensor(value):
            own = f"{_lengths(value)} {_dtype_of(value)} {value.requires_grad}"
            return recorder_of_mode().facts.policy.restricted_views.key(value, own, of)
        if isinstance(value, StagedScalar):
            return f"any {value._value.type}"
        return f"{type(value)} {value!r}" if type(value) in TOLD_BY_TEXT else None

    found = mapped(of, (args, kwargs))
    return None if None in leaves(found) else (function, is_grad_enabled(), asked, repr(found))
