"""Where it shows only when the Program runs whose memory is written, references know it (`ops/python/references.py`).

    %h = multiply %a, %0                     %1 = multiply %a, %0
                                             %2 = reshape %1, shape=[-1]
                                             %c = cell.new %2
                                             %p = reference.positions %1
                                             %h = tuple.new %c, %p
    %r = getitem %h, index=[{"int": 0}]      %q = getitem %p, index=[{"int": 0}]
                                     ->      %r = tuple.new %c, %q
    list.append %l, %r                       list.append %l, %r
    add_ %h, %0                              %3 = gather (cell.get %c), %p, axis=0
                                             %4 = add %3, %0
                                             cell.set %c, setitem_copy (cell.get %c), %4, %p

It is done to whole groups of the alias analysis. A reference goes wherever its tensor did: through control flow, calls and
containers, whose types change with it and whose operations don't.

1. What makes a tensor is followed by what makes a reference to it; inputs and parameters have theirs at the start.
2. A view is a reference with the same cell. A write reads the whole cell and fills it anew.
3. Operators that hand on what they are given are left as they are (`carriers.py`); others get tensors in place of references.
4. At the end inputs and parameters get what their cells hold, and the result tensors in place of its references.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import DTypeError
from ...ir.core import Block, Operation, Program, Value
from ...ir.spoken import spoken_operator
from ...ir.types import TensorType, Type
from ...ops.python.references import with_references
from ...ops.registry import OPERATORS, OpDef, view_of
from .carriers import CARRIERS, makes_memory
from .contents import MAY_COPY
from .layout import Layout
from .open_references import OpenReferences
from .outside import only_returned
from .places import Part, Place, Root, Storage
from .refusals import refuse


class References:
    """Rewrites a Program so that the tensors among `values`, which are whole groups of memory, are references.

    copies: whether results share no memory with inputs, nor with each other. settled: the operations that write inputs and
    parameters at the end.
    """

    def __init__(self, program: Program, values: Iterable[Value], layout: Layout, copies: bool):
        self.program, self.copies = program, copies
        self.open = OpenReferences()
        self.types = {v: v.type for v in values}
        self.settled: set[Operation] = set()
        self._leave_detached()
        self._shares = {op: layout.shares(op, self._place(op.operands[0], layout)) for op in program.walk() if self._is_view(op)}
        self._asked = [op for op in program.walk() if op.name == "param" and op.result in self.types]
        for op in set(self._asked) - set(program.entry.block.walk()):
            raise refuse(op, f"{op.attrs['name']} is written in place, and used in a function that calls itself")
        self._outside: list[tuple[Value, Value]] = []  # inputs and parameters, and the references to them
        self._parameters: dict[str, Value] = {}
        block = program.entry.block
        ends = {*only_returned(block), block.ops[-1]} if block.ops[-1].name == "return" else ()
        self._ends = [op for op in block.ops if op in ends]

    def _leave_detached(self) -> None:
        """What has been computed without history is memory from its `detach` on."""
        users: dict[Value, list[Operation]] = {}
        for op in self.program.walk():
            for value in op.operands:
                users.setdefault(value, []).append(op)
        for op in self.program.walk():
            if op.name == "detach" and op.result in self.types:
                (value,) = op.operands
                if not makes_memory(value) or users[value] != [op]:
                    raise refuse(op, "detach gives another name to memory that is written in place; write `x.detach().clone()`")
                del self.types[value]

    def _is_view(self, op: Operation) -> bool:
        return view_of(op.name) is not None and op.operands[0] in self.types

    def _place(self, value: Value, layout: Layout) -> Place:
        """Where a tensor lies, as far as views tell."""
        op = value.owner
        if isinstance(op, Operation) and self._is_view(op):
            return Part(self._place(op.operands[0], layout), op, op.operands[1:], value.type)
        return Root(Storage(value.type, row_major=layout.is_row_major(value)))

    # --- the walk ------------------------------------------------------------------------------------------------------

    def rewrite(self) -> None:
        """Rewrite the Program, in place."""
        for value, type_ in self.types.items():
            try:
                value.type = with_references(type_)
            except DTypeError as error:
                at = value.owner if isinstance(value.owner, Operation) else None
                raise refuse(at, f"{error}, and they are written under several names; put clone()s there") from error
        for function in self.program.functions.values():
            ops, function.block.ops = function.block.ops, []
            with self.open.inside(function.block):
                if function is self.program.entry:
                    self._enter(function.block, ops[0])
                self._operations(ops)

    def _enter(self, block: Block, first: Operation) -> None:
        """Case 1: references to inputs and parameters."""
        self.open.at = first
        for k, reference in enumerate(block.args):
            if reference in self.types:
                block.args[k] = Value(self.types[reference], reference.name, block)
                self._lift(block.args[k], reference)
        for op in self._asked:
            if op.attrs["name"] not in self._parameters:
                lifted = self.open.core("param", (), op.attrs, [self.types[op.result]])
                self._parameters[op.attrs["name"]] = op.result
                self._lift(lifted.result, op.result)

    def _lift(self, given: Value, reference: Value) -> None:
        if not isinstance(given.type, TensorType):
            raise refuse(self.open.at, f"{given.name or 'an input'} holds tensors that are written in place; pass them alone")
        self.open.make(reference, given)
        self._outside.append((given, reference))

    def _operations(self, ops: list[Operation]) -> None:
        for op in ops:
            for block in op.blocks:
                inner, block.ops = block.ops, []
                with self.open.inside(block):
                    self._operations(inner)
            self.open.at = op
            op.operands = [self._parameter(v) for v in op.operands]
            if op not in self._ends:
                self._operation(op)
            elif op is self._ends[-1]:
                self._end(op)

    def _parameter(self, value: Value) -> Value:
        op = value.owner
        return self._parameters.get(op.attrs["name"], value) if isinstance(op, Operation) and op.name == "param" else value

    def _operation(self, op: Operation) -> None:
        definition = OPERATORS.get(op.name)
        if op.name in CARRIERS or not any(v in self.types for v in (*op.operands, *op.results)):
            self.open.append(op)
        elif op in self._shares:
            self._view(op)
        elif definition is not None and any(self._is_tensor(op.operands[k]) for k in definition.mutates):
            self._write(op, definition)
        elif op not in self._asked:
            self._compute(op)

    def _is_tensor(self, value: Value) -> bool:
        return isinstance(self.types.get(value), TensorType)

    def _emit(self, op: Operation, name: str, operands: list[Value], type_: Type) -> Value:
        return self.open.emit(name, operands, op.attrs, type_, op.n_positional)

    # --- operations ----------------------------------------------------------------------------------------------------

    def _view(self, op: Operation) -> None:
        """Case 2."""
        base, *others = op.operands
        view = OPERATORS[op.name].view
        assert view is not None
        if self._shares[op] is None:
            raise refuse(op, MAY_COPY.format(op.name))
        others = [self._tensor(v) for v in others]
        if self._shares[op] is False:
            copied = self._emit(op, view.copy, [self._tensor(base), *others], self.types[op.result])
            self.open.make(op.result, copied)
            return
        (cell, places), (cell_type, type_) = self.open.halves(base), op.result.type.elems  # type: ignore[attr-defined]
        if view.scatter is None or view.of_memory or cell_type != cell.type:
            why = "gives another name to memory that is written in place; write `x.clone()` in place of x"
            raise refuse(op, f"{spoken_operator(op.name)} {why}")
        self.open.pair(op.result, cell, self._emit(op, op.name, [places, *others], type_))

    def _write(self, op: Operation, definition: OpDef) -> None:
        """Case 2."""
        if definition.functional is None:
            raise refuse(op, f"{spoken_operator(op.name)} has no form that writes nothing")
        targets = [op.operands[k] for k in definition.mutates]
        if len(targets) > 1 and sum(map(self._is_tensor, op.operands)) > 1:
            raise refuse(op, f"{spoken_operator(op.name)} writes several tensors that have other names as well; give it clone()s")
        operands, types = [self._tensor(v) for v in op.operands], [self.types.get(v, v.type) for v in targets]
        values = self.open.emit_all(definition.functional, operands, op.attrs, types, op.n_positional)
        for target, value, type_ in zip(targets, values, types):
            if not self._is_tensor(target):
                self.open.core("copy_", [target, value])
            elif value.type != type_:
                why = "changes the shape of memory that has other names; write into a clone()"
                raise refuse(op, f"{spoken_operator(op.name)} {why}")
            else:
                self.open.write(target, value)

    def _compute(self, op: Operation) -> None:
        """Cases 1 and 3."""
        definition = OPERATORS.get(op.name)
        is_known = definition is not None or op.name == "raise"
        changes = any(op.operands[k] in self.types for k in definition.mutates) if definition is not None else False
        if not is_known or changes or not all(self._is_tensor(v) for v in op.results if v in self.types):
            why = "deals with tensors that are written under several names; give it clone()s"
            raise refuse(op, f"{spoken_operator(op.name)} {why}")
        op.operands = [self._tensor(v) for v in op.operands]
        references = op.results
        op.results = [Value(self.types[v], v.name, op) if v in self.types else v for v in references]
        self.open.append(op)
        for reference, value in zip(references, op.results):
            if reference is not value:
                self.open.make(reference, value)

    def _end(self, op: Operation) -> None:
        """Case 4."""
        for given, reference in self._outside:
            self.settled.add(self.open.core("copy_", [given, self._tensor(reference)]))
            if not self.copies:
                self.open.move(reference, given)
        known = self._results(list(dict.fromkeys(v for end in self._ends for v in end.operands if v in self.types)))
        for end in self._ends:
            end.operands = [known[v] if v in self.types else v for v in end.operands]
            self.open.append(end)

    def _results(self, values: list[Value]) -> dict[Value, Value]:
        """What stands for them outside, all of it made at once: what they share they go on sharing."""
        if not values:
            return {}
        whole = self.open.emit("tuple.new", values, {})
        tensors = self.open.emit("reference.tensors", [whole], {"copy": True} if self.copies else {})
        return {v: self.open.emit("tuple.get", [tensors], {"index": k}, self.types[v]) for k, v in enumerate(values)}

    def _tensor(self, value: Value) -> Value:
        """What stands for a Value where tensors are wanted: itself, or the tensors of what it refers to."""
        if value not in self.types:
            return value
        if not self._is_tensor(value):
            return self.open.emit("reference.tensors", [value], {}, self.types[value])
        return self.open.read(value, self.types[value])
