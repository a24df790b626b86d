"""Types as hints have them: `List[Tensor]`, `Optional[int]`."""

from __future__ import annotations

from ...ir.types import NONE, ClassType, DictType, ListType, SetType, SumType, TensorType, TupleType, Type
from .scalars import NAMES


def readable(type_: Type) -> str:
    """The name of a type as a hint has it."""
    if isinstance(type_, TensorType):
        return "Tensor"
    if type_ in NAMES:
        return NAMES[type_]
    if isinstance(type_, ListType):
        return f"List[{readable(type_.elem)}]"
    if isinstance(type_, SetType):
        return f"Set[{readable(type_.elem)}]"
    if isinstance(type_, DictType):
        return f"Dict[{readable(type_.key)}, {readable(type_.value)}]"
    if isinstance(type_, TupleType):
        return type_.name or f"Tuple[{', '.join(map(readable, type_.elems)) or '()'}]"
    if isinstance(type_, ClassType):
        return type_.name
    if isinstance(type_, SumType):
        kinds = list(dict.fromkeys(readable(t) for t in type_.alternatives if t != NONE))
        inner = kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"
        return f"Optional[{inner}]" if NONE in type_.alternatives else inner
    return str(type_)
