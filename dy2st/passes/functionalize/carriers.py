"""The operations that hand on what they are given, or find in a container, without a look into it."""

from __future__ import annotations

from ...ir.core import Operation, Value
from ...ops.registry import OPERATORS, view_of

_CARRIERS = """
    if while try call yield return undef unbound cell.new cell.get cell.set sum.make sum.get sum.tag py.is
    list.new list.append list.extend list.insert list.pop list.get list.set list.set_slice list.delete list.delete_slice list.len
    list.clear list.reverse list.copy list.slice list.concat list.repeat
    dict.new dict.set dict.get dict.get_default dict.setdefault dict.pop dict.popitem dict.delete dict.update dict.merge dict.copy
    dict.clear dict.contains dict.len dict.keys dict.values dict.items
    object.new object.get object.set object.delete object.has object.copy
    tuple.new tuple.get tuple.get_dynamic tuple.slice tuple.concat tuple.len tuple.to_list sequence.from_list sequence.from_tuple
    sequence.get sequence.slice sequence.concat sequence.repeat sequence.len sequence.to_list
"""
CARRIERS = frozenset(_CARRIERS.split())


def makes_memory(value: Value) -> bool:
    """Whether an operator has made a tensor in memory of its own."""
    op = value.owner
    return isinstance(op, Operation) and op.name in OPERATORS and op.name not in CARRIERS and view_of(op.name) is None
