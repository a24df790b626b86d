"""Memory that is written in place becomes Values: no operator on tensors writes, and the Program means what it did.

    def main(%x: float32[3]) -> float32[1]:             def main(%x: float32[3]) -> float32[1]:
      %0 = const value=1 : int                            %0 = const value=1 : int
      %b = add %x, %0 : float32[3]                        %b = add %x, %0 : float32[3]
      %c = getitem %b, index=[{"slice": [0, 1, null]}]    %c = getitem %b, index=[{"slice": [0, 1, null]}]
      add_ %c, %0                                    ->   %1 = add %c, %0 : float32[1]
      multiply_ %b, %0                                    %2 = setitem_copy %b, %1, index=[{"slice": [0, 1, null]}]
      return %c                                           %3 = multiply %2, %0 : float32[3]
                                                          %4 = getitem %3, index=[{"slice": [0, 1, null]}]
                                                          return %4

1. An operator that writes becomes the one that computes what it leaves (`OpDef.functional`); a write to a view goes on to its
   base (`restore`, `scatter`), and other views are taken again when they are next used. `places.py` says where a Value lies.
2. Control flow hands on what its Blocks wrote (`regions.py`, `loops.py`, `tries.py`, `recursion.py`).
3. Inputs, parameters and state that were written get their final contents at the end: one `copy_` each. Without `lift`,
   parameters and state are written where and when the Program says. Where the Program raises, inputs keep what they held.
4. With `remove="mutations_and_views"`, views become operators that copy (`View.copy`).
5. Lists, dicts, objects and cells stay, and so do their operations. A tensor in one is written by storing another in its place,
   where it lies there only (`containers.py`, `elements.py`).
6. Whose memory is written may show only when the Program runs. Then the walk gives up, and starts again (`attempts.py`) with
   references to that memory instead of tensors (`references.py`).

What neither can tell is refused (FunctionalizeError, at the user's line), never guessed. Inputs may not share memory with each
other, and lie in row-major order: `taken_for_granted`.
"""

from __future__ import annotations

from ...ir.core import Operation, Program
from ...ir.verify import verify
from ...ops.registry import OPERATORS, view_of
from ...runtime.tensors.input_memory import InputMemory
from ..base import program_pass
from ..inline import inline_all
from .attempts import Attempts
from .refusals import FunctionalizeError, refuse
from .writes import written_tensors

__all__ = ["FunctionalizeError", "REMOVE", "functionalize", "functionalize_program", "taken_for_granted", "without_writes"]

REMOVE = ("mutations", "mutations_and_views")


def functionalize_program(program: Program, remove: str = "mutations", lift: bool = True) -> Program:
    """Take the writes to tensors (and, on request, the views) out of a Program, in place; the Program itself is given back.

    remove: "mutations" or "mutations_and_views". lift: parameters and state that are written become functional, too, and get
        their final contents at the end.
    """
    without_writes(program, remove, lift)
    return verify(program, OPERATORS)


def taken_for_granted(program: Program, lift: bool = True) -> InputMemory | None:
    """What the Program that `functionalize_program` makes of this one takes for granted: whoever runs it has a look at it."""
    if not any(map(written_tensors, program.walk())):
        return None
    return InputMemory(True, any(map(_may_copy, program.walk())), lift)


def _may_copy(op: Operation) -> bool:
    view = view_of(op.name)
    return view is not None and view.may_copy


@program_pass(exact=False)
def functionalize(program: Program) -> bool:
    """Take the writes to tensors out of a Program."""
    return without_writes(program, "mutations", True)


def without_writes(program: Program, remove: str, lift: bool) -> bool:
    """Do what `functionalize_program` does, without verifying the Program. The result is whether it has changed."""
    if remove not in REMOVE:
        raise ValueError(f"remove is one of {', '.join(map(repr, REMOVE))}, not {remove!r}")
    asking = next((op for op in program.walk() if op.name == "gradients"), None)
    if asking is not None:
        raise refuse(asking, "backward() and grad() can't be called inside; take the gradient of the functionalized function")
    copies = remove == "mutations_and_views"
    if not any(map(written_tensors, program.walk())) and (lift or not copies):
        return copies and _copy_views(program)
    changed = inline_all(program)
    return Attempts(program, copies, lift).run() or changed


def _copy_views(program: Program) -> bool:
    """Views become operators that copy; whether there are any. Nothing is written, so that nobody can tell them apart."""
    found = [(op, view) for op in program.walk() if (view := view_of(op.name)) is not None]
    for op, view in found:
        op.name = view.copy
    return bool(found)
