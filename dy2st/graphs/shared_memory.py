"""Memory that a call shares with its caller, of which a graph, which only computes, knows nothing.

    def main(%x: float32[3]) -> tuple<float32[3], float32[2]>:
      %n = param name="n" : float32[2]
      add_ %n, ...                                     # as the call leaves it, item 1 of the result is the parameter itself
      return (%y, %n)                                  # Sharing.same == {(1,): ("parameter", "n")}
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import reduce
from itertools import chain
from operator import getitem
from typing import Any, NamedTuple

import numpy as np

from ..errors import EngineError
from ..ir.alias import Aliases, holds_memory, holds_objects
from ..ir.core import Operation, Program, Value
from ..ir.native import leaves, rebuilt
from ..ir.types import TensorType, Type
from ..ops.registry import OPERATORS, view_of
from ..passes.copying import Copy
from ..passes.functionalize import taken_for_granted
from ..passes.values import Interface
from .kept_containers import changed_state

Place = tuple[int, ...]  # which item of which item of a tuple
Twins = dict[Place, Place]
_ROLES = {"parameter": "param", "state": "state"}  # in the alias sets


class Origin(NamedTuple):
    """An argument, parameter or container of the state, and the operators that give a view of it, one after the other."""

    role: str
    key: Any
    views: tuple[Operation, ...] = ()

    def taken(self, held: Mapping[str, Any]) -> Any:
        """The caller's own memory; held: arguments, parameters and state by role."""
        return reduce(lambda base, op: OPERATORS[op.name].kernel(base, **op.attrs), self.views, held[self.role][self.key])


class Sharing:
    """The memory that the entry of a Program shares with its caller.

    same: the parts of the result that are an argument, parameter or container of the state, or a view of one, by place.
    twins: the parts that are another part, by place. memory: what is taken for granted of inputs.
    changed: the names of state whose containers are changed where they are.

    interface: of the Program without a heap. engine: what messages call it.

    EngineError: another part of the result may be a view of memory that the Program writes, which the caller would see change;
    it can't be told which containers are which after the call.
    """

    def __init__(self, program: Program, interface: Interface, engine: str):
        ended = program.entry.block.terminator
        self.same: dict[Place, Origin] = {}
        self.twins = twins_of(program)
        self.memory = taken_for_granted(program)
        apart, copies = _apart(program)
        aliases = Aliases(apart, OPERATORS)
        self.changed = changed_state(apart, aliases, interface, engine)
        if ended is not None and ended.name == "return":
            parts = dict(_parts(ended.operands[0]))
            self.same = {place: found for place, value in parts.items() if (found := _origin(value, program))}
            others = [copies[value] for place, value in parts.items() if place not in self.same]
            _refuse_views(apart, aliases, interface, others, engine)

    def check(self, inputs: Iterable[Any], parameters: Mapping[str, np.ndarray]) -> None:
        """ValueError: inputs share memory, and the Program writes into one."""
        if self.memory is not None:
            arrays = chain.from_iterable(leaves(x, lambda part: isinstance(part, np.ndarray)) for x in inputs)
            self.memory.check(arrays, parameters.values())

    def restored(self, result: Any, held: Mapping[str, Any]) -> Any:
        """The result with the caller's own memory where it is that; held: arguments, parameters and state by role."""
        for place, origin in self.same.items():
            result = _replaced(result, place, origin.taken(held))
        return with_twins(result, self.twins)


def twins_of(program: Program) -> Twins:
    """The parts of the result of a Program's entry that are another part, a tensor or a container, by place."""
    ended = program.entry.block.terminator
    parts = dict(_parts(ended.operands[0])) if ended is not None and ended.name == "return" else {}
    first = {value: place for place, value in reversed(parts.items()) if holds_memory(value.type)}
    return {place: first[value] for place, value in parts.items() if first.get(value, place) != place}


def with_twins(result: Any, twins: Twins) -> Any:
    """A result in native form with the parts that are another part."""
    for place, other in twins.items():
        result = _replaced(result, place, reduce(getitem, other, result))
    return result


def _parts(value: Value, place: Place = ()) -> Iterator[tuple[Place, Value]]:
    """The items of a tuple that the Function makes, and of those inside it; the value itself, where it is none."""
    op = value.owner
    if isinstance(op, Operation) and op.name == "tuple.new":
        for k, item in enumerate(op.operands):
            yield from _parts(item, (*place, k))
    else:
        yield place, value


def _origin(value: Value, program: Program) -> Origin | None:
    """The argument, parameter or container of the state that a value is, or is a view of in a way that no run decides."""
    views: list[Operation] = []
    while (view := _view(value)) is not None:
        views.insert(0, view)
        value = view.operands[0]
    op, arguments = value.owner, program.entry.block.args
    if value in arguments and (isinstance(value.type, TensorType) or holds_objects(value.type)):
        return Origin("argument", arguments.index(value), tuple(views))
    if isinstance(op, Operation) and op.name == "param":
        return Origin("parameter", op.attrs["name"], tuple(views))
    if isinstance(op, Operation) and op.name == "state.get" and holds_objects(value.type):
        name = op.attrs["name"]
        is_exchanged = any(other.name == "state.set" and other.attrs["name"] == name for other in program.walk())
        return None if is_exchanged else Origin("state", name)
    return None


def _view(value: Value) -> Operation | None:
    """The operator that gives a value as a view, of its first operand alone."""
    op = value.owner
    view = view_of(op.name) if isinstance(op, Operation) else None
    is_fixed = view is not None and not (view.may_copy or view.of_memory)
    return op if isinstance(op, Operation) and is_fixed and len(op.operands) == 1 else None


def _replaced(value: Any, place: Place, part: Any) -> Any:
    if not place:
        return part
    items = [_replaced(item, place[1:], part) if k == place[0] else item for k, item in enumerate(value)]
    return rebuilt(value, items)


def _refuse_views(program: Program, aliases: Aliases, interface: Interface, values: list[Value], engine: str) -> None:
    """EngineError for a part of the result that may share memory with what the Program writes."""
    for kind in (_has_tensors, holds_objects):
        written = _written(program, aliases, interface, kind)
        for value in values:
            shared = written.get(aliases.group(value), ()) if kind(value.type) else ()
            if shared:
                made = value.owner if isinstance(value.owner, Operation) else program.entry.block.ops[-1]
                where = f"{made.loc}: " if made.loc else ""
                raise EngineError(
                    f"{where}the result may share memory with {', '.join(shared)}, which this function writes, so that later "
                    f"writes change it: return a copy, y.clone() or list(xs) (backend={engine!r})"
                )


def _has_tensors(type_: Type) -> bool:
    return type_.holds(TensorType)


def _apart(program: Program) -> tuple[Program, dict[Value, Value]]:
    """A copy that doesn't put the parts of its result into one tuple, where all of them would count as one; the Values in it."""
    copy = Copy()
    functions = {name: copy.function(function) for name, function in program.functions.items()}
    made = Program(functions, program.parameters, program.state, program.errors)
    ops = made.entry.block.ops
    pending = ops.pop().operands if ops[-1].name == "return" else []
    while pending:
        op = pending.pop().owner
        if not isinstance(op, Operation) or op.name != "tuple.new" or op not in ops:
            continue  # as what stands twice in the result is gone when it comes again
        if not any(op.result in other.operands for other in made.walk()):
            ops.remove(op)
            pending += op.operands
    return made, copy.values


def _written(program: Program, aliases: Aliases, interface: Interface, kind: Callable[[Type], bool]) -> dict[Hashable, list[str]]:
    """The caller's tensors or containers that a call writes: their names by alias set."""
    changed, found = _changed_in_place(program, aliases, kind), dict[Hashable, list[str]]()
    arguments = program.entry.block.args
    for left in interface.outputs:
        group = aliases.group(arguments[left.number] if left.kind == "written" else (_ROLES.get(left.kind), left.name))
        if group in changed and kind(left.original):  # the state may have another value, with that of before as it was
            found.setdefault(group, []).append(left.name)
    return found


def _changed_in_place(program: Program, aliases: Aliases, kind: Callable[[Type], bool]) -> set[Hashable]:
    """The alias sets of what operators write where it is."""
    found = set()
    for op in program.walk():
        for k in OPERATORS[op.name].mutates if op.name in OPERATORS else ():
            value = op.operands[k]
            if isinstance(value.type, TensorType) == (kind is _has_tensors):
                found.add(aliases.group(value))
    return found
