"""Passes before a Program is lowered: they remove writes, the heap and calls, then optimise it."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..ir.core import Operation, Program, Value
from ..ir.effects import EffectAnalysis
from ..ir.native import blank
from ..ir.types import STR
from ..ops.registry import OPERATORS
from ..passes import Pipeline
from ..passes.copying import copied
from ..passes.dead_code import dead_code, sweep
from ..passes.values import Interface, without_heap
from ..passes.values.texts import made_by, makes_texts, making

_UNKNOWN = "(a text that Python alone computes)"
_PASSES = ("shapes", "constants", "simplify", "subexpressions", "linear", "dead_code", "shapes")
_SMALLER, _KEEPING_SLOPES = Pipeline.of("smaller", "messages", "slopes", *_PASSES), Pipeline.of("smaller", "messages", *_PASSES)


class Prepared(NamedTuple):
    """A Program that lowering takes.

    interface: what its arguments and results stand for. initial: what state and written parameters hold at first, in native form,
        by kind and name.
    """

    program: Program
    interface: Interface
    initial: dict[tuple[str, str], Any]


def _is_plain_text(op: Operation) -> bool:
    """Whether an operation makes a text and never fails of what a graph holds: ints have 64 bits there.

    Whether a format fits tells one number of each type. `%` may fail of nan, and methods of a length.
    """
    if not op.results or op.results[0].type != STR or not makes_texts(op.name) or op.name in ("str.percent", "str.method"):
        return False
    if not op.attrs.get("spec"):
        return True
    operands = [blank(x.type) for x in op.operands]
    try:
        made_by(op.name, op.n_positional, op.attrs, operands)
    except Exception:
        return False
    return len(operands) == op.n_positional


def _is_unknown(value: Value) -> bool:
    """Whether a text is made of what no graph holds, such as a list of texts."""
    op = making(value)
    if op is not None:
        return any(map(_is_unknown, op.operands))
    return value.type == STR and isinstance(value.owner, Operation) and makes_texts(value.owner.name)


def _with_known_texts(program: Program) -> Program:
    """The Program, in a copy of which a constant stands for each text that a `raise` makes of what no graph holds."""
    if not any(op.name == "raise" and any(map(_is_unknown, op.operands)) for op in program.walk()):
        return program
    made = copied(program)
    for op in [op for op in made.walk() if op.name == "raise"]:
        block = op.parent
        assert block is not None
        for k, value in enumerate(op.operands):
            if _is_unknown(value):
                text = Operation("const", [], {"value": _UNKNOWN}, [STR], (), op.loc, op.path)
                block.ops.insert(block.ops.index(op), text)
                text.parent, op.operands[k] = block, text.result
    dead_code(made)
    return made


def prepared(program: Program, keeps_slopes: bool = False, leaves_at_raise: bool = True) -> Prepared:
    """A copy of a Program without writes in place and without a heap, made as small as passes make it.

    keeps_slopes: whether gradients that are said beside values stay, for what differentiates it.
    leaves_at_raise: whether state and arguments come out as Python leaves them at a `raise`; an engine asks NumPy's for them.

    ValuesError or FunctionalizeError, ConversionErrors at the user's line: it has no counterpart without them.
    """
    pure, interface = without_heap(_with_known_texts(program), leaves_at_raise)
    (_KEEPING_SLOPES if keeps_slopes else _SMALLER).run(pure, fresh=True)
    effects = EffectAnalysis(pure, OPERATORS)
    sweep(pure, lambda op: effects.can_remove(op) or _is_plain_text(op))
    initial = {("state", name): state.value for name, state in program.state.items()}
    initial |= {("parameter", name): parameter.data for name, parameter in program.parameters.items()}
    return Prepared(pure, interface, initial)
