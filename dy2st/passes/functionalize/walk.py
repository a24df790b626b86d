"""The walk over a Program: each operation in order, with Places for what memory that is written holds."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from ...ir.alias import Aliases
from ...ir.core import Block, Function, Operation, Program, Value
from ...ir.spoken import spoken_operator
from ...ops.registry import OPERATORS, OpDef, View
from .containers import Containers
from .contents import StorageContents
from .layout import Layout
from .loops import rewrite_loop
from .outside import keep_sharing, lift_parameters, only_returned, write_back
from .places import Bundle, Fixed, Part, Place, Root, Storage, part_of
from .recursion import FunctionWrites, rewrite_call
from .refusals import refuse, unclear
from .regions import merge_if
from .tries import merge_try
from .uses import LiveRanges
from .writes import Writes

TUPLES = ("tuple.new", "sum.make")
PARTS = ("tuple.get", "sum.get")


class Walk(Writes):
    """The rewriting of one Program: its present state.

    copies: whether every view gives way to the operator that copies. The rest is as of `Writes`.
    """

    def __init__(
        self, program: Program, aliases: Aliases, layout: Layout, copies: bool, lift: bool, settled: Collection[Operation] = ()
    ):
        super().__init__(program, aliases, lift, settled)
        self.copies, self.layout, self.uses = copies, layout, LiveRanges(program)
        self.contents = StorageContents(copies)
        self.containers = Containers(self)
        self.current = program.entry
        self.recursion = FunctionWrites(self)
        self.places: dict[Value, Place] = {}
        self.known_as: dict[Storage, list[Value]] = {}
        self.inputs: list[Storage] = []
        self.parameters: dict[str, Storage] = {}
        self.asked = [op for op in program.walk() if op.name == "param" and self.matters(op.result)]
        self.returned: set[Operation] = set()
        self.changed = False

    # --- Values and Places ---------------------------------------------------------------------------------------------

    def place(self, value: Value) -> Place:
        """Where a Value of the original Program is to be found."""
        return self.places.get(value) or Fixed(value)

    def read(self, value: Value) -> Value:
        """What stands for a Value now."""
        place = self.places.get(value)
        return value if place is None else self.contents.read(place)

    def bind(self, value: Value, place: Place) -> None:
        """The Value is to be found at `place`."""
        self.places[value] = place
        for storage in place.storages():
            self.known_as.setdefault(storage, []).append(value)

    def new_storage(self, value: Value, holding: Value | None = None, outside: Value | None = None) -> Storage:
        """Memory that `value` is all of, which holds `holding` at its start."""
        storage = Storage(value.type, value.name, self.group(value), outside, self.layout.is_row_major(value))
        self.bind(value, Root(storage))
        self.contents.make(storage, holding if holding is not None else value)
        return storage

    def is_dead(self, storage: Storage, op: Operation) -> bool:
        """Whether nothing that starts after `op` has started uses a Value in this Storage."""
        return self.uses.ends_with(self.known_as.get(storage, []), op)

    def _ends_at(self, storage: Storage, op: Operation) -> bool:
        """Whether `op` is the last that sees this Storage: nobody can tell then whether what it gives is a view or a copy."""
        is_known = storage.outside is not None or storage.kept or storage.shelves or storage in self.contents.twins
        return not is_known and not storage.in_container and self.is_dead(storage, op)

    # --- the walk ------------------------------------------------------------------------------------------------------

    def function(self, function: Function) -> None:
        """Rewrite a Function; inputs of the entry see what they hold at its end."""
        block = function.block
        entry = function is self.program.entry
        self.returned = only_returned(block) if entry else set()
        ops, block.ops = block.ops, []
        with self.contents.inside(block):
            for value in block.args:
                if self.matters(value):
                    storage = self.new_storage(value, outside=value)
                    storage.name = storage.name or "an input"
                    if entry:
                        self.inputs.append(storage)
                    elif value not in self.recursion.written_arguments(function):
                        storage.kept = f"it is an argument of {function.name}, which calls itself"
            if entry:
                lift_parameters(self)
            self.current = function
            for op in ops:
                self.operation(op)
        self.changed |= block.ops != ops

    def block(self, block: Block, prologue: Callable[[], None] | None = None) -> Operation:
        """Rewrite the operations of a nested Block, all but the last one, which is given back; `prologue` comes before them."""
        ops, block.ops = block.ops, []
        if prologue is not None:
            prologue()
        for op in ops[:-1]:
            self.operation(op)
        return ops[-1]

    def operation(self, op: Operation) -> None:
        """Rewrite one operation."""
        self.contents.at = op
        handler = _HANDLERS.get(op.name)
        if handler is not None:
            handler(self, op)
            return
        definition = OPERATORS.get(op.name)
        if op in self.returned:
            self._bundle(op)
        elif definition is not None and self.writes(op):
            self._write(op, definition)
        elif definition is not None and definition.view is not None:
            self._view(op, definition.view)
        else:
            self._compute(op)

    def _write(self, op: Operation, definition: OpDef) -> None:
        if definition.functional is None:
            raise refuse(op, f"{spoken_operator(op.name)} has no form that writes nothing")
        targets = [op.operands[k] for k in definition.mutates]
        if len(targets) > 1:
            self._refuse_overlap(op)
        operands, types = [self.read(v) for v in op.operands], [self.place(v).type for v in targets]
        values = self.contents.emit_all(definition.functional, operands, op.attrs, types, op.n_positional)
        for target, value in zip(targets, values):
            if self.matters(target):
                self.contents.write(self.places[target], value)
            else:
                self.contents.core("copy_", [target, value])

    def _refuse_overlap(self, op: Operation) -> None:
        """An operator that writes one operand before it reads another needs memory of its own for each."""
        storages = [storage for v in op.operands for storage in set(self.place(v).storages())]
        if len(set(storages)) < len(storages):
            raise refuse(op, f"{spoken_operator(op.name)} is given two tensors that share memory; pass a clone() of one")

    def _view(self, op: Operation, view: View) -> None:
        base = op.operands[0]
        if base not in self.places:
            if self.copies and not self.stays(base):
                op.name = view.copy
                self.changed = True
            self.plain(op)
            return
        shares = self.layout.shares(op, self.places[base])
        operands = [self.read(v) for v in op.operands]
        name = self.contents.viewing(op.name)
        made = self.contents.emit(name, operands, op.attrs, op.result.type, op.n_positional)
        made.name = op.result.name
        if shares is False or shares is None and all(self._ends_at(s, op) for s in self.places[base].storages()):
            self.new_storage(op.result, made)
            return
        part = Part(self.places[base], op, operands[1:], op.result.type, shares)
        self.bind(op.result, part)
        self.contents.remember(part, made)

    def _compute(self, op: Operation) -> None:
        if self.containers.concerns(op):
            self.containers.operation(op)
            return
        if op.name == "py.is" and all(v in self.places for v in op.operands):
            raise unclear(op, "`is` between tensors that are written in place; compare flags that say which one it is")
        self.plain(op)
        for value in op.results:
            if self.matters(value):
                self.new_storage(value)

    def plain(self, op: Operation) -> None:
        """Append an operation with what stands for its operands now."""
        op.operands = [self.read(v) for v in op.operands]
        self.contents.append(op)

    # --- core operations -----------------------------------------------------------------------------------------------

    def _param(self, op: Operation) -> None:
        if not self.matters(op.result):
            self.plain(op)
        elif self.parameters[op.attrs["name"]] not in self.contents.now:
            raise refuse(op, f"{op.attrs['name']} is written in place, and used in a function that calls itself")
        else:
            self.bind(op.result, Root(self.parameters[op.attrs["name"]]))

    def _bundle(self, op: Operation) -> None:
        if not any(v in self.places for v in op.operands) and not self.matters(op.result):
            self.plain(op)
            return
        self.bind(op.result, Bundle(op, [self.place(v) for v in op.operands], op.result.type))

    def _part(self, op: Operation) -> None:
        base = self.places.get(op.operands[0])
        if base is None:
            self.plain(op)
        else:
            self.bind(op.result, part_of(base, op))

    def _return(self, op: Operation) -> None:
        written = self.recursion.written_arguments(self.current)
        if self.current is self.program.entry:
            write_back(self)
            if not self.copies:
                keep_sharing(self, op)
        elif written:
            parts = [self.read(v) for v in (*op.operands, *written)]
            op.operands = [self.contents.emit("tuple.new", parts, {})]
            self.contents.append(op)
            return
        self.plain(op)


_HANDLERS: dict[str, Any] = {
    **dict.fromkeys(TUPLES, Walk._bundle),
    **dict.fromkeys(PARTS, Walk._part),
    "sum.tag": Walk.plain,
    "param": Walk._param,
    "call": rewrite_call,
    "return": Walk._return,
    "if": merge_if,
    "try": merge_try,
    "while": rewrite_loop,
}
