"""Tuples and namedtuples: immutable sequences whose elements each have their own type."""

from __future__ import annotations

from typing import Any

from ...errors import ShapeError
from ...ir.core import Operation
from ...ir.flows import ITEM, RESULT, Endpoint, Flow, Flows, fills, gives, gives_any
from ...ir.native import Record
from ...ir.types import BOOL, INT, TupleType, Type
from ..registry import NO_SHARING, define
from .lists import index_type, listing
from .lowered import items
from .lowered.equality import in_tuple
from .rules import need, query

_PARTS = ("start", "stop", "step")
_tuple = need(TupleType, "a tuple")


def _new_type(*elems: Type, name: str = "", fields: Any = ()) -> Type:
    if name and len(fields) != len(elems):
        raise ShapeError(f"tuple.new: {name} has the fields {list(fields)}, not {len(elems)} values")
    return TupleType(tuple(elems), name, tuple(fields) if name else ())


def _new(*elems: Any, name: str = "", fields: Any = ()) -> tuple:
    return Record.of(name, tuple(fields), elems) if name else elems


def _new_template(attrs: dict[str, Any], names: list[str], types: list[Type]) -> str | None:
    return None if attrs.get("name") else f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def _get_type(tuple_: Type, index: int) -> Type:
    elems = _tuple(tuple_, "tuple.get").elems
    if not -len(elems) <= index < len(elems):
        raise ShapeError(f"tuple.get: index {index} is outside a tuple of {len(elems)}")
    return elems[index]


def _get_dynamic_type(tuple_: Type, index: Type) -> Type:
    index_type(index, "tuple.get_dynamic")
    return listing(_tuple(tuple_, "tuple.get_dynamic").elems).elem


def _slice_type(tuple_: Type, start: Any = None, stop: Any = None, step: Any = None) -> Type:
    return TupleType(_tuple(tuple_, "tuple.slice").elems[start:stop:step])


def _concat_type(a: Type, b: Type) -> Type:
    return TupleType(_tuple(a, "tuple.concat").elems + _tuple(b, "tuple.concat").elems)


def _slice_flows(op: Operation) -> Flows:
    positions = range(len(_tuple(op.operands[0].type, "tuple.slice").elems))
    taken = positions[slice(*map(op.attrs.get, _PARTS))]
    return tuple(Flow(Endpoint(0, (k,)), Endpoint(RESULT, (at,))) for at, k in enumerate(taken))


def _concat_flows(op: Operation) -> Flows:
    places = [Endpoint(of, (k,)) for of in (0, 1) for k in range(len(_tuple(op.operands[of].type, "tuple.concat").elems))]
    return tuple(Flow(place, Endpoint(RESULT, (at,))) for at, place in enumerate(places))


new = define(
    "tuple.new",
    kernel=_new,
    infer=_new_type,
    template=_new_template,
    flows=fills(lambda k, attrs: k),
    onnx=lambda g, *elems, **attrs: g.joined(_new_type(*map(g.type_of, elems), **attrs), elems),
)
get = define(
    "tuple.get",
    kernel=lambda t, index: t[index],
    infer=_get_type,
    template="{0}[{index}]",
    flows=lambda op: gives(op.attrs["index"]),
    onnx=lambda g, t, index: t.items()[index],
)
get_dynamic = define(
    "tuple.get_dynamic",
    kernel=lambda t, i: t[i],
    infer=_get_dynamic_type,
    template="{0}[{1}]",
    flows=gives_any(),
    indices=(1,),
    raises=("IndexError",),
    onnx=items.get_dynamic,
)
length = define(
    "tuple.len",
    kernel=len,
    infer=query(_tuple, "tuple.len", INT),
    template="len({0})",
    onnx=lambda g, t: g.const(len(t.type.elems)),
)
concat = define(
    "tuple.concat",
    kernel=lambda a, b: tuple(a) + tuple(b),
    infer=_concat_type,
    flows=_concat_flows,
    onnx=lambda g, a, b: g.joined(_concat_type(a.type, b.type), (a, b)),
)
slice_ = define(
    "tuple.slice",
    kernel=lambda t, start=None, stop=None, step=None: tuple(t)[start:stop:step],
    infer=_slice_type,
    flows=_slice_flows,
    onnx=lambda g, t, **part: g.joined(_slice_type(t.type, **part), t.items()[slice(*map(part.get, _PARTS))]),
)
contains = define(
    "tuple.contains",
    kernel=lambda t, value: value in t,
    infer=query(_tuple, "tuple.contains", BOOL),
    template="{1} in {0}",
    raises=("ValueError",),
    onnx=in_tuple,
)
to_list = define(
    "tuple.to_list",
    kernel=list,
    infer=lambda t: listing(_tuple(t, "tuple.to_list").elems),
    template="list({0})",
    flows=gives_any(ITEM),
    allocates=True,
    onnx=NO_SHARING,
)
