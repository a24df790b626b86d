"""The walk over a Program, and again with references where it couldn't tell whose memory is written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...ir.core import Function, Program, Value
from ..copying import Copy
from .layout import Layout, row_major
from .outside import aliases_of
from .references import References
from .refusals import UnclearError
from .walk import Walk


class Attempts:
    """Rewrites copies of a Program's Functions, with more references each time, until nothing is refused.

    copies, lift: as of `Walk`.
    """

    def __init__(self, program: Program, copies: bool, lift: bool):
        self.program, self.copies, self.lift = program, copies, lift
        self.aliases = aliases_of(program)
        self.layout = row_major(program, self.aliases)
        self.groups: set[Any] = set()  # of the memory that references tell apart

    def run(self) -> bool:
        """Rewrite the Program, in place; whether that changed it."""
        while True:
            draft = _Draft(self.program)
            walk = self._prepared(draft)
            try:
                for function in draft.program.functions.values():
                    walk.function(function)
            except UnclearError as error:
                self.groups |= self._concerned(draft, walk, error)
                continue
            self.program.functions = draft.program.functions
            return walk.changed or bool(self.groups)

    def _prepared(self, draft: _Draft) -> Walk:
        layout = Layout({draft.values.get(v, v) for v in self.layout.broken})
        values = [new for old, new in draft.values.items() if self.aliases.group(old) in self.groups]
        references = References(draft.program, values, layout, self.copies)
        references.rewrite()
        return Walk(draft.program, layout, self.copies, self.lift, references.settled)

    def _concerned(self, draft: _Draft, walk: Walk, refusal: UnclearError) -> set[Any]:
        """The groups of memory that a refusal is about."""
        groups = {old: self.aliases.group(old) for old, new in draft.values.items() if walk.group(new) in walk.written}
        op = refusal.operation
        named = (*op.operands, *op.results) if op is not None else ()
        found = {groups[old] for old, new in draft.values.items() if new in named and old in groups} - self.groups
        found = found or set(groups.values()) - self.groups
        if not found or any(root[0] == "state" for group in found for root in self.aliases.roots.get(group, ())):
            raise refusal
        return found


class _Draft:
    """A copy of a Program, and what stands in it for the Values of the original."""

    def __init__(self, program: Program):
        copy = Copy()
        functions: dict[str, Function] = {name: copy.function(f) for name, f in program.functions.items()}
        self.program = replace(program, functions=functions)
        self.values: dict[Value, Value] = copy.values
