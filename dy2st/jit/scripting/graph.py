"""`.graph`: a Program as SSA text, in the form that TorchScript's users know."""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.core import Block, Loc, Operation, Program, Value
from ...ir.literal import write_literal
from ...ir.names import free
from ...ir.types import TensorType, Type
from ...ir.visible import visible
from .readable import readable

FAMILIES = {"if": "prim::If", "while": "prim::Loop"}
CORE = {"const", "atom", "unbound", "undef", "param", "try", "raise", "call", "state.get", "state.set", "caught"}


class Graph:
    """The graph of one Function; `str` gives its text."""

    def __init__(self, program: Program, function: str):
        self.program, self.function = program, function
        self._names: dict[Value, str] = {}
        self._taken: set[str] = set()

    def __str__(self) -> str:
        self._names, self._taken = {}, set()
        block = self.program.functions[self.function].block
        lines = [f"graph({', '.join(map(self._typed, block.args))}):", *self._block(block, "  ")]
        return "\n".join(map(visible, lines)) + "\n"

    __repr__ = __str__

    def _name(self, value: Value) -> str:
        if value not in self._names:
            base = value.name.replace("[", "_").replace("]", "_") or str(len(self._names))
            name = free(base, self._taken, ".")
            self._taken.add(name)
            self._names[value] = f"%{name}"
        return self._names[value]

    def _typed(self, value: Value) -> str:
        return f"{self._name(value)} : {_type_text(value.type)}"

    def _values(self, values: list[Value]) -> str:
        return f"({', '.join(map(self._name, values))})"

    def _block(self, block: Block, indent: str) -> Iterator[str]:
        for op in block.ops:
            if op.name == "return":
                yield f"{indent}return {self._values(op.operands)}"
            elif op.name == "yield":
                yield f"{indent}-> {self._values(op.operands)}"
            else:
                yield from self._operation(op, indent)

    def _operation(self, op: Operation, indent: str) -> Iterator[str]:
        operands = self._values(op.operands)
        results = ", ".join(map(self._typed, op.results))
        attrs = ", ".join(f"{key}={write_literal(value)}" for key, value in sorted(op.attrs.items()))
        head = f"{operator_name(op)}{f'[{attrs}]' if attrs else ''}{operands}"
        yield indent + (f"{results} = " if results else "") + head + _location(op.loc)
        for number, inner in enumerate(op.blocks):
            yield f"{indent}  block{number}({', '.join(map(self._typed, inner.args))}):"
            yield from self._block(inner, indent + "    ")


def operator_name(op: Operation) -> str:
    """An operator with its family: `prim::If`, `aten::add`, `list::append`."""
    if op.name in FAMILIES:
        return FAMILIES[op.name]
    if op.name == "const":
        return "prim::Constant"
    family, _, name = op.name.rpartition(".")
    return f"{family or ('prim' if op.name in CORE else 'aten')}::{name}"


def _type_text(type_: Type) -> str:
    return "Tensor" if isinstance(type_, TensorType) else readable(type_)


def _location(loc: Loc | None) -> str:
    return f" # {loc.file}:{loc.line}:{loc.column}" if loc is not None else ""
