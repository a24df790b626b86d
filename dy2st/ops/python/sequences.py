"""Tuples whose length is known only at run time."""

from __future__ import annotations

from typing import Any

from ...errors import DTypeError
from ...ir.flows import ITEM, fills, gives_any, shares
from ...ir.join import sequence_of
from ...ir.types import BOOL, INT, ListType, SequenceType, TupleType, Type
from ..registry import NO_SHARING, define
from .lists import a_list, index_type, listing
from .lowered import items
from .lowered import sequences as lowered
from .lowered.equality import in_sequence


def sequence(type_: Type, op: str) -> SequenceType:
    """The type of any tuple that isn't a namedtuple, as one of unknown length."""
    found = sequence_of(type_) if isinstance(type_, TupleType) and not type_.name else type_
    if not isinstance(found, SequenceType):
        raise DTypeError(f"{op} takes a tuple, not {type_}")
    return found


def _get_type(items: Type, index: Type, of: str = "tuple") -> Type:
    index_type(index, "sequence.get")
    return sequence(items, "sequence.get").elem


def _get(items: tuple, index: int, of: str = "tuple") -> Any:
    """An item. of: what Python would have asked for it: a tuple, a list, or the `pop` of a list."""
    try:
        return items[index]
    except IndexError:
        is_empty = of == "pop" and not items
        raise IndexError("pop from empty list" if is_empty else f"{of} index out of range") from None


def _get_template(attrs: dict[str, Any], names: list[str], types: list[Type]) -> str | None:
    return None if attrs.get("of", "tuple") != "tuple" else f"{names[0]}[{names[1]}]"


def _concat_type(a: Type, b: Type) -> Type:
    return SequenceType(listing([sequence(x, "sequence.concat").elem for x in (a, b)]).elem)


def _slice_type(items: Type, start: Any = None, stop: Any = None, step: Any = None) -> Type:
    return sequence(items, "sequence.slice")


new = define(
    "sequence.new",
    kernel=lambda *elems: elems,
    infer=lambda *elems: SequenceType(listing(elems).elem),
    template=lambda attrs, names, types: f"({', '.join(names)}{',' if len(names) == 1 else ''})",
    flows=fills(lambda k, attrs: ITEM),
    onnx=lowered.made,
)

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
    infer=lambda t: sequence(t, "sequence.from_tuple"),
    template="{0}",
    flows=gives_any(ITEM),
    onnx=lambda g, t: g.as_type(t, sequence(t.type, "sequence.from_tuple")),
)
to_list = define(
    "sequence.to_list",
    kernel=list,
    infer=lambda s: ListType(sequence(s, "sequence.to_list").elem),
    template="list({0})",
    flows=gives_any(ITEM),
    allocates=True,
    onnx=NO_SHARING,
)
get = define(
    "sequence.get",
    kernel=_get,
    infer=_get_type,
    template=_get_template,
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
    infer=lambda s: sequence(s, "sequence.len") and INT,
    template="len({0})",
    onnx=items.length,
)
concat = define(
    "sequence.concat",
    kernel=lambda a, b: a + b,
    infer=_concat_type,
    template="{0} + {1}",
    flows=gives_any(ITEM, of=(0, 1)),
    onnx=lambda g, a, b: a.joined(b, g.declared[0]),
)
repeat = define(
    "sequence.repeat",
    kernel=lambda s, n: s * n,
    infer=lambda s, n: sequence(s, "sequence.repeat"),
    template="{0} * {1}",
    flows=gives_any(ITEM),
    indices=(1,),
    onnx=items.repeat,
)
contains = define(
    "sequence.contains",
    kernel=lambda s, value: value in s,
    infer=lambda s, value: sequence(s, "sequence.contains") and BOOL,
    template="{1} in {0}",
    raises=("ValueError",),
    onnx=in_sequence,
)
