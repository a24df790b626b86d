"""The adjoints of what containers hold lie in their shadows: containers like them.

A shadow is made when its container is complete. What is done to the container is undone to the shadow, in reverse order.

ByName: every list that gradients flow through is called by the name that it was made under. So each shadow has a name as well,
and the backward can be differentiated again.
ByIdentity: other shadows are found when the Program runs: of a list in a list, of a dict or an object, of a list that depends on
the path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...ir.alias import holds_objects
from ...ir.core import Block, Operation, Value
from ...ir.types import INT, CellType, ClassType, DictType, ListType, SequenceType, SumType, TensorType, TupleType, Type
from ...runtime.tensors.activity import Activity, holds_floats
from .adjoints import total
from .emitter import Emitter

MAKE = ("list.new", "adjoint.zeros")  # the operators that make lists with a name
_NAMED = ("list.append", "list.pop", "list.insert", "list.set", "list.get", "list.stack", "list.concat_tensors")
_READ = ("return", "list.len", "adjoint.zeros")


def is_container(type_: Type) -> bool:
    """Whether values of the type are shared by reference, and hold others."""
    return isinstance(type_, ListType | DictType | ClassType | CellType)


def flows(type_: Type) -> bool:
    """Whether gradients go with values of the type, rather than into their shadow."""
    if isinstance(type_, TupleType | SequenceType | SumType):
        return any(map(flows, type_.parts()))
    return isinstance(type_, TensorType) and holds_floats(type_)


def are_named(operations: Iterable[Operation], activity: Activity) -> bool:
    """Whether every container that gradients flow through is a list that is called by the name it was made under."""
    for op in operations:
        inside = [v for b in op.blocks for v in b.args]
        if op.name not in MAKE and any(holds_objects(v.type) and v in activity for v in (*op.results, *inside)):
            return False
        holders = op.operands[1:] if op.name in _NAMED else () if op.name in _READ else op.operands
        if any(holds_objects(v.type) and v in activity for v in holders):
            return False
    return True


class ByName:
    """The shadow of each list, made where the backward of the list's Block starts."""

    def __init__(self, emit: Emitter, activity: Activity):
        self.emit, self.activity = emit, activity
        self.known: dict[Value, Value] = {}

    def open(self, ops: Iterable[Operation]) -> None:
        """Make the shadows of the lists that operations of one Block make."""
        for op in ops:
            if op.name in MAKE and is_container(op.result.type) and op.result in self.activity and op.result not in self.known:
                self.known[op.result] = self.emit.op("adjoint.zeros", op.result)

    def of(self, value: Value) -> Value:
        """The shadow of a container."""
        return self.known[value]

    def concern(self, values: Iterable[Value]) -> bool:
        """Whether gradients are kept of one of these."""
        return any(v in self.known for v in values)

    def enter(self, value: Value, gradient: Value) -> Value | None:
        """Put what arrives at a result into shadows; what goes on with the result itself."""
        shadow = self.known.get(value)
        if shadow is None:
            return gradient
        for_each(self.emit, shadow, lambda i: add_at(self.emit, shadow, i, self.emit.op("list.get", gradient, i)))
        return None


class ByIdentity(ByName):
    """The shadow of each container, made when it is first asked for."""

    def __init__(self, emit: Emitter, activity: Activity, ledger: Value | None = None):
        super().__init__(emit, activity)
        self.ledger = ledger or emit.op("adjoint.ledger")

    def open(self, ops: Iterable[Operation]) -> None:
        """They are made later."""

    def of(self, value: Value) -> Value:
        """The shadow of a container."""
        return self.emit.op("adjoint.shadow", self.ledger, value)

    def concern(self, values: Iterable[Value]) -> bool:
        """Whether gradients are kept of one of these."""
        return any(holds_objects(v.type) and v in self.activity for v in values)

    def enter(self, value: Value, gradient: Value) -> Value | None:
        """Put what arrives at a result into shadows; what goes on with the result itself."""
        if isinstance(value.type, TensorType):
            return gradient
        left = self.emit.op("adjoint.enter", self.ledger, value, gradient)
        return left if flows(value.type) else None


def shadows_of(operations: list[Operation], activity: Activity, emit: Emitter) -> ByName:
    """The shadows of the containers that operations handle; those by identity lie in the open Block."""
    return (ByName if are_named(operations, activity) else ByIdentity)(emit, activity)


def add_at(emit: Emitter, shadow: Value, index: Value, gradient: Value) -> None:
    """Add to the adjoint of one item of a list or dict."""
    kind = "dict" if isinstance(shadow.type, DictType) else "list"
    item = emit.op(f"{kind}.get", shadow, index)
    emit.op(f"{kind}.set", shadow, index, total(emit, item, gradient, item))


def for_each(emit: Emitter, list_: Value, body: Callable[[Value], None]) -> None:
    """`for i in range(len(list_)): body(i)`."""
    count = emit.op("list.len", list_)
    blocks = [Block([INT]), Block([INT])]
    with emit.at(blocks[0]) as condition:
        emit.core("yield", [emit.op("py.lt", condition.args[0], count)])
    with emit.at(blocks[1]) as turn:
        body(turn.args[0])
        emit.core("yield", [emit.op("py.add", turn.args[0], emit.const(1))])
    emit.core("while", [emit.const(0)], [INT], None, blocks)
