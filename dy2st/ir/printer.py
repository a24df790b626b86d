"""A Program as text: stable, diffable, and read back by `ir.parser`.

    parameter linear.weight: float32[10,3] trainable
    state calls: int = 0

    def main(%x: float32[n,10], %flag: bool) -> float32[n,3]:
      %weight = param name="linear.weight" : float32[10,3]
      %h = matmul %x, %weight : float32[n,3]  # net.py:12 forward @ linear
      %y = if %flag : float32[n,3]
        then:
          %0 = relu %h : float32[n,3]
          yield %0
        else:
          yield %h
      return %y

An operation reads: results, name, operands, attributes, types of the results. Operands behind a `;` are reached only from the
attributes, where `$1` stands for operand 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .core import Block, Function, Loc, Operation, Program, Value
from .lexer import WORD, quote, write_word
from .literal import write_literal, write_state
from .names import Names, name_values

_LABELS = {"if": ("then", "else"), "while": ("cond", "body")}


def print_program(program: Program, locs: bool = False) -> str:
    """The text of a Program; with `locs`, each operation's source line and module path follow as a comment."""
    tables = "\n".join([*parameter_lines(program), *state_lines(program)])
    functions = [print_function(function, locs) for function in program.functions.values()]
    return "\n\n".join(part for part in [tables, *functions] if part) + "\n"


def print_function(function: Function, locs: bool = False) -> str:
    """The text of one Function."""
    return "\n".join(text for text, _ in function_lines(function, locs))


def function_lines(function: Function, locs: bool = False) -> Iterator[tuple[str, Operation | None]]:
    """The lines of the text of one Function, each with the Operation that it is or belongs to."""
    return _FunctionPrinter(name_values(function), locs).function(function)


def operation_text(op: Operation, names: Callable[[Value], str] | None = None) -> str:
    """One Operation on one line, without its Blocks: for messages."""
    return _FunctionPrinter(names or Names(), False).head(op)


def block_labels(op: Operation) -> list[str]:
    """What the Blocks of an Operation are called."""
    if op.name == "try":
        last = ["finally"] if op.attrs.get("finally") else []
        return ["body", *["except"] * (len(op.blocks) - 1 - len(last)), *last][: len(op.blocks)]
    labels = _LABELS.get(op.name, ())
    return [labels[k] if k < len(labels) else f"block{k}" for k in range(len(op.blocks))]


def parameter_lines(program: Program) -> Iterator[str]:
    """The table of the parameters."""
    for name, parameter in program.parameters.items():
        trainable = " trainable" if parameter.trainable else ""
        yield f"{write_word(parameter.kind)} {write_word(name)}: {parameter.type}{trainable}"


def state_lines(program: Program) -> Iterator[str]:
    """The table of the Python state."""
    literals = write_state({name: state.value for name, state in program.state.items()})
    for name, state in program.state.items():
        yield f"state {write_word(name)}: {state.type} = {literals[name]}"


def _loc_text(loc: Loc | None, path: str) -> str:
    words = []
    if loc is not None:
        plain = loc.file and not set(loc.file) & set('# "@:\\') and loc.file.isprintable()
        words.append(f"{loc.file if plain else quote(loc.file)}:{loc.line}" + (f":{loc.column}" if loc.column else ""))
        if loc.function:
            words.append(write_word(loc.function))
    if path:
        words.append("@ " + (path if _plain_path(path) else quote(path)))
    return " ".join(words)


def _plain_path(path: str) -> bool:
    return all(part.isdecimal() or WORD.fullmatch(part) for part in path.split("."))


class _FunctionPrinter:
    def __init__(self, names: Callable[[Value], str], locs: bool):
        self.names, self.locs = names, locs

    def function(self, function: Function) -> Iterator[tuple[str, Operation | None]]:
        result = ", ".join(map(str, function.result_types))
        arrow = f" -> {result}" if result else ""
        yield f"def {write_word(function.name)}({self.args(function.block)}){arrow}:", None
        yield from self.block(function.block, "  ")

    def args(self, block: Block) -> str:
        return ", ".join(f"{self.names(v)}: {v.type}" for v in block.args)

    def block(self, block: Block, indent: str) -> Iterator[tuple[str, Operation | None]]:
        for op in block.ops:
            comment = _loc_text(op.loc, op.path) if self.locs else ""
            yield indent + self.head(op) + (f"  # {comment}" if comment else ""), op
            for label, inner in zip(block_labels(op), op.blocks):
                yield f"{indent}  {label}({self.args(inner)}):" if inner.args else f"{indent}  {label}:", op
                yield from self.block(inner, indent + "    ")

    def head(self, op: Operation) -> str:
        results = ", ".join(map(self.names, op.results))
        given = ", ".join(map(self.names, op.operands[: op.n_positional]))
        if op.n_positional < len(op.operands):
            given += "; " + ", ".join(map(self.names, op.operands[op.n_positional :]))
        attrs = ", ".join(f"{write_word(key)}={write_literal(value)}" for key, value in sorted(op.attrs.items()))
        types = ", ".join(str(v.type) for v in op.results)
        words = [f"{results} =" if results else "", write_word(op.name), ", ".join(filter(None, [given, attrs]))]
        return " ".join(filter(None, [*words, f": {types}" if types else ""]))
