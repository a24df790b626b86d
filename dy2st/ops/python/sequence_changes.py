"""What a list is after each of its methods, as a sequence: the operators of lists for those who have no lists.

`sequence.append(s, x)` is a new sequence. It is computed by the kernel of `list.append`, on a list of the same items.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import DTypeError
from ...ir.flows import ITEM, RESULT, Endpoint, Flow, Flows, gives_any
from ...ir.types import INT, ListType, SequenceType, Type
from ..registry import OpDef, define
from . import lists
from .lists import listing
from .lowered import sequences as lowered
from .sequences import sequence


def _keeps(*stored: int) -> Callable[[Any], Flows]:
    """The items of operand 0 are items of the result, and so are some other operands."""
    added = tuple(Flow(Endpoint(k), Endpoint(RESULT, (ITEM,))) for k in stored)
    return lambda op: (*gives_any(ITEM)(op), *added)


def _after(change: OpDef) -> Callable[..., tuple]:
    """The kernel that gives what `change` makes of a list."""

    def kernel(items: tuple, *operands: Any, **attrs: Any) -> tuple:
        work = list(items)
        change.kernel(work, *operands, **attrs)
        return tuple(work)

    kernel.__wrapped__ = change.kernel  # type: ignore[attr-defined]
    return kernel


def _of_list(read: OpDef) -> Callable[..., Any]:
    """The kernel that gives what `read` finds in a list."""

    def kernel(items: tuple, *operands: Any, **attrs: Any) -> Any:
        return read.kernel(list(items), *operands, **attrs)

    kernel.__wrapped__ = read.kernel  # type: ignore[attr-defined]
    return kernel


def _with(op: str, stored: int = 0) -> Callable[..., Type]:
    """The type of a sequence into which operand `stored` is put, none if 0."""

    def infer(items: Type, *operands: Type, **attrs: Any) -> Type:
        elem = sequence(items, op).elem
        return SequenceType(listing([elem, operands[stored - 1]]).elem) if stored else SequenceType(elem)

    return infer


def _changed(change: OpDef, stored: int = 0, **parts: Any) -> OpDef:
    """The operator that gives the sequence after `change`; `stored` is the number of the operand that it puts in, if any."""
    name = f"sequence.{change.name.partition('.')[2]}"
    flows = _keeps(stored) if stored else _keeps()
    found = {"flows": flows, "indices": change.indices, "raises": change.raises, **parts}
    return define(name, kernel=_after(change), infer=_with(name, stored), **found)


def _set_slice_type(items: Type, values: Type, start: Any = None, stop: Any = None, step: Any = None) -> Type:
    return SequenceType(listing([sequence(x, "sequence.set_slice").elem for x in (items, values)]).elem)


def _order(keys: tuple, reverse: bool = False) -> tuple:
    return tuple(sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse))


def _take_type(items: Type, positions: Type) -> Type:
    if sequence(positions, "sequence.take").elem != INT:
        raise DTypeError(f"sequence.take takes a sequence of ints as positions, not {positions}")
    return sequence(items, "sequence.take")


def _as_list(type_: Type, op: str) -> Type:
    """The type of the list, of lists, that would hold the same."""
    elem = sequence(type_, op).elem
    return ListType(_as_list(elem, op) if isinstance(elem, SequenceType) else elem)


def _read(read: OpDef, **parts: Any) -> OpDef:
    """The operator that gives what `read` finds in a list with these items."""
    name = f"sequence.{read.name.partition('.')[2]}"

    def infer(items: Type, *operands: Type, **attrs: Any) -> Any:
        return read.infer(_as_list(items, name), *operands, **attrs)

    infer.__wrapped__ = read.infer  # type: ignore[attr-defined]
    return define(name, kernel=_of_list(read), infer=infer, indices=read.indices, raises=read.raises, **parts)


append = _changed(lists.append, 1, template="({0} + ({1},))", onnx=lowered.append)
insert = _changed(lists.insert, 2, onnx=lowered.insert)
set_ = _changed(lists.set_, 2, onnx=lowered.set_)
delete = _changed(lists.delete, onnx=lowered.delete)
delete_slice = _changed(lists.delete_slice, onnx=lowered.delete_slice)
reverse = _changed(lists.reverse, template="{0}[::-1]", onnx=lowered.reverse)
sort = _changed(lists.sort, onnx=lowered.sort)
remove = _changed(lists.remove, onnx=lowered.remove)
set_slice = define(
    "sequence.set_slice",
    kernel=_after(lists.set_slice),
    infer=_set_slice_type,
    flows=gives_any(ITEM, of=(0, 1)),
    raises=lists.set_slice.raises,
    onnx=lowered.set_slice,
)
order = define(
    "sequence.order",
    kernel=_order,
    infer=lambda keys, reverse=False: sequence(keys, "sequence.order") and SequenceType(INT),
    raises=lists.sort_by.raises,
    onnx=lowered.order,
)
take = define(
    "sequence.take",
    kernel=lambda items, positions: tuple([items[k] for k in positions]),
    infer=_take_type,
    flows=gives_any(ITEM),
    raises=("IndexError",),
    onnx=lowered.take,
)
index = _read(lists.index, onnx=lowered.index)
count = _read(lists.count, onnx=lowered.count)
stack = _read(lists.stack, onnx=lowered.stack)
concat_tensors = _read(lists.concat_tensors, onnx=lowered.concat_tensors)
to_tensor = _read(lists.to_tensor, onnx=lowered.to_tensor)
