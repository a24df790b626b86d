"""Check a Program against the rules of the IR: structure and dominance here, the rest in `ir/rules.py` and `ir/core_rules.py`.

`verify` is cheap enough to run after every pass, and every loaded file goes through it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import VerifyError
from .core import TERMINATORS, Block, Function, Operation, Program, Value, refs_unknown
from .core_rules import CORE, check_core
from .names import Names, name_values
from .printer import operation_text
from .rules import EVERY, PROGRAM, agrees, type_is_well_formed

_MAX_SHOWN = 8


def verify(program: Program, operators: Mapping[str, Any] | None = None) -> Program:
    """Return `program` where it keeps every rule; VerifyError names each operation that doesn't, and the rule.

    operators: name -> an object with `infer(*types, **attrs)` and `misfit(count, names)`: `ops.registry.OPERATORS`. Where given,
    every operation must be known there or be a core operation, take the operands and attributes that it has, and its declared
    result types must agree with the inferred ones (`rules.agrees`).
    """
    problems = [problem for rule in PROGRAM for problem in rule(program)]
    for function in program.functions.values():
        problems += _FunctionCheck(program, function, operators).run()
    if problems:
        more = f"\n... and {len(problems) - _MAX_SHOWN} more" if len(problems) > _MAX_SHOWN else ""
        raise VerifyError("\n".join(problems[:_MAX_SHOWN]) + more)
    return program


class _FunctionCheck:
    """One Function: what is visible where, and each operation's rules."""

    def __init__(self, program: Program, function: Function, operators: Mapping[str, Any] | None):
        self.program, self.function, self.operators = program, function, operators
        self.visible: set[Value] = set()
        self.defined: set[Value] = set()
        self.checked_types: set[Any] = set()
        self.kept_rules: set[Any] = set()  # signatures of operations: (name, types of the operands, of the results)
        self.problems: list[str] = []
        self.op: Operation | None = None
        self.names: Names | None = None

    def run(self) -> list[str]:
        block = self.function.block
        if block.terminator is None or block.terminator.name == "yield":
            self.report("a function must end in return or raise")
        if block.parent is not self.function:
            self.report("the body's parent is not the function")
        self.check_block(block)
        return self.problems

    def report(self, problem: str) -> None:
        where = f"in {self.function.name}: "
        if self.op is not None:
            loc = f" ({self.op.loc})" if self.op.loc else ""
            where += f"{self.text(self.op)}{loc}: "
        self.problems.append(where + problem)

    def text(self, op: Operation) -> str:
        self.names = self.names or name_values(self.function)
        try:
            return operation_text(op, self.names)
        except TypeError:  # attributes that have no literal: a rule reports them
            return op.name

    def check_block(self, block: Block) -> None:
        outer = self.op
        self.define(block.args)
        added = list(block.args)
        for op in block.ops:
            self.op = op
            self.check_operation(op, block)
            self.define(op.results)
            added += op.results
        self.op = outer
        self.visible.difference_update(added)

    def define(self, values: list[Value]) -> None:
        for value in values:
            if value in self.defined:
                self.report(f"value {value.name!r} is defined twice")
            if value.type not in self.checked_types:
                self.checked_types.add(value.type)
                for problem in type_is_well_formed(value.type):
                    self.report(problem)
            self.defined.add(value)
            self.visible.add(value)

    def check_operation(self, op: Operation, block: Block) -> None:
        self.check_structure(op, block)
        self.check_rules(op)
        for inner in op.blocks:
            if inner.parent is not op:
                self.report("the parent of a block is not the operation that holds it")
            if inner.terminator is None or inner.terminator.name == "return":
                self.report("a nested block must end in yield or raise")
            self.check_block(inner)

    def check_structure(self, op: Operation, block: Block) -> None:
        """Operands are defined before, here or in a Block around; terminators stand last; links point back."""
        for k, value in enumerate(op.operands):
            if value not in self.visible:
                what = f"{value.name or 'without a name'}: {value.type}"
                self.report(f"operand {k} ({what}) isn't defined before it, or not visible here")
        if op.name in TERMINATORS and op is not block.ops[-1]:
            self.report(f"{op.name} must be the last of its block")
        for value in op.results:
            if value.owner is not op:
                self.report("the owner of its results is another")
        if op.parent is not block:
            self.report("its parent is another")

    def check_rules(self, op: Operation) -> None:
        """The rules of every operation and its own; where nothing but the operator and types counts, once for each of those."""
        plain = not op.attrs and op.name not in CORE and op.n_positional == len(op.operands)
        signature = (op.name, *(v.type for v in op.operands), None, *(v.type for v in op.results)) if plain else None
        if plain and signature in self.kept_rules:
            return
        problems = list(self.rules(op))
        for problem in problems:
            self.report(problem)
        if plain and not problems:
            self.kept_rules.add(signature)

    def rules(self, op: Operation) -> Iterator[str]:
        for rule in EVERY:
            yield from rule(op, self.program)
        if op.name in CORE:
            yield from check_core(op, self.program)
        elif self.operators is not None:
            yield from self.check_inference(op)

    def check_inference(self, op: Operation) -> Iterator[str]:
        """The operator exists, and its inference agrees with the declared results."""
        assert self.operators is not None
        definition = self.operators.get(op.name)
        if definition is None:
            yield f"there is no operator {op.name!r}"
            return
        if problem := definition.misfit(op.n_positional, op.attrs):
            yield problem
            return
        try:
            found = definition.infer(*(v.type for v in op.operands[: op.n_positional]), **refs_unknown(op.attrs))
            problems = list(_against_inference(found if isinstance(found, tuple) else (found,), op))
        except Exception as error:
            # Attributes may come from a file: whatever inference makes of them is a rule broken, not a crash.
            problems = [f"{type(error).__name__}: {error}"]
        yield from problems


def _against_inference(inferred: tuple, op: Operation) -> Iterator[str]:
    """As many results as inferred, of types that agree."""
    if len(inferred) != len(op.results):
        yield f"gives {len(inferred)} results, {len(op.results)} are declared"
    for type_, value in zip(inferred, op.results):
        if not agrees(type_, value.type):
            yield f"gives {type_}, the result is declared {value.type}"
