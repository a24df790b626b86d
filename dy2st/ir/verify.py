"""Check a Program against the rules of the IR: structure and dominance here, the rest in `ir/rules.py` and `ir/core_rules.py`.

`verify` is cheap enough to run after every pass, and every loaded file goes through it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import VerifyError
from .core import TERMINATORS, Block, Function, Operation, Program, Value, refs_unknown
from .core_rules import CORE, check_core
from .flows import flows_of
from .names import Names, name_values
from .printer import operation_text
from .rules import EVERY, PROGRAM, agrees, stored_values_fit, type_is_well_formed

_MAX_SHOWN = 8
_LONGEST = 250  # characters of an operation, and of what is wrong with it: a type may be as long as the file
_PLACED = ("caught", "raise")  # whose rules ask where the operation stands


def verify(program: Program, operators: Mapping[str, Any] | None = None) -> Program:
    """Return `program` where it keeps every rule; VerifyError names each operation that doesn't, and the rule.

    operators: name -> an object with `infer(*types, **attrs)`, `misfit(count, names)` and `flows`: `ops.registry.OPERATORS`.
    Where given, each operation must be a core operation or be known there, and take the operands and attributes that it has. Its
    declared result types must agree with the inferred ones (`rules.agrees`). A value that it stores in a container must fit.
    """
    problems = _Problems()
    for rule in PROGRAM:
        for problem in rule(program):
            problems.add(problem[:_LONGEST])
    for function in program.functions.values():
        _FunctionCheck(program, function, operators, problems).run()
    if problems.found:
        raise VerifyError("\n".join(problems.found))
    return program


class _Problems:
    """What is wrong with a Program: the first few problems. VerifyError with those, once there are more."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, problem: str) -> None:
        if len(self.found) == _MAX_SHOWN:
            raise VerifyError("\n".join(self.found) + "\n... and more")
        self.found.append(problem)


class _FunctionCheck:
    """One Function: what is visible where, and each operation's rules."""

    def __init__(self, program: Program, function: Function, operators: Mapping[str, Any] | None, problems: _Problems):
        self.program, self.function, self.operators, self.problems = program, function, operators, problems
        self.visible: set[Value] = set()
        self.defined: set[Value] = set()
        self.checked_types: set[Any] = set()
        self.kept_rules: set[Any] = set()  # signatures of operations
        self.op: Operation | None = None
        self.names: Names | None = None

    def run(self) -> None:
        block = self.function.block
        if block.terminator is None or block.terminator.name == "yield":
            self.report("a function must end in return or raise")
        if block.parent is not self.function:
            self.report("the body's parent is not the function")
        self.check_block(block)

    def report(self, problem: str) -> None:
        where = f"in {self.function.name}: "
        if self.op is not None:
            loc = f" ({self.op.loc})" if self.op.loc else ""
            where += f"{self.text(self.op)[:_LONGEST]}{loc}: "
        self.problems.add(where + problem[:_LONGEST])

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
        """The rules of every operation and its own; of operations of one signature, once."""
        signature = _signature(op)
        if signature is not None and signature in self.kept_rules:
            return
        try:
            problems = list(self.rules(op))
        except Exception as error:
            # Attributes may come from a file: whatever a rule makes of them is a rule broken, not a crash.
            problems = [f"{type(error).__name__}: {error}"]
        for problem in problems:
            self.report(problem)
        if signature is not None and not problems:
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
        if op.n_positional > len(op.operands):
            yield f"{op.n_positional} operands are positional, and it has {len(op.operands)}"
            return
        if problem := definition.misfit(op.n_positional, op.attrs):
            yield problem
            return
        found = definition.infer(*(v.type for v in op.operands[: op.n_positional]), **refs_unknown(op.attrs))
        yield from _against_inference(found if isinstance(found, tuple) else (found,), op)
        yield from stored_values_fit(op, flows_of(op, self.operators))


def _signature(op: Operation) -> tuple | None:
    """All that the rules of an operation depend on; None where that is more than its name, types and plain attributes."""
    if op.blocks or op.name in _PLACED or op.n_positional != len(op.operands):
        return None
    if not all(value is None or type(value) in (bool, int, float, str) for value in op.attrs.values()):
        return None
    attrs = tuple((key, type(value), value) for key, value in op.attrs.items())  # 1 is True, but not the same attribute
    return (op.name, attrs, *(v.type for v in op.operands), None, *(v.type for v in op.results))


def _against_inference(inferred: tuple, op: Operation) -> Iterator[str]:
    """As many results as inferred, of types that agree."""
    if len(inferred) != len(op.results):
        yield f"gives {len(inferred)} results, {len(op.results)} are declared"
    for type_, value in zip(inferred, op.results):
        if not agrees(type_, value.type):
            yield f"gives {type_}, the result is declared {value.type}"
