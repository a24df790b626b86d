"""Lists, shared by reference as in Python. What an operator stores must fit the list's element type; the recorder widens that."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dtypes import DTYPES
from ...errors import DTypeError, ShapeError
from ...ir.flows import ITEM, fills, gives, shares, takes_in
from ...ir.join import join_all
from ...ir.types import BOOL, INT, NUMERIC, ListType, TensorType, Type
from ..manipulate import joined, stacked
from ..registry import OpDef, define
from ..wording import worded
from .rules import need, query

a_list = need(ListType, "a list")
UNEVEN = "to_tensor: the nested lists don't form a rectangle; pad the short ones"
NO_LISTS = "to_tensor: an empty list of lists makes a tensor of another rank than one with items; ask its length first"


def listing(elems: Any) -> ListType:
    """The list that holds all of `elems`: elements are shared, so unequal ones become a sum rather than be converted."""
    return join_all(ListType(e) for e in elems) if elems else ListType()  # type: ignore[return-value]


def index_type(type_: Type, op: str) -> Type:
    if type_ not in (INT, BOOL):
        raise DTypeError(f"a list index is an int, not {type_}")
    return type_


def _sort(items: list, reverse: bool = False) -> tuple:
    items.sort(reverse=reverse)
    return ()


def _sort_by(items: list, keys: list, reverse: bool = False) -> tuple:
    order = sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
    items[:] = [items[i] for i in order]
    return ()


def _indexed(op: str, has_result: bool) -> Any:
    def infer(list_: Type, index: Type = INT, *rest: Type) -> Any:
        elem = a_list(list_, op).elem
        index_type(index, op)
        return elem if has_result else ()

    return infer


def _same_list(op: str) -> Any:
    return lambda list_, *_, **__: a_list(list_, op)


def _concat_type(a: Type, b: Type) -> Type:
    return join_all((a_list(a, "list.concat"), a_list(b, "list.concat")))


def _delete(list_: list, index: int) -> tuple:
    del list_[index]
    return ()


def _set(list_: list, index: int, value: Any) -> tuple:
    list_[index] = value
    return ()


def _set_slice(list_: list, values: list, start: Any = None, stop: Any = None, step: Any = None) -> tuple:
    list_[start:stop:step] = values
    return ()


def _delete_slice(list_: list, start: Any = None, stop: Any = None, step: Any = None) -> tuple:
    del list_[start:stop:step]
    return ()


def _change(name: str, template: str | None = None, **parts: Any) -> OpDef:
    """The operator of a method that changes its list and gives nothing."""
    method = getattr(list, name)

    def kernel(*operands: Any) -> tuple:
        method(*operands)
        return ()

    op = f"list.{name}"
    return define(op, kernel=kernel, infer=query(a_list, op, ()), template=template, mutates=(0,), **parts)


def _array_elem(list_: Type, op: str) -> TensorType:
    elem = a_list(list_, op).elem
    if not isinstance(elem, TensorType):
        raise DTypeError(f"{op} takes a list of tensors of one dtype, not {list_}")
    return elem


def _some(list_: list, op: str) -> list:
    if not list_:
        raise TypeError(f"{op}: x must be a non-empty list of Tensors, not list []")  # as in plain Python
    return list_


_stacked, _joined = worded("list.stack", stacked), worded("list.concat_tensors", joined)


def _stack_type(list_: Type, axis: int = 0) -> Type:
    elem = _array_elem(list_, "list.stack")
    if elem.shape is None:
        return elem
    rank = len(elem.shape) + 1
    if not -rank <= axis < rank:
        raise ShapeError(f"list.stack: axis {axis} is outside a result of {rank} axes")
    axis %= rank
    return TensorType(elem.dtype, (*elem.shape[:axis], None, *elem.shape[axis:]))


def _concat_tensors_type(list_: Type, axis: int = 0) -> Type:
    elem = _array_elem(list_, "list.concat_tensors")
    if elem.shape is None:
        return elem
    if not -len(elem.shape) <= axis < len(elem.shape):
        raise ShapeError(f"list.concat_tensors: axis {axis} is outside a tensor of {len(elem.shape)} axes")
    axis %= len(elem.shape)
    return TensorType(elem.dtype, (*elem.shape[:axis], None, *elem.shape[axis + 1 :]))


def _to_tensor_type(list_: Type, dtype: str, rank: int = 1) -> Type:
    depth, elem = 0, list_
    while isinstance(elem, ListType):
        depth, elem = depth + 1, elem.elem
    if elem not in NUMERIC or not depth:
        raise DTypeError(f"list.to_tensor takes a list of Python numbers, not {list_}")
    if depth != rank:
        raise ShapeError(f"list.to_tensor: {list_} makes a tensor of rank {depth}, not {rank}")
    return TensorType(dtype, (None,) * rank)


def _to_tensor(list_: list, dtype: str, rank: int = 1) -> np.ndarray:
    """ValueError: lists of several lengths, and an empty list of lists, whose tensor has another rank."""
    try:
        array = np.array(list_)
    except ValueError as error:
        raise ValueError(UNEVEN if "inhomogeneous" in str(error) else str(error)) from None
    if array.ndim != rank:
        raise ValueError(NO_LISTS)
    return array.astype(DTYPES[dtype].numpy)


_INDEX = ("IndexError",)
_VALUE = ("ValueError",)

new = define(
    "list.new",
    kernel=lambda *elems: list(elems),
    infer=lambda *elems: listing(elems),
    template=lambda attrs, names, types: f"[{', '.join(names)}]",
    flows=fills(lambda k, attrs: ITEM),
    allocates=True,
)
append = _change("append", "{0}.append({1})", flows=takes_in(ITEM, 1))
extend = _change("extend", "{0}.extend({1})", flows=shares(ITEM, of=(1,), into=0), reads=(1,))
insert = _change("insert", "{0}.insert({1}, {2})", flows=takes_in(ITEM, 2), indices=(1,))
pop = define(
    "list.pop",
    kernel=list.pop,
    infer=_indexed("list.pop", True),
    template=lambda attrs, names, types: f"{names[0]}.pop({', '.join(names[1:])})",
    flows=gives(ITEM),
    indices=(1,),
    mutates=(0,),
    reads=(0,),
    raises=_INDEX,
)
get = define(
    "list.get",
    kernel=lambda list_, i: list_[i],
    infer=_indexed("list.get", True),
    template="{0}[{1}]",
    flows=gives(ITEM),
    indices=(1,),
    store="list.set",
    reads=(0,),
    raises=_INDEX,
)
set_ = define(
    "list.set",
    kernel=_set,
    infer=_indexed("list.set", False),
    template="{0}[{1}] = {2}",
    flows=takes_in(ITEM, 2),
    indices=(1,),
    mutates=(0,),
    raises=_INDEX,
)
delete = define(
    "list.delete",
    kernel=_delete,
    infer=_indexed("list.delete", False),
    template="del {0}[{1}]",
    indices=(1,),
    mutates=(0,),
    raises=_INDEX,
)
slice_ = define(
    "list.slice",
    kernel=lambda list_, start=None, stop=None, step=None: list_[start:stop:step],
    infer=_same_list("list.slice"),
    flows=shares(ITEM),
    reads=(0,),
    raises=_VALUE,
    allocates=True,
)
set_slice = define(
    "list.set_slice",
    kernel=_set_slice,
    infer=query(a_list, "list.set_slice", ()),
    flows=shares(ITEM, of=(1,), into=0),
    mutates=(0,),
    reads=(1,),
    raises=_VALUE,
)
delete_slice = define(
    "list.delete_slice", kernel=_delete_slice, infer=query(a_list, "list.delete_slice", ()), mutates=(0,), raises=_VALUE
)
length = define("list.len", kernel=len, infer=query(a_list, "list.len", INT), template="len({0})", reads=(0,))
contains = define(
    "list.contains",
    kernel=lambda list_, value: value in list_,
    infer=query(a_list, "list.contains", BOOL),
    template="{1} in {0}",
    reads=(0,),
    raises=_VALUE,
)
index = define("list.index", kernel=list.index, infer=query(a_list, "list.index", INT), indices=(2, 3), reads=(0,), raises=_VALUE)
count = define("list.count", kernel=list.count, infer=query(a_list, "list.count", INT), reads=(0,), raises=_VALUE)
reverse = _change("reverse", "{0}.reverse()")
sort = define(
    "list.sort", kernel=_sort, infer=query(a_list, "list.sort", ()), mutates=(0,), reads=(0,), raises=("TypeError",)
)
sort_by = define(
    "list.sort_by",
    kernel=_sort_by,
    infer=query(a_list, "list.sort_by", ()),
    mutates=(0,),
    reads=(0, 1),
    raises=("TypeError", "ValueError"),
)
clear = _change("clear", "{0}.clear()")
remove = _change("remove", reads=(0,), raises=_VALUE)
copy = define(
    "list.copy",
    kernel=list,
    infer=_same_list("list.copy"),
    template="list({0})",
    flows=shares(ITEM),
    reads=(0,),
    allocates=True,
)
concat = define(
    "list.concat",
    kernel=lambda a, b: a + b,
    infer=_concat_type,
    template="{0} + {1}",
    flows=shares(ITEM, of=(0, 1)),
    reads=(0, 1),
    allocates=True,
)
repeat = define(
    "list.repeat",
    kernel=lambda list_, n: list_ * n,
    infer=_same_list("list.repeat"),
    template="{0} * {1}",
    flows=shares(ITEM),
    indices=(1,),
    reads=(0,),
    allocates=True,
)
stack = define(
    "list.stack",
    kernel=lambda list_, axis=0: _stacked(_some(list_, "stack"), axis),
    infer=_stack_type,
    reads=(0,),
    raises=("TypeError", "ShapeError"),
)
concat_tensors = define(
    "list.concat_tensors",
    kernel=lambda list_, axis=0: _joined(_some(list_, "concat"), axis),
    infer=_concat_tensors_type,
    reads=(0,),
    raises=("TypeError", "ShapeError"),
)
to_tensor = define(
    "list.to_tensor",
    kernel=_to_tensor,
    infer=_to_tensor_type,
    reads=(0,),
    raises=("ValueError", "OverflowError"),
)
