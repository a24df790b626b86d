"""The walk over a Program, and again with references where it couldn't tell whose memory is written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...ir.core import Operation, Program, Value
from ..copying import Copy
from .layout import row_major
from .outside import aliases_of
from .references import References
from .refusals import UnclearError, refuse
from .walk import Walk

_KEPT = (
    "what else knows a tensor that is written in place here can't be seen, since the function keeps it, or a list with it, from "
    "call to call; write into a clone(), or leave out `lift`"
)


class Attempts:
    """Rewrites copies of a Program's Functions, with more references each time, until nothing is unclear.

    copies, lift: as of `Walk`. referred: the Values of the Program that references stand for, whole groups of memory.
    """

    def __init__(self, program: Program, copies: bool, lift: bool):
        self.program, self.copies, self.lift = program, copies, lift
        self.referred: set[Value] = set()

    def run(self) -> bool:
        """Rewrite the Program, in place; whether that changed it."""
        while True:
            copy = Copy()
            draft = replace(self.program, functions={name: copy.function(f) for name, f in self.program.functions.items()})
            walk = self._prepared(draft, copy.values)
            try:
                for function in draft.functions.values():
                    walk.function(function)
            except UnclearError as error:
                self.referred |= self._concerned(walk, copy.values, error)
                continue
            self.program.functions = draft.functions
            return walk.changed or bool(self.referred)

    def _prepared(self, draft: Program, copied: dict[Value, Value]) -> Walk:
        aliases = aliases_of(draft)
        layout = row_major(draft, aliases)
        if not self.referred:
            return Walk(draft, aliases, layout, self.copies, self.lift)
        references = References(draft, [copied[v] for v in copied if v in self.referred], layout, self.copies)
        references.rewrite()
        return Walk(draft, aliases_of(draft), layout, self.copies, self.lift, references.settled)

    def _concerned(self, walk: Walk, copied: dict[Value, Value], error: UnclearError) -> set[Value]:
        """What shares memory that is written with an operand or result of the operation; or else all that does with any."""
        groups = {old: walk.group(new) for old, new in copied.items() if old not in self.referred}
        written = {old: group for old, group in groups.items() if group in walk.written}
        named = _named(error.operation)
        near: set[Any] = {group for old, group in written.items() if copied[old] in named}
        found = {old for old, group in written.items() if group in (near or written.values())}
        if any(root[0] == "state" for old in found for root in walk.aliases.memory_of(copied[old])):
            raise refuse(error.operation, _KEPT) from error
        if not found:
            raise error
        return found


def _named(op: Operation | None) -> set[Value]:
    return {*op.operands, *op.results} if op is not None else set()
