"""Put the body of a Function where it is called.

    def main(%x: float32[3]) -> float32[3]:        def main(%x: float32[3]) -> float32[3]:
      %0 = call %x, function="f" : float32[3]        %0 = tanh %x : float32[3]
      return %0                               ->     return %0

    def f(%a: float32[3]) -> float32[3]:
      %0 = tanh %a : float32[3]
      return %0

1. The Function isn't recursive, and ends in `return`.
2. It is called once, or is small; callees are inlined first, so that a Function counts with all that it takes in.
3. Arguments and result have the types that the body was checked with.
Operations keep the callee's locations, and tell where that is called. Functions that nobody calls any more leave the Program.
"""

from __future__ import annotations

import math
from collections import Counter

from ..ir.core import Function, Loc, Operation, Program
from ..ir.functions import called, recursive_functions
from .base import program_pass
from .copying import Copy
from .memory import may_stand_for
from .rewriter import Instead, Rewriter

_SMALL = 40  # operations


@program_pass()
def inline(program: Program) -> bool:
    """Inline calls of Functions that aren't recursive."""
    return _inline(program, _SMALL)


def inline_all(program: Program) -> bool:
    """Inline every call that case 1 and 3 allow, whatever its size."""
    return _inline(program, math.inf)


def _inline(program: Program, small: float) -> bool:
    inliner = _Inliner(program, small)
    changed = inliner.run(program)
    if changed:
        calls = {name for f in program.functions.values() for name in called(f)}
        program.functions = {name: f for name, f in program.functions.items() if name in calls or not inliner.calls[name]}
    return changed


class _Inliner(Rewriter):
    def __init__(self, program: Program, small: float):
        super().__init__()
        self.program, self.limit = program, small
        self.recursive = recursive_functions(program)
        self.callees = {name: called(f) for name, f in program.functions.items()}
        self.calls = Counter(name for names in self.callees.values() for name in names)
        self.done: set[str] = set()
        self.small: dict[str, bool] = {}

    def run(self, program: Program) -> bool:
        """Callees before their callers."""
        for function in program.functions.values():
            self._finish(function)
        return self.changed

    def _finish(self, function: Function) -> None:
        waiting = [(function, iter(self.callees[function.name]))]
        while waiting:
            at, names = waiting[-1]
            name = next((n for n in names if n not in self.done and n not in self.recursive), None)
            if name is not None and at.name not in self.recursive:
                waiting.append((self.program.functions[name], iter(self.callees[name])))
                continue
            waiting.pop()
            if at.name not in self.done:
                self.done.add(at.name)
                self.block(at.block)
                self.small[at.name] = sum(1 for _ in at.block.walk()) <= self.limit

    def visit(self, op: Operation) -> Instead | None:
        if op.name != "call" or not self._may_inline(op):
            return None
        body = self.program.functions[op.attrs["function"]].block
        copy = Copy(dict(zip(body.args, op.operands)))
        ops = [copy.operation(o) for o in body.ops]
        _lead_through(op, ops)
        end = ops.pop()
        return Instead(end.operands if op.results else (), ops)

    def _may_inline(self, op: Operation) -> bool:
        name = op.attrs["function"]
        if name in self.recursive or not (self.calls[name] == 1 or self.small.get(name)):
            return False
        body = self.program.functions[name].block
        end = body.terminator
        if end is None or end.name != "return":
            return False
        pairs = [*zip(op.operands, (v.type for v in body.args)), *zip(end.operands, (v.type for v in op.results))]
        return all(may_stand_for(new, old) for new, old in pairs)


def _lead_through(call: Operation, ops: list[Operation]) -> None:
    """Let the locations of operations tell that they come in at a call."""
    at: dict[Loc | None, Loc | None] = {None: None}
    for top in ops:
        for op in top.walk():
            if op.loc is not None and op.loc not in at:
                at[op.loc] = op.loc.called_at(call.loc)
            op.loc = at[op.loc]
