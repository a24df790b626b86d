"""How rows are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any
from weakref import WeakKeyDictionary

import dy2st as api

from ...errors import ConversionError
from ...ir.core import Block, Operation
from ...ir.types import TensorType
from ...ops.demand import EXCEPTIONS
from ...ops.dispatch import recorder_of_mode
from ...ops.registry import OPERATORS, lookup
from ...runtime.where.profiling import unwatched
from ..dtypes import kind_of, of_name
from ..packages import torch
from .saves import saves_result, saving

ROWS: dict[str, Callable] = {}
# How many Operations of a Block have been looked at for writes, and the last of them.
_looked_at: WeakKeyDictionary[Block, tuple[int, Operation | None]] = WeakKeyDictionary()


def refused(text: str) -> ConversionError:
    """The error of a row that can't do what it is asked for."""
    return ConversionError(f"{recorder_of_mode().here()}: {text}")


def row(*names: str) -> Callable[[Callable], Callable]:
    """Decorator: the function stands for those of torch's with these names. ValueError: one has a row."""

    def note(function: Callable) -> Callable:
        for name in names:
            if name in ROWS:
                raise ValueError(f"{name} has two rows")
            ROWS[name] = saving(name.split(".")[-1], function)
        return function

    return note


def both(name: str, function: Callable, *others: str) -> Callable:
    """A row for `torch.name` and `torch.Tensor.name`."""
    return row(name, f"Tensor.{name}", *others)(function)


def everywhere(function: Callable, *names: str) -> None:
    """A row for each place where torch has a function, by all its names: torch, torch.Tensor, torch.special; and in place."""
    for name in names:
        places = {name: torch(), f"Tensor.{name}": torch().Tensor, f"special.{name}": torch().special}
        row(*[place for place, owner in places.items() if hasattr(owner, name)])(function)
        if hasattr(torch().Tensor, f"{name}_"):
            in_place(name, function)


def in_place(name: str, function: Callable) -> None:
    """A row for `torch.Tensor.name_` and its kin."""
    homes = {"": torch(), "Tensor.": torch().Tensor, "_C._nn.": torch()._C._nn}
    row(*[f"{home}{name}_" for home, owner in homes.items() if hasattr(owner, f"{name}_")])(writing(name, function))


def writing(name: str, function: Callable) -> Callable:
    """The function `name_`, which writes what `function` gives into its tensor."""

    function = saving(name, function)

    def write(x: Any, *args: Any, **kwargs: Any) -> Any:
        found = function(before_write(x), *args, **kwargs)
        instead = f"write x = torch.{name}(x, ...)"
        if kind_of(x.type.dtype) == "complex" and kind_of(found.type.dtype) == "float":
            raise refused(f"{name}_ of complex numbers gives real ones; {instead}")
        need_castable(f"{name}_", found, x, instead)
        return written(x, found, saves_result(name, (*args, *kwargs.values())))

    write.__name__ = f"{name}_"
    return write


def need_castable(name: str, found: Any, x: Any, instead: str) -> None:
    """Refuse a result of a kind above that of the tensor it would be written into."""
    theirs = [of_name(value.type.dtype) for value in (found, x)]
    if not torch().can_cast(*theirs):
        raise refused(f"{name}: {theirs[0]} can't be written into a tensor of {theirs[1]}; {instead}")


def stored(name: str, out: Any, found: Any) -> None:
    """Write the results of a row into the tensors that were given as `out=`."""
    targets, values = (x if isinstance(x, tuple | list) else [x] for x in (out, found))
    for target, value in zip(targets, values, strict=True):
        instead = f"write x = torch.{name}(...)"
        value = _of_shape(f"{name}(..., out=x)", value, target, instead)
        need_castable(f"{name}(..., out=x)", value, target, instead)
        written(target, value)


def _of_shape(name: str, value: Any, target: Any, instead: str) -> Any:
    """`value`, which must have the shape of `target`; where lengths are open, the Program asks that."""
    shape, given = target.static_shape, value.static_shape
    is_known = shape is not None and given is not None and len(shape) == len(given)
    if not is_known or any(None not in pair and pair[0] != pair[1] for pair in zip(shape, given)):
        raise refused(f"{name}: x hasn't the shape of the result, as far as that is known; {instead}")
    return of_shape(value, target.shape, f"the result that {name} writes")


def of_shape(x: Any, shape: Any, what: str) -> Any:
    """`x`; the Program raises where it hasn't this shape, in which -1 stands for any length."""
    own = x.static_shape
    has_it = own is not None and len(own) == len(shape) and all(type(n) is int and n in (-1, m) for n, m in zip(shape, own))
    return x if has_it else lookup("expect")(x, shape=list(shape), what=what)


def demanded(x: Any, holds: Any, says: str, exception: str = "RuntimeError") -> Any:
    """`x`; the Program raises where `holds`, a tensor of bools or a truth, doesn't."""
    if holds is False:
        raise EXCEPTIONS[exception](says)
    return x if holds is True else lookup("demand")(x, api.to_tensor(holds), says=says, exception=exception)


def all_demanded(x: Any, holds: list[Any], says: str, exception: str = "RuntimeError") -> Any:
    """`x`; the Program raises where one of these truths doesn't hold."""
    if any(each is False for each in holds):
        raise EXCEPTIONS[exception](says)
    open_ = [api.to_tensor(each) for each in holds if each is not True]
    return demanded(x, reduce(api.logical_and, open_), says, exception) if open_ else x


def need_rank(x: Any, rank: int, what: str) -> None:
    """RuntimeError: a tensor has another number of axes."""
    if len(x.static_shape) != rank:
        raise RuntimeError(f"{what} has {len(x.static_shape)} axes, and takes {rank}")


def of_lengths(x: Any, lengths: Sequence[Any], says: str, exception: str = "RuntimeError") -> Any:
    """`x`; the Program raises where it hasn't these lengths."""
    same_rank = len(x.static_shape) == len(lengths)
    return all_demanded(x, [same_rank, *[n == m for n, m in zip(x.shape, lengths)]], says, exception)


def counted(index: Any, length: Any, name: str, exception: str = "RuntimeError") -> Any:
    """Indices that count from 0: the Program raises where one is negative, or not below the length of the dimension."""
    says = f"{name}: an index is negative, or not below the length of the dimension"
    return demanded(index, (index >= 0) & (index < length), says, exception)


def may_flow(x: Any) -> bool:
    """Whether a gradient may be asked for by `x`: one of its own, or of a tensor that was written into memory like its own."""
    if not x.stop_gradient:
        return True
    is_differentiable = kind_of(x.type.dtype) in ("float", "complex")
    return is_differentiable and any(_has_writes(frame.block) for frame in recorder_of_mode().frames)


@unwatched
def _has_writes(block: Block) -> bool:
    """Whether a Block writes tensors so far. It begins where an earlier question has ended, unless Operations have gone since."""
    count, last = _looked_at.get(block, (0, None))
    begin = count if count <= len(block.ops) and (not count or block.ops[count - 1] is last) else 0
    for index in range(begin, len(block.ops)):
        if any(map(_writes_tensors, block.ops[index].walk())):
            _looked_at[block] = index, block.ops[index - 1] if index else None
            return True
    _looked_at[block] = len(block.ops), block.ops[-1] if block.ops else None
    return False


def _writes_tensors(op: Operation) -> bool:
    return op.name in OPERATORS and any(isinstance(op.operands[k].type, TensorType) for k in OPERATORS[op.name].mutates)


def before_write(x: Any) -> Any:
    """`x` as it is now, for the gradient of an in-place function that writes it."""
    return lookup("before_write")(x) if kind_of(x.type.dtype) in ("float", "complex") else x


def written(x: Any, value: Any, saves: bool = False) -> Any:
    """`x`, after `value` was written into its memory. saves: whether the gradient needs `x` as it is then."""
    value = value.astype(x.type.dtype) if value.type.dtype != x.type.dtype else value
    if saves:
        lookup("copy_result_")(x, value)
    else:
        x[...] = value
    return x
