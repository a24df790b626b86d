"""Tuples whose length is known only at run time."""

from __future__ import annotations

from typing import Any

from ...errors import DTypeError
from ...ir.flows import ITEM, gives_any, shares
from ...ir.join import sequence_of
from ...ir.types import BOOL, INT, ListType, SequenceType, TupleType, Type
from ..registry import NO_SHARING, define
from .lists import a_list, index_type, listing
from .lowered import items
from .lowered.equality import in_sequence


def _sequence(type_: Type, op: str) -> SequenceType:
    """The type of any tuple that isn't a namedtuple, as one of unknown length."""
    found = sequence_of(type_) if isinstance(type_, TupleType) and not type_.name else type_
    if not isinstance(found, SequenceType):
        raise DTypeError(f"{op} takes a tuple, not {type_}")
    return found


def _get_type(sequence: Type, index: Type) -> Type:
    index_type(index, "sequence.get")
    return _sequence(sequence, "sequence.get").elem


def _concat_type(a: Type, b: Type) -> Type:
    return SequenceType(listing([_sequence(x, "sequence.concat").elem for x in (a, b)]).elem)


def _slice_type(sequence: Type, start: Any = None, stop: Any = None, step: Any = None) -> Type:
    return _sequence(sequence, "sequence.slice")


from_list = define(
    "sequence.from_list",
    kernel=tuple,
    infer=lambda list_: SequenceType(a_list(list_, "sequence.from_list").elem),
    template="tuple({0})",
    flows=shares(ITEM),
    reads=(0,),
    onnx=NO_SHARING,
)
from_tuple = define(
    "sequence.from_tuple",
    kernel=tuple,
    infer=lambda t: _sequence(t, "sequence.from_tuple"),
    template="{0}",
    flows=gives_any(ITEM),
    onnx=lambda g, t: g.as_type(t, _sequence(t.type, "sequence.from_tuple")),
)
to_list = define(
    "sequence.to_list",
    kernel=list,
    infer=lambda s: ListType(_sequence(s, "sequence.to_list").elem),
    template="list({0})",
    flows=gives_any(ITEM),
    allocates=True,
    onnx=NO_SHARING,
)
get = define(
    "sequence.get",
    kernel=lambda s, i: s[i],
    infer=_get_type,
    template="{0}[{1}]",
    flows=gives_any(),
    indices=(1,),
    raises=("IndexError",),
    onnx=items.get,
)
slice_ = define(
    "sequence.slice",
    kernel=lambda s, start=None, stop=None, step=None: s[start:stop:step],
    infer=_slice_type,
    flows=gives_any(ITEM),
    raises=("ValueError",),
    onnx=items.cut,
)
length = define(
    "sequence.len",
    kernel=len,
    infer=lambda s: _sequence(s, "sequence.len") and INT,
    template="len({0})",
    onnx=lambda g, s: s.length(),
)
concat = define(
    "sequence.concat",
    kernel=lambda a, b: a + b,
    infer=_concat_type,
    template="{0} + {1}",
    flows=gives_any(ITEM, of=(0, 1)),
    onnx=lambda g, a, b: a.joined(b, _concat_type(a.type, b.type)),
)
repeat = define(
    "sequence.repeat",
    kernel=lambda s, n: s * n,
    infer=lambda s, n: _sequence(s, "sequence.repeat"),
    template="{0} * {1}",
    flows=gives_any(ITEM),
    indices=(1,),
    onnx=items.repeat,
)
contains = define(
    "sequence.contains",
    kernel=lambda s, value: value in s,
    infer=lambda s, value: _sequence(s, "sequence.contains") and BOOL,
    template="{1} in {0}",
    raises=("ValueError",),
    onnx=in_sequence,
)
