"""Heap and exceptions become Values: every list, object, piece of state and `raise` is ordinary data, for engines without.

    def main(%x: float32[3], %n: int) -> float32[?,3]:      def main(%x: float32[3], %n: int) -> tuple<float32[?,3]>:
      %xs = list.new : list<float32[3]>                       %0 = sequence.new : sequence<float32[3]>
      %0 = const value=0 : int                                %1 = const value=0 : int
      %i = while %0 : int                                     %i, %xs = while %1, %0 : int, sequence<float32[3]>
        cond(%1: int):                                          cond(%2: int, %xs_1: sequence<float32[3]>):
          %2 = py.lt %1, %n : bool                                %3 = py.lt %2, %n : bool
          yield %2                                                yield %3
        body(%3: int):                                    ->    body(%4: int, %xs_2: sequence<float32[3]>):
          list.append %xs, %x                                     %5 = sequence.append %xs_2, %x
          %4 = const value=1 : int                                %6 = const value=1 : int
          %5 = py.add %3, %4 : int                                %7 = py.add %4, %6 : int
          yield %5                                                yield %7, %5
      %6 = list.stack %xs, axis=0 : float32[?,3]              %8 = sequence.stack %xs, axis=0 : float32[?,3]
      return %6                                               %9 = tuple.new %8
                                                              return %9

1. The walk knows what each reference leads to (`things.py`), and what lies there now (`heap.py`); so aliases are exact.
2. Control flow hands on what it changes (`joins.py`, `loops.py`). `raise` ends in a number (`raising.py`), and what follows lies
   in an `if`, not too deep (`halves.py`). A `try` whose handler only raises is its body (`reraising.py`).
3. What comes from outside is an argument, what stays there a result (`outside.py`). `Interface` says which is which.

What neither can tell is refused (ValuesError, at the user's line), never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ...ir.core import Function, Loc, Operation, Program
from ...ir.types import NONE
from ...ir.verify import verify
from ...ops.registry import OPERATORS
from ..base import program_pass
from ..copying import copied
from ..dead_code import dead_code
from ..functionalize import without_writes
from ..inline import inline_all
from .halves import take_in_halves
from .interface import Argument, Computed, ErrorRecord, Interface, Result
from .refusals import CopiedError, ValuesError, refuse
from .reraising import Reraised, without_causes, without_reraising
from .walk import Walk

__all__ = [
    "Argument", "Computed", "ErrorRecord", "Interface", "Result", "ValuesError", "values", "values_program", "without_heap",
]  # fmt: skip


def values_program(program: Program, leaves_at_raise: bool = True) -> tuple[Program, Interface]:
    """A Program that computes the same without a heap, and what its arguments and results stand for; `program` stays as it is.

    leaves_at_raise: whether state and arguments come out as Python leaves them at a `raise`. Else nobody reads them there.

    ValuesError, FunctionalizeError: it does something that has no counterpart.
    """
    made, interface = without_heap(program, leaves_at_raise)
    return verify(made, OPERATORS), interface


def without_heap(program: Program, leaves_at_raise: bool) -> tuple[Program, Interface]:
    """Do what `values_program` does, without verifying the Program that it makes."""
    made = copied(program)
    reraised = _without_reraising(made)
    without_writes(made, "mutations_and_views", lift=True)
    inline_all(made)
    interface = _rewrite(made, leaves_at_raise, reraised)
    dead_code(made)
    return made, interface


@program_pass(exact=False)
def values(program: Program) -> bool:
    """Take the heap and the exceptions out of a Program without writes to tensors."""
    reraised = _without_reraising(program)
    inline_all(program)
    _rewrite(program, reraised=reraised)
    return True


def _without_reraising(program: Program) -> Mapping[Loc, tuple[Reraised, ...]]:
    """Exceptions that are only raised are no reason to refuse a Program: what handlers raise for operators, by location."""
    names = {op.name for op in program.walk()}
    if "raise" in names:
        without_causes(program)
    if "try" not in names:
        return {}
    inline_all(program)
    return without_reraising(program)


def _rewrite(
    program: Program, leaves_at_raise: bool = True, reraised: Mapping[Loc, tuple[Reraised, ...]] = MappingProxyType({})
) -> Interface:  # fmt: skip
    """Where a copy that a loop has made is in the way, that loop tells its own objects from others."""
    take_in_halves(program.entry.block)
    telling: set[Operation] = set()
    while True:
        walk = Walk(program, telling, leaves_at_raise)
        walk.outside.interface.reraised = reraised
        try:
            return _walked(program, walk)
        except ValuesError as error:  # types know of no line
            raise error if error.lineno else refuse(walk.at, str(error).removeprefix("values: ")) from None
        except CopiedError as error:
            loop = error.copied
            if loop is None or loop.name != "while" or loop in telling:
                raise error.refusal from None
            telling.add(loop)


def _walked(program: Program, walk: Walk) -> Interface:
    entry = program.entry
    block = walk.outside.enter(entry.block)
    types = entry.result_types
    with walk.inside(block):
        things = walk.run(entry.block.ops, types)
        returned = walk.outside.leave(things[0] if things else None, types[0] if types else NONE)
        walk.core("return", [returned])
    program.functions = {entry.name: Function(entry.name, block)}
    program.state = {}
    written = set(walk.outside.parameters)
    program.parameters = {name: p for name, p in program.parameters.items() if name not in written}
    return walk.outside.interface

