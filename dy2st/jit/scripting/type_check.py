"""Each variable of a compiled function has one type: looked at in the Program, when it is staged.

Where paths join with different types, the value is a sum (or a `number`). That alone is no mistake; the first operation that uses
the value is.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.core import Loc, Operation, Program, Value
from ...ir.join import alternatives
from ...ir.types import (
    BOOL,
    NEVER,
    NONE,
    NUMBER,
    UNBOUND,
    AtomType,
    ClassType,
    RecordType,
    ScalarType,
    SequenceType,
    SumType,
    TensorType,
    TupleType,
    Type,
)
from ..interface.errors import ScriptError, script_error, shown
from .readable import readable

PASSED_ON = ("yield", "while", "sum.make")  # what hands a value on without looking at it
ASKS_FIRST = ("sum.tag", "sum.get", "state.set")  # an attribute that isn't there is the class's
SIDES = {"if": ("true branch", "false branch")}


def agrees(own: Type, declared: Type) -> bool:
    """Whether a value of type `own` may stand where another was declared; of Tensors, dtype and shape don't count."""
    if own == NEVER or declared == NEVER:
        return True
    if isinstance(own, RecordType):
        own = own.as_dict()
    if isinstance(own, AtomType):
        return True
    if isinstance(declared, SumType) or isinstance(own, SumType):
        return all(any(agrees(a, b) for b in alternatives(declared)) for a in alternatives(own))
    if isinstance(declared, TensorType) or isinstance(declared, ScalarType):
        return isinstance(own, TensorType) if isinstance(declared, TensorType) else own == declared
    if isinstance(own, SequenceType) and isinstance(declared, TupleType):
        return all(agrees(own.elem, part) for part in declared.elems)
    if isinstance(declared, ClassType):
        return isinstance(own, ClassType) and own.name == declared.name
    if type(own) is not type(declared):
        return False
    parts = own.parts(), declared.parts()
    return len(parts[0]) == len(parts[1]) and all(map(agrees, *parts))


def check_types(program: Program, returns: Callable[[], Loc | None]) -> None:
    """ScriptError at the first use of a value that has several types, or none on some path. returns: where the result is made."""
    uses: dict[Value, list[Operation]] = {}
    for op in program.walk():
        if op.name in PASSED_ON:
            continue
        for value in op.operands:
            uses.setdefault(value, []).append(op)
    for op in (op for op in program.walk() if op.name not in PASSED_ON):
        for value in op.operands:
            owner = value.owner
            joins = owner.name if isinstance(owner, Operation) else ""
            if UNBOUND in alternatives(value.type) and op.name not in ASKS_FIRST:
                raise script_error(undefined(value), op.loc)
            if joins in ("if", "while") and _is_mixed(value.type, joins == "if") and not _is_condition(value, uses):
                _refuse(value, returns() if op.name == "return" else op.loc)


def _is_mixed(type_: Type, numbers_differ: bool) -> bool:
    """Whether a value may be of two types that a hint tells apart; None beside one type makes it Optional.

    A total that starts from the int 0 and becomes a float in a loop is what Python makes of it.
    """
    kinds = [t for t in alternatives(type_) if t not in (NONE, UNBOUND) and not isinstance(t, AtomType)]
    return (NUMBER in kinds and numbers_differ) or len({readable(t) for t in kinds}) > 1


def _is_condition(value: Value, uses: dict[Value, list[Operation]]) -> bool:
    """Whether nothing but the truth of a value is asked: `n > 0 and x.sum() > n` is a bool on one path, a Tensor on the other."""
    for op in uses[value]:
        if op.name == "sum.get" and op.result.type != BOOL:
            if any(use.name != "py.truth" for use in uses.get(op.result, ())):
                return False
        elif op.name not in ("sum.get", "sum.tag", "py.truth"):
            return False
    return True


def _name(value: Value) -> str:
    name = value.name
    return "the result" if not name or name.startswith("return_value") else name


def _refuse(value: Value, loc: Loc | None) -> None:
    owner = value.owner
    assert isinstance(owner, Operation)
    if owner.name == "while":
        where = f"type {readable(value.type)} before the loop and in it"
    else:
        where = " and ".join(f"type {readable(t)} in the {side}" for side, t in _by_path(value, owner))
    used = f"\nand was used here: {loc}{shown(loc)}" if loc is not None else ""
    text = f"Type mismatch: {_name(value)} is set to {where}"
    raise ScriptError(f"{owner.loc}: {text}:{shown(owner.loc)}{used}")


def _by_path(value: Value, owner: Operation) -> list[tuple[str, Type]]:
    """The types that a result has, block by block."""
    index = next(i for i, result in enumerate(owner.results) if result is value)
    found = []
    for side, block in zip(SIDES.get(owner.name, ("body", "handler")), owner.blocks):
        end = block.terminator
        if end is not None and end.name == "yield":
            given = end.operands[index]
            made = given.owner
            source = made.operands[0] if isinstance(made, Operation) and made.name == "sum.make" else given
            found.append((side, source.type))
    return found


def undefined(value: Value) -> str:
    """Why a variable may have no value."""
    owner, name = value.owner, value.name or "a variable"
    if isinstance(owner, Operation) and owner.name == "if":
        sides = [side for side, type_ in _by_path(value, owner) if UNBOUND in alternatives(type_)]
        at = f" of the `if` at {owner.loc}:{shown(owner.loc)}\nand was used here" if owner.loc is not None else ""
        return f"{name} is not defined in the {' and the '.join(sides) or 'other branch'}{at}"
    return f"{name} is not defined where no turn of the loop at {getattr(owner, 'loc', None)} has run; assign it before the loop"
