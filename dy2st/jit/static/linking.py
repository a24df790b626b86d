"""Programs of one model linked into one: their tensors and their state are shared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...errors import ConversionError
from ...ir.core import Program, State
from ...ir.join import is_subtype
from ...ir.names import free
from ...ir.types import Type
from ...runtime.tensors.tensor import Tensor
from ...saving.model_json import program_from_json, program_to_json
from .concrete import ConcreteProgram, settled


class Linker:
    """Puts Programs together: each one's Functions under names of their own, their parameters and state shared."""

    def __init__(self) -> None:
        self.program = Program()
        self.tensors: dict[str, Tensor] = {}
        self._slots: dict[Any, str] = {}  # where state lives -> what it is called
        self._reads: dict[str, list[Type]] = {}  # its name -> as what Programs read it

    def add(self, name: str, concrete: ConcreteProgram) -> str:
        """Add one; the name of its entry Function."""
        original = settled(concrete)
        program = program_from_json(program_to_json(original).encode())
        self.program.errors = program.errors
        entry = program.entry.name
        functions = {old: name if old == entry else f"{name}.{old}" for old in program.functions}
        parameters = {old: self._parameter(old, original.parameters[old], concrete.tensors[old]) for old in program.parameters}
        slots = {old: self._slot(old, concrete) for old in original.state}
        renamed = {"call": ("function", functions), "param": ("name", parameters), "state.get": ("name", slots)}
        renamed["state.set"] = renamed["state.get"]
        for op in program.walk():
            if op.name in renamed:
                attribute, names = renamed[op.name]
                op.attrs[attribute] = names[op.attrs[attribute]]
            if op.name == "state.get":
                self._reads.setdefault(op.attrs["name"], []).append(op.result.type)
        for old, function in program.functions.items():
            function.name = functions[old]
            self.program.functions[function.name] = function
        for old, state in original.state.items():
            self._add_state(slots[old], state)
        return name

    def _parameter(self, name: str, parameter: Any, tensor: Tensor) -> str:
        """The name of a tensor, by whichever name a Program knows it."""
        known = next((known for known, held in self.tensors.items() if held._data is tensor._data), None)
        if known is not None:
            return known
        made = free(name, self.tensors)
        self.tensors[made] = tensor
        self.program.parameters[made] = parameter
        return made

    def _slot(self, name: str, concrete: ConcreteProgram) -> str:
        """The name of a location, by whichever name a Program knows it."""
        known = concrete.staged.state.get(name)
        key = name if known is None else known.location.key
        if key not in self._slots:
            self._slots[key] = free(name, set(self._slots.values()))
        return self._slots[key]

    def _add_state(self, name: str, state: State) -> None:
        """ConversionError where a Program reads another type than the others leave there."""
        known = self.program.state.get(name)
        if known is None or is_subtype(known.type, state.type):
            self.program.state[name] = replace(state)
        held = self.program.state[name].type
        unlike = [t for t in self._reads.get(name, ()) if not is_subtype(held, t)]
        unlike += [t for t in (state.type,) if not is_subtype(t, held)]
        if unlike:
            raise ConversionError(
                f"{name} is {held} in one method and {unlike[0]} in another; give it a hint in the class, or values of one kind"
            )
