"""What a Program has from outside and leaves there: arguments, parameters that it writes, state.

state calls: int = 0                          def main(%x: float32[2], %calls: int)
                                                  -> tuple<float32[2], int>:
def main(%x: float32[2]) -> float32[2]:           %0 = const value=1 : int
  %calls = state.get name="calls" : int           %1 = py.add %calls, %0 : int
  %0 = const value=1 : int               ->       %2 = multiply %x, %1 : float32[2]
  %1 = py.add %calls, %0 : int                    %3 = tuple.new %2, %1
  state.set %1, name="calls"                      return %3
  %2 = multiply %x, %1 : float32[2]
  return %2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.core import Block, Operation, Value
from ...ir.native import Cell, Instance, parts
from ...ir.types import INT, NONE, ClassType, RecordType, TensorType, TupleType, Type
from ...pytree import nodes
from .interface import Argument, Computed, Interface, Result
from .natives import stands_for
from .refusals import ValuesError, refuse
from .state import Content, Fields, Held
from .texts import parts_of_argument
from .things import Bundle, Location, Thing
from .told import described, told

if TYPE_CHECKING:
    from .walk import Walk

_OBJECTS = (list, dict, set, Instance, Cell)


class Outside:
    """inputs, state, parameters: the Locations that hold what each of them is now. The last two by name."""

    def __init__(self, walk: Walk):
        self.walk = walk
        self.inputs: list[Location] = []
        self.state: dict[str, Location] = {}
        self.parameters: dict[str, Location] = {}
        self.before: dict[Location, Content | Value] = {}
        self.containers: dict[str, Location] = {}  # those that the state holds at first
        self.interface = Interface()

    # --- at the start --------------------------------------------------------------------------------------------------

    def enter(self, block: Block) -> Block:
        """The Block of the Function that is made, with its arguments."""
        walk, made = self.walk, Block()
        walk.at = block.ops[0]
        with walk.inside(made):
            for value in block.args:
                location = self._enter(made, "input", value.name, value.type)
                self.inputs.append(location)
                walk.bind(value, self._held(location))
            for op in block.walk():
                if op.name in ("state.get", "state.set") and op.attrs["name"] not in self.state:
                    name, walk.at = op.attrs["name"], op
                    state = walk.program.state[name]
                    self.state[name] = self._enter(made, "state", name, walk.types.of_state(state.type, state.value))
                    if isinstance(held := self._held(self.state[name]), Location):
                        self.containers[name] = held
            for name in self._written_parameters(block):
                self.parameters[name] = self._enter(made, "parameter", name, walk.program.parameters[name].type)
            walk.errors.prepare()
        self._refuse_shared_before()
        return made

    def _enter(self, block: Block, kind: str, name: str, type_: Type) -> Location:
        walk = self.walk
        try:
            pure = walk.types.of(type_)
        except ValuesError as error:
            raise refuse(walk.at, f"{name}: {str(error).removeprefix('values: ')}") from None
        argument = Value(pure, name if kind == "input" else name.rpartition(".")[2], block)
        block.args.append(argument)
        self.interface.inputs.append(Argument(kind, name, argument.type, type_))
        location = Location(type_, (kind, len(block.args)), name)
        walk.state.contents[location] = Held(walk.spread(argument, type_))
        walk.roots.append(location)
        if walk.leaves_at_raise:
            walk.read_at_raise.append(location)
        self.before[location] = argument
        for inner in walk.reached([location]):
            self.before.setdefault(inner, walk.state.contents[inner])
            inner.name = inner.name or name
        return location

    def _refuse_shared_before(self) -> None:
        """What is one list or object in two pieces of state would be two arguments."""
        seen: dict[int, str] = {}
        for name in self.state:
            value = self.walk.program.state[name].value
            own = {id(x) for x in nodes(value, parts) if isinstance(x, _OBJECTS)}
            for other in {seen[x] for x in own if x in seen}:
                raise refuse(None, f"{other} and {name} hold one list or object; keep it in one of them")
            seen.update(dict.fromkeys(own, name))

    def _written_parameters(self, block: Block) -> list[str]:
        written = [op.operands[0].owner for op in block.walk() if op.name == "copy_"]
        return list(dict.fromkeys(op.attrs["name"] for op in written if isinstance(op, Operation) and op.name == "param"))

    def _held(self, location: Location) -> Thing:
        content = self.walk.state.contents[location]
        assert isinstance(content, Held)
        return content.thing

    # --- operations ----------------------------------------------------------------------------------------------------

    def parameter(self, op: Operation) -> list[Thing]:
        """`param`."""
        name = op.attrs["name"]
        if name in self.parameters:
            return [self._held(self.parameters[name])]
        return list(self.walk.core("param", (), dict(op.attrs), [op.result.type]).results)

    def get(self, op: Operation) -> list[Thing]:
        """`state.get`."""
        return [self.walk.fitted(self._held(self.state[op.attrs["name"]]), op.result.type)]

    def set(self, op: Operation) -> list[Thing]:
        """`state.set`."""
        location = self.state[op.attrs["name"]]
        thing = self.walk.fitted(self.walk.thing(op.operands[0]), location.type)
        self.walk.state.contents[location] = Held(thing)
        return []

    def copy(self, op: Operation) -> list[Thing]:
        """`copy_`: an input, a parameter or a piece of state holds another tensor from here on."""
        walk, (target, source) = self.walk, op.operands
        location = self._home(target)
        value = walk.value(source)
        assert isinstance(target.type, TensorType)
        if value.type != target.type:
            value = walk.emit("assign_value", [walk.value(target), value], {}, target.type)
        walk.state.contents[location] = Held(value)
        return []

    def _home(self, target: Value) -> Location:
        owner = target.owner
        if isinstance(owner, Block) and owner is self.walk.program.entry.block:
            return self.inputs[owner.args.index(target)]
        if isinstance(owner, Operation) and owner.name == "param":
            return self.parameters[owner.attrs["name"]]
        if isinstance(owner, Operation) and owner.name == "state.get":
            return self.state[owner.attrs["name"]]
        raise refuse(self.walk.at, "a tensor in a list or object from outside is written in place; store a new tensor there")

    # --- at the end ----------------------------------------------------------------------------------------------------

    def leave(self, result: Thing | None, type_: Type) -> Value:
        """What the Function returns: a tuple of the results that the interface lists. result: None where it always raises."""
        walk = self.walk
        values: list[Value] = []

        def add(kind: str, name: str, index: int, value: Value, original: Type) -> None:
            if not stands_for(value.type, original):
                raise refuse(walk.at, f"nothing tells the parts of a {original} that leaves the call; return what it holds")
            self.interface.outputs.append(Result(kind, name, index, value.type, original))
            values.append(value)

        original = NONE if result is None else described(walk, result, type_)
        add("result", "", 0, walk.const(None) if result is None else told(walk, result, original), original)
        for k, location in enumerate(self.inputs):
            if self._has_changed(location):
                add("written", location.name, k, walk.pure(self._held(location)), location.type)
        for kind, table in (("state", self.state), ("parameter", self.parameters)):
            for k, (name, location) in enumerate(table.items()):
                if self._has_changed(location):
                    self._check_keys(self._held(location), location.type)
                    add(kind, name, k, told(walk, self._held(location), location.type), location.type)
        self._refuse_shared_after()
        self._note_containers()
        if walk.errors.records:
            add("error", "", 0, walk.state.error or walk.const(0), INT)
        parts = (part for record in walk.errors.records for x in record.arguments for part in parts_of_argument(x))
        used = {part for part in parts if isinstance(part, Computed)}
        for k, location in enumerate(walk.errors.values.values()):
            if Computed(k) in used:
                add("value", "", k, walk.pure(self._held(location)), location.type)
        self.interface.errors = walk.errors.records
        return walk.pure(Bundle(TupleType(tuple(v.type for v in values)), tuple(values)))

    def _check_keys(self, thing: Thing, type_: Type) -> None:
        """The next call finds what this one leaves: a dict in state keeps its keys."""
        content = self.walk.state.contents.get(thing) if isinstance(thing, Location) else None
        if isinstance(content, Fields) and isinstance(type_, RecordType) and tuple(content.things) != type_.names:
            keys = ", ".join(map(repr, type_.names))
            raise refuse(self.walk.at, f"a dict in state gets other keys than {keys}; give it all of them before")
        if isinstance(content, Fields) and isinstance(type_, ClassType):
            for name, inner in content.things.items():
                self._check_keys(inner, dict(type_.fields or ()).get(name, inner.type))

    def _has_changed(self, location: Location) -> bool:
        walk = self.walk
        thing = self._held(location)
        if isinstance(thing, Value):
            return thing is not self.before[location]
        return any(walk.state.contents[x] is not self.before.get(x) for x in walk.reached([thing])) or self._is_other(location)

    def _is_other(self, location: Location) -> bool:
        return location not in self.before or self.walk.state.contents[location] is not self.before[location]

    def _note_containers(self) -> None:
        """Note state that keeps its container, and state that gets a new one while the old one stays unchanged."""
        for name, container in self.containers.items():
            held = self._held(self.state[name])
            if held is container:
                self.interface.same.add(name)
            elif held in self.walk.made and self._is_untouched(container):
                self.interface.replaced.add(name)

    def _is_untouched(self, container: Location) -> bool:
        inner = [container, *self.walk.reached([container])]
        contents = self.walk.state.contents
        return not any(x in self.walk.merged or contents[x] is not self.before.get(x) for x in inner)

    def _refuse_shared_after(self) -> None:
        """Two pieces of state that are one object would be two in the next call."""
        seen: dict[Location, str] = {}
        for name, location in self.state.items():
            for x in self.walk.reached([self._held(location)]):
                if x in seen:
                    raise refuse(self.walk.at, f"{seen[x]} and {name} hold one list or object; keep it in one of them")
                seen[x] = name
