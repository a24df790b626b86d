"""One function under review: its source and the rewritten text, line by line, and which lines rewriting changes."""

from __future__ import annotations

import ast
import os
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NamedTuple

from ...errors import ConversionError
from ...transformers import Transpiled, transpile
from ...transformers.comments import CLAUSES, Home, UsersLine, logical_lines
from ...transformers.origin import Row
from ...transformers.source import find_function
from ..naming.objects import callable_of, find
from ..usage import UsageError


class Line(NamedTuple):
    """A line of a text. number: of the user's line that it is or came from, 0 for none; changed: whether rewriting changes it."""

    number: int
    text: str
    changed: bool


@dataclass
class Reviewed:
    """A function of the user's. source, rewritten: its lines before and after."""

    name: str
    file: str
    function: FunctionType
    source: list[Line]
    rewritten: list[Line]

    @property
    def first(self) -> int:
        """The number of its first line."""
        return self.source[0].number


def shown_path(file: str) -> str:
    """A file as others may read of it: from the current folder, or by its name where it lies elsewhere."""
    path = os.path.relpath(file) if os.path.isabs(file) else file
    return os.path.basename(file) if path.startswith(os.pardir) else path


class Subject(NamedTuple):
    """What is reviewed. value: what a call runs; None where no object can be made, as `problem` tells. functions: the user's."""

    value: Any
    problem: str
    functions: list[FunctionType]


def subject_of(target: str) -> Subject:
    """What a target names, with the function that it is and all of the user's that it gets to. UsageError: there is none."""
    found = find(target)
    try:
        value, problem = callable_of(found, target), ""
    except UsageError as error:  # a class without default arguments: its forward is there all the same
        value, problem = None, str(error)
    functions = functions_of(getattr(found.value, "forward", found.value) if value is None else value)
    if not functions:
        raise UsageError(problem or f"{target} is {type(value).__name__}: no function of yours was found in it")
    return Subject(value, problem, functions)


def functions_of(value: Any) -> list[FunctionType]:
    """The functions of the user's that an object gets to, its own first."""
    from ..check import reached_from
    from ..naming.pytorch import unwrapped

    return list({id(one.function.__code__): one.function for one in reached_from(unwrapped(value))}.values())


def reviewed(function: FunctionType) -> Reviewed:
    """A function with its lines. ConversionError: it can't be rewritten."""
    return _Pairing(transpile(function)).reviewed(function)


def all_reviewed(functions: list[FunctionType]) -> list[Reviewed]:
    """The first function, and those that it gets to. ConversionError: the first can't be rewritten; of others, it is told."""
    first, *others = functions
    return [reviewed(first), *map(_reviewed_or_told, others)]


def _reviewed_or_told(function: FunctionType) -> Reviewed:
    try:
        return reviewed(function)
    except ConversionError as error:
        found = find_function(function)
        lines = textwrap.dedent("\n".join(found.lines)).split("\n")
        source = [Line(number, text, False) for number, text in enumerate(lines, found.node.lineno)]
        told = [Line(0, f"# {line}", False) for line in f"this can't be rewritten: {error}".split("\n")]
        return Reviewed(_name(function), function.__code__.co_filename, function, source, told)


def _name(function: FunctionType) -> str:
    """What a function is called; of a decorator's, what it stands around, too."""
    is_around = hasattr(function, "__wrapped__") and function.__code__.co_name != function.__name__
    return f"{function.__code__.co_name} around {function.__qualname__}" if is_around else function.__qualname__


class _Pairing:
    """Which pieces of the rewritten text say what the user's lines say."""

    def __init__(self, transpiled: Transpiled):
        self.rows, self.users, self.first = transpiled.rows(), transpiled.users_lines, transpiled.first
        is_lambda = not self.users[0].lstrip().startswith(("def ", "async "))
        self.logical = [] if is_lambda else logical_lines(self.users, self.first)
        self.pieces: dict[Home, list[Row]] = defaultdict(list)
        for row in self.rows:
            if row.home is not None:
                self.pieces[row.home].append(row)
        self.homes: dict[int, list[Home]] = defaultdict(list)  # of a user's line, by its index, the pieces that came from it
        for home in self.pieces:
            self.homes[self._index(home)].append(home)
        self.kept = dict(self._kept())

    def reviewed(self, function: FunctionType) -> Reviewed:
        source = list(self._source())
        return Reviewed(_name(function), function.__code__.co_filename, function, source, list(self._rewritten()))

    def _index(self, home: Home) -> int:
        """The index of the user's line that a piece came from; -1 where the function is a lambda."""
        return next((k for k, line in enumerate(self.logical) if line.first <= home.line <= line.last), -1)

    def _kept(self) -> Iterator[tuple[Home, UsersLine | None]]:
        """The pieces that say again what a user's line says, whatever its spaces, quotes and breaks are, with that line.

        Of several statements on one line, the first piece stands for all, and the others have None.
        """
        for index, line in enumerate(self.logical):
            homes, said = self.homes[index], _tree(self._text(line))
            alone = [home for home in homes if said is not None and _tree(self._rewritten_text([home])) == said]
            if alone or said is None:
                yield from [(home, line) for home in alone]
            elif _tree(self._rewritten_text(homes)) == said:
                yield from [(home, None if k else line) for k, home in enumerate(homes)]

    def _rewritten_text(self, homes: list[Home]) -> str:
        return "\n".join(row.text for home in homes for row in self.pieces[home])

    def _text(self, line: UsersLine) -> str:
        return "\n".join(self.users[line.first - self.first : line.last - self.first + 1])

    def _source(self) -> Iterator[Line]:
        indent = len(self.users[0]) - len(self.users[0].lstrip()) if self.logical else 0
        changed = self._changed_lines()
        for number, text in enumerate(self.users, self.first):
            yield Line(number, text[indent:] if not text[:indent].strip() else text, number in changed)

    def _changed_lines(self) -> set[int]:
        """The numbers of the user's lines that stand nowhere in the rewritten text."""
        if not self.logical:
            return {home.line for home in self.pieces}
        kept = {line.first for line in self.kept.values() if line is not None}
        found: set[int] = set()
        for index, line in enumerate(self.logical):
            heads = next((one for one in reversed(self.logical[:index]) if one.column <= line.column), line)
            is_clause = line.word in CLAUSES and not self.homes[index]
            if (heads.first in found) if is_clause else line.first not in kept:
                found.update(range(line.first, line.last + 1))
        return found

    def _rewritten(self) -> Iterator[Line]:
        for row in self.rows:
            if row.home is None:
                yield Line(0, str(row), False)
                continue
            line = self.kept.get(row.home)
            if row.home not in self.kept or (line is not None and line.inside):
                yield Line(row.home.line, str(row), row.home not in self.kept)
            elif line is not None and row.number == row.home.start:
                indent = row.text[: len(row.text) - len(row.text.lstrip())]
                text = textwrap.dedent(" " * line.column + self._text(line).lstrip())
                for number, part in enumerate(text.split("\n"), line.first):
                    yield Line(number, (indent + part).rstrip(), False)


def _tree(text: str) -> Any:
    """What a simple statement, or the head of a compound one, says; None for a part of one, such as `else:`."""
    text = textwrap.dedent(text)
    for whole in (text, f"{text.rstrip()}\n    pass"):
        try:
            return ast.dump(ast.parse(whole))
        except SyntaxError:
            continue
    return None
