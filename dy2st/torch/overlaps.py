"""Writes whose elements share memory with others: torch is asked, of stand-ins that share memory as the tensors do.

`x += x.t()` raises in torch, `x += x` doesn't; nor does `x.expand(3, 4).zero_()`, which writes each element three times.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import ConversionError
from ..ir.core import Operation, Value
from ..ops.dispatch import entered, recorder_of_mode
from ..ops.registry import view_of
from ..runtime.tensors.eager import EAGER
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.profiling import unwatched
from .face import Face
from .laid import Laid
from .layouts import MISFIT, Layouts
from .packages import torch
from .values import leaves, mapped

_LENGTHS = (7, 3, 2, 1, (1, 7), (7, 1))  # stand for dynamic dimensions
_SIGNS = frozenset(f"__i{x}__" for x in "add sub mul truediv floordiv mod pow and or xor lshift rshift".split()) | {"__setitem__"}
_REFUSED = "unsupported operation"  # so torch's errors of overlapping memory begin
_BY_ORDER = (
    "{}: {} writes elements that it reads, or that lie in one memory. For some dimensions torch refuses this, or gives what the "
    "order of its loops makes of it; write .clone() behind the tensor that is read, or give the result a name of its own"
)


def written_by(function: Any, args: tuple, out: Any) -> list[Face]:
    """The tensors that a call of torch's writes."""
    name = getattr(function, "__name__", "")
    is_in_place = (name.endswith("_") and not name.endswith("__")) or name in _SIGNS
    found = [*args[:1], *leaves(out)] if is_in_place else leaves(out)
    return [x for x in found if type(x) is Face]


def overlap_error(function: Any, args: tuple, kwargs: dict, targets: list[Face], name: str, layouts: Layouts) -> Exception | None:
    """What torch raises where a call writes a view of which two elements are one in memory; None: it writes such a view.

    RuntimeError: the lengths are known, and it raises. ConversionError: what it does depends on dynamic dimensions in other ways,
    or what it gives on the order of its loops.
    """
    given = [x for x in leaves((args, kwargs)) if type(x) is Face]
    memories = [_memory(x._data) for x in targets]
    is_alone = sum(_memory(x._data) in memories for x in given) <= len(targets)
    if is_alone and not any(repeats(x._data) for x in targets):
        return None
    is_known = all(map(has_known_lengths, given))
    found = [_asked(function, args, kwargs, targets, layouts, length) for length in (_LENGTHS[:1] if is_known else _LENGTHS)]
    told = [x for x in found if x is not None]
    errors = [x for x in told if isinstance(x, RuntimeError)]
    if errors and len(errors) == len(told) and all(map(has_known_lengths, targets)):  # of no elements, torch refuses nothing
        raise errors[0]
    if errors and not all(repeats(x._data) for x in targets) or False in told:
        raise ConversionError(_BY_ORDER.format(recorder_of_mode().here(), name))
    return errors[0] if errors else None


def has_known_lengths(x: Tensor) -> bool:
    """Whether a tensor has no dynamic dimension."""
    return x.static_shape is not None and None not in x.static_shape


def repeats(value: Value) -> bool:
    """Whether some elements of a tensor may be the same in memory."""
    return any(isinstance(x.owner, Operation) and repeating(x.owner) for x in _views(value))


def repeating(op: Operation) -> bool:
    """Whether an operator gives a view of which two elements may be one in memory."""
    return op.name == "broadcast_to" or (op.name == "windows" and op.attrs["size"] > op.attrs["step"])


def is_apart(value: Value, layouts: Layouts) -> bool:
    """Whether no two elements of a tensor are one in memory, for all lengths."""
    found = [x for x in (layouts.laid(value, length) for length in _LENGTHS) if x is not MISFIT]
    are_known = all(isinstance(x, Laid) and x.stride is not None for x in found) and any(0 not in x.shape for x in found)
    return are_known and all(_is_apart(x.shape, x.stride) for x in found)


def _is_apart(shape: Sequence[int], stride: Sequence[int]) -> bool:
    """Whether no two elements of a tensor that lies so are one in memory."""
    reach = 1 + sum((n - 1) * step for n, step in zip(shape, stride)) if 0 not in shape else 0
    places = torch().arange(reach).as_strided(tuple(shape), tuple(stride))
    return places.unique().numel() == places.numel()


def _views(value: Value) -> Iterator[Value]:
    """A tensor, the one that it is a view of, and so on."""
    yield value
    while isinstance(op := value.owner, Operation) and view_of(op.name) is not None:
        value = op.operands[0]
        yield value


def _memory(value: Value) -> Value:
    return list(_views(value))[-1]


def _asked(function: Any, args: tuple, kwargs: dict, targets: list[Face], layouts: Layouts, length: Any) -> Any:
    """What torch says of a call where dynamic dimensions are `length`.

    True: it gives the same as of tensors that share no memory. False: another result. RuntimeError: it refuses the call. None:
    nobody can tell.
    """
    together, apart = (layouts.shared((args, kwargs), length, _memory) for _ in range(2))
    if together is None:
        return None
    written = slice(-len(targets), None) if "out" in kwargs else slice(0, 1)
    told = _called(function, *together)
    if isinstance(told, Exception):
        return told if isinstance(told, RuntimeError) and str(told).startswith(_REFUSED) else None
    if not all(_is_apart(x.shape, x.stride()) for x in leaves(together)[written]):
        return True
    apart = mapped(lambda x: x.clone() if isinstance(x, torch().Tensor) else x, apart)
    if isinstance(_called(function, *apart), Exception):
        return None
    return all(torch().equal(x, y) for x, y in zip(leaves(together)[written], leaves(apart)[written]))


@unwatched
def _called(function: Callable, args: tuple, kwargs: dict) -> Any:
    """What torch gives for stand-ins, or the exception that it raises."""
    with torch()._C.DisableTorchFunction(), entered(EAGER), torch().random.fork_rng([]), torch().no_grad():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch().manual_seed(0)
            try:
                return function(*args, **kwargs)
            except Exception as error:
                return error.with_traceback(None)
