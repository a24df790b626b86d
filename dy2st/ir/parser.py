"""The Program that `ir.printer` wrote. Text in, Program or ParseError out; `verify` says whether it is a legal one.

Indentation carries the structure: a block's label stands two columns in from its operation, its lines four.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ..config import file_limits
from ..errors import ParseError
from .core import Block, Function, Loc, Operation, Parameter, Program, State, Value
from .lexer import Tokens, read_word, unquote
from .literal import LiteralReader
from .printer import block_labels
from .types import Type, read_type

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_PLACE = rf"(?P<file>{_QUOTED}|[^\s\":]+):(?P<line>-?\d{{1,9}})(?::(?P<column>\d{{1,9}}))?"
_LOC = rf"{_PLACE}(?: (?P<function>(?!@ )(?:{_QUOTED}|\S+)))?"
_COMMENT = re.compile(rf"(?:{_LOC})?(?: ?@ (?P<path>{_QUOTED}|\S+))?")


def parse_program(text: str) -> Program:
    """The Program whose text is `text`; ParseError names the line."""
    return _Reader(text).program()


class _Line(NamedTuple):
    number: int
    indent: int
    tokens: Tokens


class _Reader:
    def __init__(self, text: str):
        self.lines: list[_Line] = []
        self.at = 0
        self.values: dict[str, Value] = {}
        self.literals = LiteralReader()
        self.state = LiteralReader(state=True)
        for number, line in enumerate(text.split("\n"), 1):
            indent = len(line) - len(line.lstrip(" "))
            tokens = self.guarded(number, lambda: Tokens(line))  # noqa: B023
            if tokens.tokens:
                self.lines.append(_Line(number, indent, tokens))

    def guarded(self, number: int, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except ParseError:
            raise
        except ValueError as error:
            raise ParseError(f"line {number}: {error}") from None

    def next_is_at(self, indent: int) -> bool:
        """Whether a line with this indentation comes next; any that is further in is out of place."""
        if self.at == len(self.lines):
            return False
        line = self.lines[self.at]
        if line.indent > indent:
            raise ParseError(f"line {line.number}: indented by {line.indent} columns, expected {indent}")
        return line.indent == indent

    def take_line(self) -> _Line:
        self.at += 1
        return self.lines[self.at - 1]

    # --- tables and functions ---

    def program(self) -> Program:
        program = Program()
        while self.next_is_at(0):
            line = self.take_line()
            self.guarded(line.number, lambda: self.top(line, program))  # noqa: B023
        return program

    def top(self, line: _Line, program: Program) -> None:
        tokens, word = line.tokens, line.tokens.take()
        if word == "def":
            self.function(line, program)
            return
        name = read_word(tokens.take())
        if word == "errors":
            program.errors = name
            self.end(tokens)
            return
        tokens.take(":")
        type_ = read_type(tokens)
        if word == "state":
            tokens.take("=")
            self.add(program.state, name, State(type_, self.state.read(tokens)))
        elif word in ("parameter", "buffer", "constant"):
            self.add(program.parameters, name, Parameter(type_, None, word, tokens.skip("trainable")))
        else:
            raise ValueError(f"expected def, parameter, buffer, constant or state, found {word}")
        self.end(tokens)

    def add(self, table: dict, name: str, entry: Any) -> None:
        if name in table:
            raise ValueError(f"{name!r} is declared twice")
        table[name] = entry

    def end(self, tokens: Tokens) -> None:
        if tokens.peek():
            raise ValueError(f"{tokens.peek()} is left over in: {tokens.text[:200]}")

    def function(self, line: _Line, program: Program) -> None:
        tokens = line.tokens
        name = read_word(tokens.take())
        self.values = {}
        function = Function(name, self.arguments(tokens))
        declared: list[Type] | None = None
        if tokens.skip("->"):
            declared = tokens.many(lambda: read_type(tokens), ":")
        else:
            tokens.take(":")
        self.end(tokens)
        self.add(program.functions, name, function)
        self.block(function.block, 2, 0)
        if declared is not None and function.result_types != declared:
            raise ValueError(f"{name} is declared to return {_texts(declared)}, its body returns {_texts(function.result_types)}")

    def arguments(self, tokens: Tokens) -> Block:
        names, types = [], []

        def argument() -> None:
            names.append(tokens.take())
            tokens.take(":")
            types.append(read_type(tokens))

        if tokens.skip("("):
            tokens.many(argument, ")")
        block = Block(types)
        for value, name in zip(block.args, names):
            self.bind(name, value)
        return block

    def bind(self, name: str, value: Value) -> None:
        if not name.startswith("%") or name in self.values:
            raise ValueError(f"{name} is defined twice" if name in self.values else f"expected a value like %x, found {name}")
        self.values[name] = value
        value.name = "" if name[1:].isdecimal() and name.isascii() else name[1:]

    # --- blocks and operations ---

    def block(self, block: Block, indent: int, depth: int) -> None:
        if depth > file_limits.blocks:
            raise ParseError(f"line {self.lines[self.at - 1].number}: blocks nested deeper than {file_limits.blocks}")
        while self.next_is_at(indent):
            line = self.take_line()
            op, results = self.guarded(line.number, lambda: self.operation(line.tokens))  # noqa: B023
            block.append(op)
            for name, value in zip(results, op.results):
                self.guarded(line.number, lambda: self.bind(name, value))  # noqa: B023
            self.inner_blocks(op, line, indent, depth)

    def inner_blocks(self, op: Operation, line: _Line, indent: int, depth: int) -> None:
        labels = []
        while self.next_is_at(indent + 2):
            label = self.take_line()
            labels.append(label.tokens.peek())
            inner = self.guarded(label.number, lambda: self.label(label.tokens))  # noqa: B023
            inner.parent = op
            op.blocks.append(inner)
            self.block(inner, indent + 4, depth + 1)
        if labels != block_labels(op):
            raise ParseError(f"line {line.number}: blocks {_texts(labels)}, expected {_texts(block_labels(op))}")

    def label(self, tokens: Tokens) -> Block:
        read_word(tokens.take())
        block = self.arguments(tokens)
        tokens.take(":")
        self.end(tokens)
        return block

    def operation(self, tokens: Tokens) -> tuple[Operation, list[str]]:
        results: list[str] = []
        if tokens.peek().startswith("%"):
            results = tokens.many(tokens.take, "=")
        name = read_word(tokens.take())
        operands, positional = self.operands(tokens)
        attrs = self.attributes(tokens)
        types = []
        if tokens.skip(":"):
            types = [read_type(tokens)]
            while tokens.skip(","):
                types.append(read_type(tokens))
        self.end(tokens)
        if len(types) != len(results):
            raise ValueError(f"{len(results)} results and {len(types)} types in: {tokens.text[:200]}")
        loc, path = _read_comment(tokens.comment)
        return Operation(name, operands, attrs, types, (), loc, path, positional), results

    def operands(self, tokens: Tokens) -> tuple[list[Value], int | None]:
        operands: list[Value] = []
        positional = None
        while True:
            if positional is None and tokens.skip(";"):
                positional = len(operands)
            if not tokens.peek().startswith("%"):
                return operands, positional
            name = tokens.take()
            if name not in self.values:
                raise ValueError(f"{name} is used before it is defined")
            operands.append(self.values[name])
            tokens.skip(",")

    def attributes(self, tokens: Tokens) -> dict[str, Any]:
        attrs: dict[str, Any] = {}
        while tokens.peek() not in ("", ":"):
            key = read_word(tokens.take())
            tokens.take("=")
            self.add(attrs, key, self.literals.read(tokens))
            tokens.skip(",")
        return attrs


def _texts(items: list) -> str:
    return ", ".join(map(str, items)) or "nothing"


def _read_comment(comment: str) -> tuple[Loc | None, str]:
    """Source line and module path; a comment of another shape is a remark and means nothing."""
    match = _COMMENT.fullmatch(comment)
    if not comment or match is None:
        return None, ""
    parts = ("file", "line", "function", "column", "path")
    file, line, function, column, path = (_plain(match.group(part) or "") for part in parts)
    return Loc(file, int(line), function, int(column or 0)) if line else None, path


def _plain(text: str) -> str:
    return unquote(text) if text.startswith('"') else text
