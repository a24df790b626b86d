"""A Program as one Python function in which every name is assigned once.

    def forward(self, a):
        add = ops.add(a, 1)
        getitem = ops.getitem(add, index=[{'int': 0}])
        add_ = ops.add_(getitem, 1)
        return add

Blocks are functions inside it: `if_ = ops.if_(gt, then, else_)`. Parameters are `self.parameters['name']`.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from ..ir.core import Block, Operation, Program, Ref, Value, attribute_text
from ..ir.printer import block_labels

_CORE = ("if", "while", "try", "raise")  # words of Python's
_UNSPOKEN = re.compile(r"\W|^(?=\d)")


def print_python(program: Program) -> str:
    """The text of a Program: its entry is `forward`, its other Functions are functions in front of that."""
    printer = _Printer()
    entry, *others = program.functions.values()
    for function in others:
        printer.function(function.name, function.block, "")
    printer.function("forward", entry.block, "", "self")
    return "\n".join(printer.lines) + "\n"


class _Printer:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.taken = {"self", "ops", "forward"}
        self.texts: dict[Value, str] = {}

    def function(self, name: str, block: Block, indent: str, *first: str) -> None:
        """A Block as a `def`."""
        for value in block.args:
            self.texts[value] = self.fresh(value.name or "x")
        self.lines.append(f"{indent}def {name}({', '.join([*first, *(self.texts[v] for v in block.args)])}):")
        for op in block.ops:
            self.operation(op, indent + "    ")

    def operation(self, op: Operation, indent: str) -> None:
        """One line, after the functions that its Blocks are."""
        if op.name == "const":
            self.texts[op.result] = repr(op.attrs["value"])
            return
        if op.name in ("yield", "return"):
            self.lines.append(f"{indent}return {self.several(op.operands)}")
            return
        names = []
        for label, block in zip(block_labels(op), op.blocks):
            names.append(self.fresh(label))
            self.function(names[-1], block, indent)
        for value in op.results:
            self.texts[value] = self.fresh(value.name or op.name)
        target = ", ".join(self.texts[v] for v in op.results) or self.fresh(op.name)
        self.lines.append(f"{indent}{target} = {self.call(op, names)}")

    def call(self, op: Operation, blocks: list[str]) -> str:
        """What an operation computes."""
        if op.name == "param":
            return f"self.parameters[{op.attrs['name']!r}]"
        *family, word = op.name.split(".")
        name = ".".join([*family, f"{word}_" if op.name in _CORE or keyword.iskeyword(word) else word])
        operands = [self.texts[v] for v in op.operands]
        shown = lambda leaf: operands[leaf.index] if isinstance(leaf, Ref) else repr(leaf)  # noqa: E731
        attrs = [f"{key}={attribute_text(value, shown)}" for key, value in op.attrs.items()]
        return f"ops.{name}({', '.join([*operands[: op.n_positional], *blocks, *attrs])})"

    def several(self, values: list[Value]) -> str:
        """What a Block gives."""
        texts = [self.texts[v] for v in values]
        return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"

    def fresh(self, hint: str) -> str:
        """A name that no other line assigns."""
        stem = _UNSPOKEN.sub("_", hint)
        stem = f"{stem}_" if keyword.iskeyword(stem) else stem
        name = next(n for n in self._numbered(stem) if n not in self.taken)
        self.taken.add(name)
        return name

    @staticmethod
    def _numbered(stem: str) -> Iterator[str]:
        yield stem
        number = 0
        while True:
            number += 1
            yield f"{stem}_{number}"
