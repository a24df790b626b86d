"""Which tensors of a result have a gradient, as plain Python's `stop_gradient` says: it may follow the path.

    def main(%x: float32[2], %c: bool) -> float32[2]:      def main(%x: float32[2], %c: bool) -> tuple<float32[2], int>:
      %w = param name="w" : float32[2]                       %w = param name="w" : float32[2]
      %0 = multiply %x, %w : float32[2]                      %0 = multiply %x, %w : float32[2]
      %y = if %c : float32[2]                                %y, %flags = if %c : float32[2], int
        then:                                                  then:
          %1 = detach %0 : float32[2]             ->             %1 = detach %0 : float32[2]
                                                                 %2 = const value=0 : int
          yield %1                                               yield %1, %2
        else:                                                  else:
                                                                 %3 = const value=1 : int       the bit of w
          yield %0                                               yield %0, %3
      return %y                                              %4 = tuple.new %y, %flags : tuple<float32[2], int>
                                                             return %4

1. `runtime/tensors/gradient_marks.py` finds the flags that are the same on every path: of each tensor, and of all that a
   container holds.
2. Where they aren't, `marking.py` computes them beside the tensors: as ints, in a structure like that of the result.
3. Flags that follow from nothing that a call is given are computed once, here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from ...ir.core import TERMINATORS, Operation, Program, Value
from ...ir.types import TupleType
from ...ir.verify import verify
from ...ops.registry import OPERATORS
from ...runtime.tensors.gradient_marks import GradientMarks, are_known, changed_by
from ..backward.hidden import bases_of
from ..base import Pipeline
from ..copying import Copy, copied
from ..dead_code import sweep
from ..functionalize import FunctionalizeError, functionalize_program
from ..functionalize.writes import written_tensors
from ..inline import inline_all
from .marking import Marking
from .unknown import UnknownFlags

__all__ = ["GradientFlags", "UnknownFlags"]


class GradientFlags:
    """The flags of a Function's result: for each tensor in it a number, with a bit for each input and parameter it leads back to.

    known: a number for all that the result holds; or numbers in the structure of the result; or None where they follow from what
    a call is given. Then the entry of `program` gives a tuple of the result and its flags.
    """

    def __init__(
        self,
        program: Program,
        function: str,
        bits: Mapping[int | str, int],
        leaf: int,
        inside: int,
        run: Callable[[Program], Any],
    ):
        """bits: by numbers of arguments and names of parameters; leaf, inside: of leaves that the Program makes, and of what is
        computed of them. run: runs a Program without arguments.

        UnknownFlags: no rule knows them.
        """
        self.program = copied(program.starting_at(function))
        inline_all(self.program)
        if any(map(written_tensors, self.program.walk())):
            _take_writes_out(self.program)
        marks = GradientMarks(self.program, self.program.entry, bits, leaf, inside)
        self.known: Any = marks.of_result()
        if not are_known(self.known):
            marking = Marking(marks)
            flags = marking.of_entry(self.program.entry)
            alone = _alone(self.program, flags, marking.made)
            self.known = None if alone is None else run(alone)
            _give_both(self.program, flags)


def _take_writes_out(program: Program) -> None:
    if any(_writes_detached(op, k) for op in program.walk() for k in written_tensors(op)):
        raise UnknownFlags("a write through detach() has no gradient")
    try:
        functionalize_program(program, lift=False)
    except FunctionalizeError as error:
        raise UnknownFlags(str(error)) from error


def _writes_detached(op: Operation, k: int) -> bool:
    """Whether an operation writes a tensor that the Program makes, through a view without a gradient: the Value that is made of
    it wouldn't tell that from any other write."""
    path = [v.owner for v in bases_of(op.operands[k])]
    names = [owner.name for owner in path if isinstance(owner, Operation)]
    return "detach" in names and names[-1] not in ("param", "state.get")


def _alone(program: Program, flags: Value, made: Collection[Value]) -> Program | None:
    """A Program that computes the flags from nothing; None where they depend on what a call is given, or on what it draws.

    made: the flags, in containers of which they may be stored.
    """
    copy = Copy()
    entry = copy.function(program.entry)
    entry.block.ops[-1].operands = [copy.values[flags]]
    alone = replace(program, functions={entry.name: entry}, parameters=dict(program.parameters), state=dict(program.state))
    containers = {copy.values[v] for v in made if v in copy.values}

    def can_go(op: Operation) -> bool:
        return op.name not in TERMINATORS and not any(v in containers for o in op.walk() for v in changed_by(o))

    sweep(alone, can_go)
    used = {v for op in alone.walk() for v in op.operands}
    if any(arg in used for arg in entry.block.args) or any(map(_is_by_call, alone.walk())):
        return None
    entry.block.args.clear()
    return verify(alone, OPERATORS)


def _is_by_call(op: Operation) -> bool:
    definition = OPERATORS.get(op.name)
    return op.name in ("param", "state.get", "call") or (definition is not None and (definition.random or definition.io))


def _give_both(program: Program, flags: Value) -> None:
    block = program.entry.block
    end = block.ops.pop()
    values = [*end.operands, flags]
    both = block.append(Operation("tuple.new", values, None, [TupleType(tuple(v.type for v in values))]))
    end.operands = [both.result]
    block.append(end)
    Pipeline.of("flags", "dead_code").run(program, fresh=True)
