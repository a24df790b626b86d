"""A Program in a line: what goes in and comes out, how many operations it has, and how many parameters of which size."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from .core import TERMINATORS, Function, Operation, Program, Value
from .names import hint_of
from .types import TensorType, Type
from .visible import visible

LONGEST = 100  # characters of one type
_STORED = ("param", "const", "atom", "unbound", "undef")


def is_stored(op: Operation) -> bool:
    """Whether an Operation only names what is there: a parameter, a constant, nothing."""
    return op.name in _STORED


def is_step(op: Operation) -> bool:
    """Whether an Operation does something that people count: no constant, no truth of a value, no end of a Block."""
    return not is_stored(op) and op.name != "py.truth" and (op.name not in TERMINATORS or op.name == "raise")


def signature_text(function: Function) -> str:
    """The types of what a Function takes and gives: `(x: float32[n,3]) -> float32[n,2]`."""
    inputs = ", ".join(map(_input_text, function.block.args))
    results = ", ".join(_cut(str(found)) for found in function.result_types)
    return f"({inputs}) -> {results or 'nothing'}"


def counts_text(program: Program) -> str:
    """How many operations, parameters and elements in these, buffers and constants."""
    stored = [(parameter.kind, parameter.type) for parameter in program.parameters.values()]
    return f"{number_text(sum(map(is_step, program.walk())), 'operation')}, {stored_text(stored)}"


def stored_text(stored: Iterable[tuple[str, Type]]) -> str:
    """Tensors by their kinds: `4 parameters (1,234 elements), 2 buffers`."""
    kinds: dict[str, list[Type]] = {"parameter": []}
    for kind, type_ in stored:
        kinds.setdefault(kind, []).append(type_)
    elements = sum(prod(n for n in found.shape or () if isinstance(n, int)) for found in kinds["parameter"]
                   if isinstance(found, TensorType))  # fmt: skip
    texts = [number_text(len(types), visible(kind)) for kind, types in kinds.items()]
    texts[0] += f" ({number_text(elements, 'element')})" if elements else ""
    return ", ".join(texts)


def number_text(count: int, what: str) -> str:
    """A number of things: `1 step`, `1,234 steps`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def summary(program: Program) -> str:
    """The entry of a Program, and its counts."""
    return f"{visible(program.entry.name)}{entry_summary(program)}" if program.functions else "empty"


def entry_summary(program: Program) -> str:
    """The same without the name."""
    return f"{signature_text(program.entry)}: {counts_text(program)}"


def _input_text(value: Value) -> str:
    name = hint_of(value)
    return visible(f"{name}: " if name else "") + _cut(str(value.type))


def _cut(text: str) -> str:
    text = visible(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
