"""What differs between two Programs, operation by operation, as the printed Programs would show it.

Values are told apart by what they are, not by their names: an operation is the same where its operands come from the same
operations, so that one more at the start doesn't show in all the numbers that follow.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from ...ir.core import Block, Function, Operation, Value
from ...ir.lexer import write_word
from ...ir.names import name_values
from ...ir.printer import block_labels, operation_text
from ...ir.types import Type
from .tables import shortened

_CONTEXT = 2  # unchanged lines around a change


@dataclass
class _Line:
    """A line of a printed Function. text: for given names of Values; makes, reads: the Values in it; path: of the sub-module."""

    text: Callable[[Callable[[Value], str]], str]
    makes: list[Value]
    reads: list[Value]
    operator: str
    path: str = ""
    is_operation: bool = True  # or else the head of a Function or a Block

    def __post_init__(self) -> None:
        self.shape = self.text(lambda value: "%")  # what it is but for which Values it reads


class Changed(NamedTuple):
    """A line that is gone ("-") or new ("+"). path: of the sub-module that it stands for; operator: "" for heads of blocks."""

    function: str
    path: str
    mark: str
    text: str
    operator: str


def changed_lines(old: Mapping[str, Function], new: Mapping[str, Function]) -> Iterator[Changed]:
    """The lines that are gone or new, of all Functions in their order."""
    for name in dict.fromkeys([*old, *new]):
        if name in old and name in new:
            marked = list(_FunctionDiff(old[name], new[name]).marked())
        else:
            mark, function = ("-", old[name]) if name in old else ("+", new[name])
            marked = [(mark, line.text(name_values(function)), line) for line in _function_lines(function)]
        for mark, text, line in marked:
            if mark != " ":
                yield Changed(name, line.path, mark, text, line.operator if line.is_operation else "")


def different_functions(old: Mapping[str, Function], new: Mapping[str, Function]) -> Iterator[tuple[str, list[str]]]:
    """For each Function that differs, a title, and the lines that are gone, new, and around those."""
    for name in dict.fromkeys([*old, *new]):
        if name in old and name in new:
            yield f"function {name}", _FunctionDiff(old[name], new[name]).lines()
        else:
            sign, function = ("-", old[name]) if name in old else ("+", new[name])
            yield f"function {name}", [f"{sign} all of it: {sum(1 for _ in function.block.walk()):,} operations"]


class _FunctionDiff:
    def __init__(self, old: Function, new: Function):
        self.old, self.new = list(_function_lines(old)), list(_function_lines(new))
        self.name_old, self.name_new = name_values(old), name_values(new)
        self.now: dict[Value, Value] = {}  # a Value of the old Function -> what it is in the new one

    def lines(self) -> list[str]:
        """The changed lines, marked, each with some unchanged ones around it."""
        marked = list(self.marked())
        near = {k + d for k, (mark, _, _) in enumerate(marked) if mark != " " for d in range(-_CONTEXT, _CONTEXT + 1)}
        found: list[str] = []
        for k, (mark, text, _) in enumerate(marked):
            if k in near:
                found.append(f"{mark} {shortened(text)}")
            elif found and found[-1] != "...":
                found.append("...")
        return found[:-1] if found and found[-1] == "..." else found

    def marked(self) -> Iterator[tuple[str, str, _Line]]:
        """All lines: whether each is gone, new or neither, as it reads now, and what it is."""
        shapes = [line.shape for line in self.old], [line.shape for line in self.new]
        for kind, i, i_end, j, j_end in SequenceMatcher(None, *shapes).get_opcodes():
            if kind == "equal":
                yield from self._alike(self.old[i:i_end], self.new[j:j_end])
            else:
                yield from self._replaced(self.old[i:i_end], self.new[j:j_end])

    def _alike(self, old: list[_Line], new: list[_Line]) -> Iterator[tuple[str, str, _Line]]:
        """Lines that read the same but for the names of Values; some may read other Values."""
        for a, b in zip(old, new):
            same = [self.now.get(value) for value in a.reads] == b.reads
            self.now.update(zip(a.makes, b.makes))
            if not same:
                yield "-", a.text(self._name), a
            yield " " if same else "+", b.text(self.name_new), b

    def _replaced(self, old: list[_Line], new: list[_Line]) -> Iterator[tuple[str, str, _Line]]:
        """What one of these gave, another gives now: those who read it aren't changed by that."""
        for a, b in _twins(old, new):
            self.now.update(_paired(a.makes, b.makes))
        yield from [("-", line.text(self._name), line) for line in old]
        yield from [("+", line.text(self.name_new), line) for line in new]

    def _name(self, value: Value) -> str:
        """A Value of the old Function by its name in the new one; one that is gone by its own, marked where that is taken."""
        if value in self.now:
            return self.name_new(self.now[value])
        name = self.name_old(value)
        return f"{name}_old" if name in self.name_new.taken else name


def _twins(old: list[_Line], new: list[_Line]) -> Iterator[tuple[_Line, _Line]]:
    """Which line stands in the place of which: one of the same operator, else one that gives the same types."""
    for tell in (_operator, _types):
        waiting: dict[Any, deque[_Line]] = defaultdict(deque)
        for line in new:
            waiting[tell(line)].append(line)
        alone = []
        for line in old:
            if waiting[tell(line)]:
                yield line, waiting[tell(line)].popleft()
            else:
                alone.append(line)
        old, new = alone, [line for lines in waiting.values() for line in lines]


def _operator(line: _Line) -> str:
    return line.operator


def _types(line: _Line) -> tuple[Type, ...]:
    return tuple(value.type for value in line.makes)


def _paired(old: list[Value], new: list[Value]) -> Iterator[tuple[Value, Value]]:
    """Which Value is which: by position, or where there are more or fewer now, by name."""
    if len(old) == len(new):
        return zip(old, new)
    return ((a, b) for a in old for b in new if a.name and a.name == b.name)


def _function_lines(function: Function) -> Iterator[_Line]:
    yield _Line(_head(function), function.block.args, [], "", is_operation=False)
    yield from _block_lines(function.block, "  ")


def _block_lines(block: Block, indent: str) -> Iterator[_Line]:
    for op in block.ops:
        yield _Line(_operation(op, indent), op.results, op.operands, op.name, op.path)
        for label, inner in zip(block_labels(op), op.blocks):
            yield _Line(_label(label, inner, indent), inner.args, [], label, op.path, is_operation=False)
            yield from _block_lines(inner, indent + "    ")


def _head(function: Function) -> Callable[[Callable[[Value], str]], str]:
    return lambda name: f"def {write_word(function.name)}({_arguments(function.block, name)}):"


def _operation(op: Operation, indent: str) -> Callable[[Callable[[Value], str]], str]:
    return lambda name: indent + operation_text(op, name)


def _label(label: str, block: Block, indent: str) -> Callable[[Callable[[Value], str]], str]:
    return lambda name: f"{indent}  {label}({_arguments(block, name)}):" if block.args else f"{indent}  {label}:"


def _arguments(block: Block, name: Callable[[Value], str]) -> str:
    return ", ".join(f"{name(value)}: {value.type}" for value in block.args)
