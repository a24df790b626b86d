"""What a Program goes through before it is lowered: no writes, no heap, no calls; then less of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..ir.core import Operation, Program
from ..ir.effects import EffectAnalysis
from ..ir.native import blank
from ..ir.types import STR
from ..ops.registry import OPERATORS
from ..passes import Pipeline
from ..passes.dead_code import sweep
from ..passes.values import Interface, without_heap
from ..passes.values.texts import made_by, makes_texts

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


def prepared(program: Program, keeps_slopes: bool = False, leaves_at_raise: bool = True) -> Prepared:
    """A copy of a Program without writes in place and without a heap, made as small as passes make it.

    keeps_slopes: whether gradients that are said beside values stay, for what differentiates it.
    leaves_at_raise: whether state and arguments come out as Python leaves them at a `raise`; an engine asks NumPy's for them.

    ValuesError or FunctionalizeError, ConversionErrors at the user's line: it has no counterpart without them.
    """
    pure, interface = without_heap(program, leaves_at_raise)
    (_KEEPING_SLOPES if keeps_slopes else _SMALLER).run(pure, fresh=True)
    effects = EffectAnalysis(pure, OPERATORS)
    sweep(pure, lambda op: effects.can_remove(op) or _is_plain_text(op))
    initial = {("state", name): state.value for name, state in program.state.items()}
    initial |= {("parameter", name): parameter.data for name, parameter in program.parameters.items()}
    return Prepared(pure, interface, initial)
