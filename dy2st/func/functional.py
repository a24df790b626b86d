"""`functionalize`: a function that writes nothing in place but means what the given one does."""

from __future__ import annotations

from typing import Any

from ..ir.core import Program
from ..jit.static.concrete import ConcreteProgram
from ..jit.static.static_function import StaticFunction
from ..passes import optimize
from ..passes.functionalize import REMOVE, functionalize_program, taken_for_granted
from ..runtime.stage.stage import StagedFunction
from .programs import Parts, parts_of, transformed


def functionalize(function: Any, *, remove: str = "mutations", lift: bool = False) -> Any:
    """A new function with the meaning of `function` whose Program writes no tensor in place.

    remove: "mutations": operators that write become the ones that compute what they leave; "mutations_and_views": views, too,
        become operators that copy.
    lift: tensors from outside the function (a global, a parameter of a Layer) that it writes are treated as its inputs are.
        Otherwise writes and views of those happen as they are written.

    Inputs that `function` writes get their final contents at the end, once. With `remove="mutations"`, a returned view of an
    input is one still. A tensor in a list or dict is written by storing another in its place. FunctionalizeError, at the user's
    line: what is written can't be told without running the Program, or has no form that writes nothing. ValueError: another
    `remove`.
    """
    if remove not in REMOVE:
        raise ValueError(f"remove is one of {', '.join(map(repr, REMOVE))}, not {remove!r}")
    return Functionalized(function, parts_of(function), remove, lift)


class Functionalized(StaticFunction):
    """What `functionalize` makes of a function."""

    def __init__(self, given: Any, parts: Parts, remove: str, lift: bool, input_spec: Any = None):
        super().__init__(parts.function, input_spec, parts.owner, parts.layer)
        self._given, self._remove, self._lift = given, remove, lift

    def __get__(self, instance: Any, owner: type | None = None) -> StaticFunction:
        """As a decorated method."""
        parts = Parts(self._function, instance)
        return self if instance is None else Functionalized(self._given, parts, self._remove, self._lift)

    def _of(self, owner: Any, input_spec: Any) -> Functionalized:
        parts = Parts(self._function, owner, self._layer)
        made = Functionalized(self._given, parts, self._remove, self._lift, input_spec)
        made.passes, made.engine = self.passes, self.engine
        return made

    def __repr__(self) -> str:
        return f"<functionalized {self._function.__qualname__}>"

    def transform(self, program: Program, arguments: dict[str, Any]) -> Program:
        """The functional Program, from that of the plain function."""
        return functionalize_program(transformed(self._given, program, arguments), self._remove, self._lift)

    def _concrete(self, staged: StagedFunction, specs: dict[str, Any], training: bool) -> ConcreteProgram:
        return FunctionalProgram(self, staged, specs, training, self._lift)


class FunctionalProgram(ConcreteProgram):
    """One staged form of a functionalized function; what it takes for granted of its inputs is checked before each run."""

    def __init__(self, function: Functionalized, staged: StagedFunction, arguments: dict[str, Any], training: bool, lift: bool):
        self.function, self.given, self.lift = function, arguments, lift
        super().__init__(staged, arguments, training)

    def prepared(self, program: Program) -> Program:
        """Functional, then optimized."""
        self.memory = taken_for_granted(program, self.lift)
        return optimize(self.function.transform(program, self.given))
