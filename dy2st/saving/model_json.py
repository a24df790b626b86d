"""`<path>.model.json`: a Program as JSON, one operation a line, the same bytes for the same Program (`docs/format.md`).

What stands in the file is data: operators by name, types and state as text in the IR's own grammar. Nothing is imported,
evaluated or unpickled, and a Program that breaks a rule of the IR is refused.
"""

from __future__ import annotations

import json
from typing import Any

from ..errors import ConversionError, ModelFileError, VerifyError
from ..ir.core import Block, Function, Operation, Parameter, Program, State, Value
from ..ir.lexer import Tokens
from ..ir.literal import LiteralReader, write_state
from ..ir.types import Type
from ..ir.verify import verify
from ..ops.registry import OPERATORS
from .attributes import decode, encode
from .filed import filed_attrs
from .format import FORMAT, expect_format
from .locations import Locations
from .sharing import check_sharing
from .typed import read_type
from .untrusted import brief, expect, expect_keys, parse_json, tree_size, within
from .value_names import file_names, name_in_source

# --- Program to text ------------------------------------------------------------------------------------------------


def program_to_json(program: Program) -> str:
    """The text of the model file. Parameter data is not in it; the data of tensors held as Python state is.

    ConversionError: an exception that a file can't hold.
    """
    functions = [_function_text(f) for f in program.functions.values()]
    parameters = [
        _json({"kind": p.kind, "name": name, "trainable": p.trainable, "type": str(p.type)})
        for name, p in program.parameters.items()
    ]
    literals = write_state({name: state.value for name, state in program.state.items()})
    state = [_json({"name": name, "type": str(s.type), "value": literals[name]}) for name, s in program.state.items()]
    parts = [
        f'"dy2st_model": {FORMAT}',
        *([f'"errors": {_json(program.errors)}'] if program.errors else []),
        f'"functions": {_lines(functions, "")}',
        f'"parameters": {_lines(parameters, "")}',
        f'"state": {_lines(state, "")}',
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json(tree: Any) -> str:
    return json.dumps(tree, sort_keys=True, allow_nan=False, separators=(", ", ": "))


def _lines(items: list[str], indent: str) -> str:
    inner = "".join(f"{indent} {item},\n" for item in items)
    return f"[\n{inner[:-2]}\n{indent}]" if items else "[]"


def _function_text(function: Function) -> str:
    writer = _BlockWriter(file_names(function))
    return f'{{"block": {writer.block(function.block, " ")}, "name": {_json(function.name)}}}'


class _BlockWriter:
    def __init__(self, names: dict[Value, str]):
        self.names, self.locations = names, Locations()

    def block(self, block: Block, indent: str) -> str:
        args = [[self.names[v], str(v.type)] for v in block.args]
        ops = [self.operation(op, indent + " ") for op in block.ops]
        return f'{{"args": {_json(args)}, "ops": {_lines(ops, indent)}}}'

    def operation(self, op: Operation, indent: str) -> str:
        fields: dict[str, Any] = {
            "attrs": {key: encode(value) for key, value in _writable_attrs(op).items()},
            "in": [self.names[v] for v in op.operands],
            "op": op.name,
            "out": [[self.names[v], str(v.type)] for v in op.results],
        }
        if op.n_positional != len(op.operands):
            fields["positional"] = op.n_positional
        if op.loc is not None:
            fields["loc"] = self.locations.written(op.loc, op.path)
        if op.path:
            fields["path"] = op.path
        if not op.blocks:
            return _json({key: value for key, value in fields.items() if value not in ([], {})})
        blocks = _lines([self.block(b, indent + " ") for b in op.blocks], indent)
        before = {key: value for key, value in fields.items() if key < "blocks" and value}
        after = {key: value for key, value in fields.items() if key > "blocks" and value not in ([], {})}
        head, tail = _json(before)[1:-1], _json(after)[1:-1]
        return "{" + ", ".join(filter(None, [head, f'"blocks": {blocks}', tail])) + "}"


def _writable_attrs(op: Operation) -> dict[str, Any]:
    try:
        return filed_attrs(op)
    except ValueError as error:
        raise ConversionError(f"{op.loc}: {error}" if op.loc is not None else str(error)) from None


# --- text to Program ------------------------------------------------------------------------------------------------


def program_from_json(data: bytes | str) -> Program:
    """The verified Program of a model file, its parameters without data; ModelFileError for anything else."""
    tree = expect_format(parse_json(data, "the model file"), "dy2st_model", "the model file")
    checked = expect_keys(tree, {"dy2st_model", "functions", "parameters", "state"}, {"errors"}, "the model file")
    program = Program(errors=_errors(checked["errors"]) if "errors" in checked else "")
    for entry in expect(checked["functions"], list, "functions"):
        function = _FunctionReader().function(entry)
        _add(program.functions, function.name, function, "function")
    for entry in expect(checked["parameters"], list, "parameters"):
        _read_parameter(entry, program)
    _read_state(expect(checked["state"], list, "state"), program)
    try:
        verify(program, OPERATORS)
    except VerifyError as error:
        raise ModelFileError(f"the Program in the file breaks the rules of the IR: {error}") from None
    _check_names(program)
    return program


def _errors(name: Any) -> str:
    if name != "torch":
        raise ModelFileError(f'a model file names "torch" under "errors", or nothing, not {brief(name)}')
    return name


def _check_names(program: Program) -> None:
    for op in program.walk():
        try:
            op.attrs = filed_attrs(op)
        except ValueError as error:
            raise ModelFileError(f"{op.loc or op.name}: {error}") from None


def _add(table: dict, name: str, entry: Any, what: str) -> None:
    if name in table:
        raise ModelFileError(f"two entries are called {what} {brief(name)}")
    table[name] = entry


def _attributes(trees: Any, where: str) -> dict[str, Any]:
    """The attributes of an operation. Python would read a name in other letters as the same one: names are ASCII."""
    for key in expect(trees, dict, where):
        if not (key.isascii() and key.isidentifier()):
            raise ModelFileError(f"{where}: {brief(key)} is no name of an attribute")
    within("attribute_values", tree_size(trees), f"{where}: values in its attributes")
    return {key: decode(tree, where) for key, tree in trees.items()}


def _read_parameter(entry: Any, program: Program) -> None:
    fields = expect_keys(entry, {"kind", "name", "trainable", "type"}, set(), "a parameter")
    name = expect(fields["name"], str, "the name of a parameter")
    where = f"parameter {brief(name)}"
    kind, trainable = expect(fields["kind"], str, where), expect(fields["trainable"], bool, where)
    _add(program.parameters, name, Parameter(read_type(fields["type"], where), None, kind, trainable), "parameter")


def _read_state(entries: list, program: Program) -> None:
    reader = LiteralReader(state=True)
    for entry in entries:
        fields = expect_keys(entry, {"name", "type", "value"}, set(), "state")
        name = expect(fields["name"], str, "the name of state")
        where = f"state {brief(name)}"
        type_, text = read_type(fields["type"], where), expect(fields["value"], str, where)
        try:
            tokens = Tokens(text)
            value = reader.read(tokens)
            if tokens.peek() or tokens.comment:
                raise ValueError(f"{tokens.peek() or 'a comment'} is left over")
        except ValueError as error:
            raise ModelFileError(f"{where}: {error}") from None
        _add(program.state, name, State(type_, value), "state")
    check_sharing((state.value for state in program.state.values()), "the Program's state")


class _FunctionReader:
    def __init__(self) -> None:
        self.locations = Locations()
        self.values: dict[str, Value] = {}
        self.where = "a function"

    def function(self, entry: Any) -> Function:
        fields = expect_keys(entry, {"block", "name"}, set(), "a function")
        name = expect(fields["name"], str, "the name of a function")
        self.where = f"function {brief(name)}"
        return Function(name, self.block(fields["block"], 0))

    def block(self, entry: Any, depth: int) -> Block:
        within("blocks", depth, f"{self.where}: nesting of blocks")
        fields = expect_keys(entry, {"args", "ops"}, set(), self.where)
        names, types = self.declared(fields["args"])
        block = Block(types)
        self.bind(names, block.args)
        for op in expect(fields["ops"], list, self.where):
            self.operation(op, block, depth)
        return block

    def declared(self, entries: Any) -> tuple[list[str], list[Type]]:
        pairs = [expect(pair, list, self.where) for pair in expect(entries, list, self.where)]
        if any(len(pair) != 2 for pair in pairs):
            raise ModelFileError(f"{self.where}: a value is a pair of name and type")
        return [expect(name, str, self.where) for name, _ in pairs], [read_type(text, self.where) for _, text in pairs]

    def bind(self, names: list[str], values: list[Value]) -> None:
        for name, value in zip(names, values):
            _add(self.values, name, value, f"{self.where}: value")
            value.name = name_in_source(name)

    def operation(self, entry: Any, block: Block, depth: int) -> None:
        optional = {"attrs", "blocks", "in", "loc", "out", "path", "positional"}
        fields = expect_keys(entry, {"op"}, optional, f"{self.where}: an operation")
        name = expect(fields["op"], str, f"{self.where}: an operator")
        where = f"{self.where}: {brief(name)}"
        operands = [self.value(v, where) for v in expect(fields.get("in", []), list, where)]
        attrs = _attributes(fields.get("attrs", {}), where)
        names, types = self.declared(fields.get("out", []))
        positional = expect(fields["positional"], int, where) if "positional" in fields else None
        path = expect(fields.get("path", ""), str, where)
        loc = self.locations.read(fields["loc"], path, where) if "loc" in fields else None
        op = Operation(name, operands, attrs, types, (), loc, path, positional)
        block.append(op)
        self.bind(names, op.results)
        for inner in expect(fields.get("blocks", []), list, where):
            op.blocks.append(self.block(inner, depth + 1))
            op.blocks[-1].parent = op

    def value(self, name: Any, where: str) -> Value:
        known = self.values.get(expect(name, str, where))
        if known is None:
            raise ModelFileError(f"{where}: uses {brief(name)}, which nothing before it defines")
        return known
