"""A finished Program is called from the one that is being recorded: what was traced or loaded, or what a trace calls.

Its Functions join those of the recording, for the types that the call has, under the recording's names of parameters and state:

    def main(%x: float32[3]) -> float32[3]:                       def inner(%x: float32[3]) -> float32[3]:
      %0 = call %x, function="inner" : float32[3]                   %0 = state.get, name="part.count" : int
      return %0                                                     ...
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import ConversionError
from ...ir.core import Function, Operation, Program, Value
from ...ir.functions import add_function
from ...ir.join import alternatives, is_subtype, map_tensors
from ...ir.names import free
from ...ir.native import Atom
from ...ir.types import FLOAT, INT, NEVER, AtomType, ClassType, ScalarType, SumType, TensorType, TupleType, Type
from ...ir.visible import visible
from ...nn.layer import Layer
from ...ops.registry import OPERATORS, lookup
from ...ops.torch_errors import of_operation
from ...passes import run
from ...passes.copying import copied
from ...pytree import nodes
from ...runtime.engine.exceptions import ExceptionClasses
from ...runtime.heap.enum_members import is_member
from ...runtime.heap.markers import Restage
from ...runtime.outside.facts import StateSlot
from ...runtime.recorder.no_grad import cut_block
from ...runtime.recorder.recorder import Recorder
from ...runtime.recorder.try_bodies import Thrown
from ...runtime.tensors.grad_mode import is_grad_enabled
from ...runtime.tensors.tensor import Tensor
from .errors import ScriptTypeError


@dataclass
class Callee:
    """A finished Program and what is alive behind its names.

    tensors: its parameters; state: where each of its state lives; objects, exceptions: its classes and constants by name;
    places: the attributes of layers that hold its tensors; title: what the layer is called that it belongs to. name: what is
    called, in messages.
    """

    name: str
    program: Program
    tensors: Mapping[str, Tensor]
    state: Mapping[str, Any] = field(default_factory=dict)
    objects: dict[str, Any] = field(default_factory=dict)
    exceptions: Mapping[str, type] = field(default_factory=dict)
    places: Iterable[tuple[Layer, str]] = ()
    title: str = ""

    def call(self, rec: Recorder, function: str, inputs: list) -> Any:
        """Record a call of one of its Functions."""
        args = self.program.functions[function].block.args
        operands = [rec.lower(_as(rec, value, arg, self.name)) for value, arg in zip(inputs, args)]
        types = [_specialised(rec.type_of_value(v), arg.type) for v, arg in zip(operands, args)]
        key = (id(self.program), function, is_grad_enabled(), *map(str, types))
        if key not in rec.callees:
            rec.callees[key] = self._join(rec, function, types)
        made = rec.program.functions[rec.callees[key]]
        rec.may_raise(list(_thrown(self.program, self.exceptions)))
        end = made.block.terminator
        assert end is not None
        result = [v.type for v in end.operands] if end.name == "return" else []
        op = rec.emit("call", operands, result, {"function": made.name})
        elements = rec.heap.elements
        for operand, arg in zip(operands, made.block.args):
            elements.unify(elements.class_of(operand), elements.class_of(arg))
            if op.results and operand.type == op.result.type:  # it may be this very container
                elements.unify(elements.class_of(operand), elements.class_of(op.result))
        self._read_again(rec)
        if not op.results:
            rec.end_dead()
        self._know(rec, op.result.type)
        return rec.wrap(op.result)

    # --- joining -------------------------------------------------------------------------------------------------------

    def _join(self, rec: Recorder, function: str, types: list[Type]) -> str:
        """Put the Functions that a call reaches into the recording; the name of the one that is called."""
        program = copied(self.program)
        entry = program.functions[function]
        program.functions = {function: entry, **program.functions}
        for op in program.walk():
            for value in (*op.results, *(arg for block in op.blocks for arg in block.args)):
                value.type = map_tensors(value.type, _without_names)
        for arg, type_ in zip(entry.block.args, types):
            arg.type = type_
        run(program, "inline", "shapes")
        if not is_grad_enabled():
            for made in program.functions.values():
                cut_block(made.block, {})
        names = {old: add_function(rec.program, old).name for old in program.functions}
        for op in program.walk():
            self._rename(rec, op, names)
        for old, made in program.functions.items():
            rec.program.functions[names[old]] = Function(names[old], made.block)
        for text, obj in self.objects.items():
            if rec.objects.setdefault(text, obj) is not obj:
                raise ConversionError(f"{rec.here()}: what is compiled together has two objects called {text}: rename one")
        rec.exceptions.update(self.exceptions)
        for layer, name in self.places:
            rec.facts.guards.read(layer, None, (name,))
        return names[function]

    def _rename(self, rec: Recorder, op: Operation, names: dict[str, str]) -> None:
        if op.name == "call":
            op.attrs["function"] = names[op.attrs["function"]]
        elif op.name == "param":
            op.attrs["name"] = rec.parameter(self.tensors[op.attrs["name"]]).name
        elif op.name in ("state.get", "state.set"):
            op.attrs["name"] = self._slot(rec, op.attrs["name"]).name

    # --- state ---------------------------------------------------------------------------------------------------------

    def read(self, rec: Recorder, name: str) -> Any:
        """What the state holds where the recording is now: an exception may have left a call that had stored it."""
        slot = self._slot(rec, name)
        value = rec.emit("state.get", (), [slot.type], {"name": slot.name}).result
        rec.heap.elements.unify(slot.found, rec.heap.elements.class_of(value))
        return rec.wrap(value)

    def _slot(self, rec: Recorder, name: str) -> StateSlot:
        """The state of the recording that lives at the same place."""
        location, state = self.state[name], rec.facts.state
        slot = state.get(location.key)
        if slot is None:
            self._refuse_unknown(rec, name)
            slot = StateSlot(free(f"{self.title}.{name}" if self.title else name, {s.name for s in state.values()}), location)
            slot.type, slot.start = self.program.state[name].type, location.get()
            state[location.key] = slot
            if rec.facts.holds_state:
                raise Restage.of_function()
        if slot.name not in rec.program.state:
            rec.declare_state(slot, location.get())
        return slot

    def _refuse_unknown(self, rec: Recorder, name: str) -> None:
        """ConversionError: a loaded model keeps a NamedTuple or a member of an Enum, which this process has no class for."""
        for kept in nodes(self.program.state[name].type, lambda part: part.parts()):
            text = kept.text if isinstance(kept, AtomType) else f"tuple {kept.name}" if isinstance(kept, TupleType) else ""
            if text not in ("", "tuple ") and text not in self.objects:
                raise ConversionError(
                    f"{rec.here()}: {self.name} keeps {visible(text)} in {visible(name)}, whose class isn't known here; call the "
                    "loaded model outside of the function, or save it with a number or a plain tuple there"
                )

    def _read_again(self, rec: Recorder) -> None:
        """What the Function has stored is what staging finds from here on."""
        stored = {op.attrs["name"] for f in rec.program.functions.values() for op in f.block.walk() if op.name == "state.set"}
        if not rec.facts.holds_state or not stored:
            return
        for slot in {s.location.key: s for s in rec.facts.state.values() if s.location.key in self._keys()}.values():
            if slot.name in stored:
                value = rec.emit("state.get", (), [slot.type], {"name": slot.name}).result
                rec.heap.elements.unify(slot.found, rec.heap.elements.class_of(value))
                rec.journal.write(slot.location, rec.wrap(value))

    def _keys(self) -> set[tuple]:
        return {location.key for location in self.state.values()}

    # --- results -------------------------------------------------------------------------------------------------------

    def _know(self, rec: Recorder, type_: Type) -> None:
        """Classes of a loaded Program that nobody here knows are made; of its other objects there is the name."""
        if isinstance(type_, TupleType) and type_.name and f"tuple {type_.name}" not in rec.objects:
            rec.objects[f"tuple {type_.name}"] = namedtuple(type_.name, type_.fields)  # type: ignore[misc]
        if isinstance(type_, ClassType) and type_.name in _enums(self.program):
            raise ConversionError(
                f"{rec.here()}: {self.name} returns a member of the enum {type_.name}, which another Program can't take; let it "
                "return the member's name or value"
            )
        if isinstance(type_, ClassType) and f"class {type_.name}" not in rec.objects:
            rec.objects[f"class {type_.name}"] = type(visible(type_.name), (), {})
        if isinstance(type_, AtomType) and type_.text not in rec.objects:
            rec.objects[type_.text] = Atom(type_.text)
        for part in type_.parts():
            self._know(rec, part)


def _enums(program: Program) -> set[str]:
    """The names of the enums of which a Program returns members."""
    return {op.attrs["cls"] for op in program.walk() if op.name == "object.new" and is_member(op.attrs["fields"])}


def _as(rec: Recorder, value: Any, arg: Value, callee: str) -> Any:
    """The value as the Function takes it: an int where a float is asked for, a shape that is checked when the Program runs.

    ScriptTypeError where it takes no such value.
    """
    own, declared, what = rec.type_of(value), arg.type, f"argument {arg.name or 1} of {callee}"
    if declared == FLOAT and own == INT:
        return lookup("py.float")(value)
    if isinstance(own, TensorType) and isinstance(declared, TensorType) and own.dtype == declared.dtype:
        if is_subtype(own, map_tensors(declared, _without_names)) or declared.shape is None:
            return value
        return lookup("expect")(value, shape=[d if isinstance(d, int) else -1 for d in declared.shape], what=what)
    if not _accepts(declared, own):
        raise ScriptTypeError(f"{rec.here()}: {what} is {own} here; it takes {declared}")
    return value


def _accepts(declared: Type, own: Type) -> bool:
    if own == NEVER or is_subtype(own, map_tensors(declared, _without_names)) or (declared == FLOAT and own == INT):
        return True
    if isinstance(declared, SumType) or isinstance(own, SumType):
        return all(any(_accepts(d, o) for d in alternatives(declared)) for o in alternatives(own))
    if type(own) is not type(declared) or isinstance(own, TensorType | ScalarType | AtomType):
        return False
    if isinstance(declared, ClassType):
        return own.name == declared.name  # type: ignore[attr-defined]
    parts = declared.parts(), own.parts()
    return len(parts[0]) == len(parts[1]) and all(map(_accepts, *parts))


def _specialised(own: Type, declared: Type) -> Type:
    """The type of an argument in a call: of tensors, what is known of them there."""
    return own if isinstance(own, TensorType) and is_subtype(own, declared) else map_tensors(declared, _without_names)


def _without_names(type_: TensorType) -> TensorType:
    """The names of open lengths mean something in the Program that they come from."""
    return type_ if type_.shape is None else replace(type_, shape=tuple(d if isinstance(d, int) else None for d in type_.shape))


def _thrown(program: Program, exceptions: Mapping[str, type]) -> Iterable[Thrown]:
    """What calls of a Program may raise."""
    classes, names = ExceptionClasses(program, exceptions), {"RecursionError"} if len(program.functions) > 1 else set()
    for op in program.walk():
        names |= {op.attrs["exception"]} if op.name == "raise" and op.attrs.get("exception") else set()
        own = OPERATORS[op.name].may_raise(op) if op.name in OPERATORS else frozenset()
        names |= {of_operation(op, name) for name in own} if program.errors else own
    return (Thrown(classes[name]) for name in sorted(names))
