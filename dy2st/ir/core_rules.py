"""What is legal of each core operation. A rule runs once the numbers of operands, results and blocks are right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from .core import Block, Operation, Program, Value
from .join import alternatives, is_subtype
from .types import BOOL, FLOAT, INT, NONE, STR, UNBOUND, AtomType, CellType, ExceptionType, SumType, TupleType, Type

Problems = Iterator[str]
_LITERALS = {bool: BOOL, int: INT, float: FLOAT, str: STR, type(None): NONE}


class CoreRule(NamedTuple):
    """The rule of one core operation, and how many operands, results and blocks it has (None: any number)."""

    check: Callable[[Operation, Program], Problems]
    operands: int | None
    results: int | None
    blocks: int | None


CORE: dict[str, CoreRule] = {}


def core(name: str, operands: int | None = None, results: int | None = None, blocks: int | None = 0):
    """Register the rule of the core operation `name`."""

    def register(check: Callable[[Operation, Program], Problems]) -> Callable:
        CORE[name] = CoreRule(check, operands, results, blocks)
        return check

    return register


def check_core(op: Operation, program: Program) -> Problems:
    """What is wrong with a core operation: the numbers first, then its own rule."""
    rule = CORE[op.name]
    counts = (
        (rule.operands, len(op.operands), "operands"),
        (rule.results, len(op.results), "results"),
        (rule.blocks, len(op.blocks), "blocks"),
    )
    wrong = [f"takes {want} {what}, not {have}" for want, have, what in counts if want is not None and have != want]
    if op.n_positional != len(op.operands):
        wrong.append("takes all operands by position")
    yield from wrong or rule.check(op, program)


def _flows(values: list[Value], targets: Sequence[Value | Type], what: str) -> Problems:
    """As many values as targets, each a subtype of its target."""
    if len(values) != len(targets):
        yield f"{what}: {len(values)} values for {len(targets)}"
    for k, (value, target) in enumerate(zip(values, targets)):
        declared = target.type if isinstance(target, Value) else target
        if not is_subtype(value.type, declared):
            yield f"{what} {k}: {value.type} doesn't flow into {declared}"


def _arrives(block: Block, targets: Sequence[Value | Type], what: str) -> Problems:
    """The Block raises, or yields what flows into the targets."""
    end = block.terminator
    if end is None or end.name == "return":
        yield f"{what} must end in yield or raise"
    elif end.name == "yield":
        yield from _flows(end.operands, targets, f"what {what} yields")


def _text(op: Operation, key: str) -> str:
    """A string attribute, or "" where there is none."""
    value = op.attrs.get(key)
    return value if isinstance(value, str) else ""


def _are_names(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(name, str) for name in value)


# --- core operations ------------------------------------------------------------------------------------------------


@core("const", operands=0, results=1)
def const(op: Operation, program: Program) -> Problems:
    """const: `value` is a Python scalar, str or None, and the result has its type."""
    expected = _LITERALS.get(type(op.attrs.get("value")))
    if "value" not in op.attrs or expected is None:
        yield "needs the attribute value: a bool, int, float, str or None"
    elif op.results[0].type != expected:
        yield f"the value is of type {expected}, the result is declared {op.results[0].type}"


@core("unbound", operands=0, results=1)
def _unbound(op: Operation, program: Program) -> Problems:
    """unbound: the absence of a value."""
    if op.result.type != UNBOUND:
        yield f"gives unbound, not {op.result.type}"


@core("undef", operands=0, results=1)
def _undef(op: Operation, program: Program) -> Problems:
    """undef: a value of any type that no path reads."""
    yield from ()


@core("atom", operands=0, results=1)
def atom(op: Operation, program: Program) -> Problems:
    """atom: the result is the atom called `text`; `repr` and `str` tell what these functions give of it, where they are known."""
    unknown = [name for name, value in op.attrs.items() if name not in ("text", "repr", "str") or not isinstance(value, str)]
    if unknown:
        yield f"the attribute {unknown[0]} should be a text called text, repr or str"
    if op.results[0].type != AtomType(_text(op, "text")):
        yield f"the result must be {AtomType(_text(op, 'text'))}"


@core("param", operands=0, results=1)
def param(op: Operation, program: Program) -> Problems:
    """param: `name` is a declared parameter whose type flows into the result."""
    parameter = program.parameters.get(_text(op, "name"))
    if parameter is None:
        yield f"there is no parameter {op.attrs.get('name')!r}"
    elif not is_subtype(parameter.type, op.results[0].type):
        yield f"parameter {op.attrs['name']!r} is {parameter.type}, the result {op.results[0].type}"


@core("if", operands=1, blocks=2)
def if_(op: Operation, program: Program) -> Problems:
    """if: one bool; two Blocks without arguments that yield the results, or raise."""
    if op.operands[0].type != BOOL:
        yield f"the condition is {op.operands[0].type}, not bool"
    for block, what in zip(op.blocks, ("the then block", "the else block")):
        if block.args:
            yield f"{what} takes no arguments"
        yield from _arrives(block, op.results, what)


@core("while", blocks=2)
def while_(op: Operation, program: Program) -> Problems:
    """while: cond and body take the carried values; cond yields a bool, body the next values; results are the carried values."""
    cond, body = op.blocks
    yield from _flows(op.operands, cond.args, "initial value")
    yield from _flows(op.operands, body.args, "initial value")
    yield from _arrives(cond, [BOOL], "the condition")
    yield from _arrives(body, cond.args, "the body")
    yield from _arrives(body, body.args, "the body")
    yield from _flows(cond.args, op.results, "carried value")


@core("try", operands=0, blocks=None)
def try_(op: Operation, program: Program) -> Problems:
    """try: body and one Block per handler yield the results; `finally`, where there is one, yields nothing."""
    handlers, final = op.attrs.get("handlers"), op.attrs.get("finally", False)
    if not isinstance(handlers, (list, tuple)) or not all(h and _are_names(h) for h in handlers) or type(final) is not bool:
        yield "needs the attributes handlers (a list of lists of exception names) and, for a finally block, finally=True"
        return
    if len(op.blocks) != 1 + len(handlers) + final or len(op.blocks) < 2:
        yield f"has {len(op.blocks)} blocks for a body, {len(handlers)} handlers and {'a' if final else 'no'} finally"
        return
    if any(block.args for block in op.blocks):
        yield "blocks of a try take no arguments"
    for block in op.blocks[: 1 + len(handlers)]:
        yield from _arrives(block, op.results, "a block of the try")
    if final:
        yield from _arrives(op.blocks[-1], [], "the finally block")


@core("raise", results=0)
def raise_(op: Operation, program: Program) -> Problems:
    """raise: what exception.new would make; an exception, and its cause; or, in a handler, nothing: what it caught goes on."""
    if op.attrs.get("exception") is not None or set(op.attrs) - {"cause"}:
        yield from _makes_exception(op)
    elif not op.operands:
        yield from _in_handler(op)
    elif len(op.operands) != 1 + bool(op.attrs.get("cause")) or not isinstance(op.operands[0].type, ExceptionType):
        yield "raises one exception, with its cause after it where the attribute cause is there"


@core("exception.new", results=1)
def exception_new(op: Operation, program: Program) -> Problems:
    """exception.new: the arguments of an exception, its fields, then its context and its cause where attributes tell of them."""
    if not isinstance(op.result.type, ExceptionType):
        yield f"gives an exception, not {op.result.type}"
    yield from _makes_exception(op)


def _makes_exception(op: Operation) -> Problems:
    """The name of a class, the names of its bases and fields; `context` and `cause` stand for one operand each, at the end."""
    if not _text(op, "exception"):
        yield "needs the attribute exception: a name"
    for key in ("bases", "fields"):
        if not _are_names(op.attrs.get(key, [])):
            yield f"the attribute {key} is a list of names"
    chained = bool(op.attrs.get("context")) + bool(op.attrs.get("cause"))
    if len(op.attrs.get("fields", [])) + chained > len(op.operands):
        yield "has a name for more fields than operands"
        return
    for value in op.operands[len(op.operands) - chained :]:
        if not all(kind == NONE or isinstance(kind, ExceptionType) for kind in alternatives(value.type)):
            yield f"comes from an exception or None, not from {value.type}"


@core("call")
def call(op: Operation, program: Program) -> Problems:
    """call: operands flow into the Function's parameters, what it returns into the result, which may be dropped."""
    callee = program.functions.get(_text(op, "function"))
    if callee is None:
        yield f"there is no function {op.attrs.get('function')!r}"
        return
    yield from _flows(op.operands, callee.block.args, "argument")
    if op.results and callee.block.terminator is not None and callee.block.terminator.name == "return":
        yield from _flows(callee.block.terminator.operands, op.results, "result")


@core("caught", operands=0, results=1)
def caught(op: Operation, program: Program) -> Problems:
    """caught: the exception that the handler around it caught."""
    if not isinstance(op.result.type, ExceptionType):
        yield f"gives an exception, not {op.result.type}"
    yield from _in_handler(op)


@core("caught.is", operands=1, results=1)
def caught_is(op: Operation, program: Program) -> Problems:
    """caught.is: whether an exception is one of `exceptions`."""
    if op.result.type != BOOL or not _are_names(op.attrs.get("exceptions")):
        yield "gives a bool, from the attribute exceptions: a list of names"
    yield from _of_exception(op)


@core("caught.text", operands=1, results=1)
def caught_text(op: Operation, program: Program) -> Problems:
    """caught.text: the message of an exception; with `repr`, how Python writes it."""
    if op.result.type != STR or type(op.attrs.get("repr")) is not bool:
        yield "gives a str, and needs the attribute repr: a bool"
    yield from _of_exception(op)


@core("caught.args", operands=1, results=1)
def caught_args(op: Operation, program: Program) -> Problems:
    """caught.args: the arguments of an exception."""
    if not isinstance(op.result.type, TupleType):
        yield f"gives a tuple, not {op.result.type}"
    yield from _of_exception(op)


@core("caught.field", operands=1, results=1)
def caught_field(op: Operation, program: Program) -> Problems:
    """caught.field: the attribute `name` of an exception."""
    if not _text(op, "name"):
        yield "needs the attribute name"
    yield from _of_exception(op)


def _of_exception(op: Operation) -> Problems:
    if not isinstance(op.operands[0].type, ExceptionType):
        yield f"asks an exception, not {op.operands[0].type}"


def _in_handler(op: Operation) -> Problems:
    """A Block around the operation is a handler."""
    block = op.parent
    while isinstance(block, Block):
        around = block.parent
        if isinstance(around, Operation) and around.name == "try":
            is_final = block is around.blocks[-1] and around.attrs.get("finally")
            if block is not around.blocks[0] and not is_final:
                return
        block = around.parent if isinstance(around, Operation) else None
    yield "stands outside of a handler"


core("yield", results=0)(lambda op, program: iter(()))
core("return", operands=1, results=0)(lambda op, program: iter(()))


@core("cell.new", results=1)
def cell_new(op: Operation, program: Program) -> Problems:
    """cell.new: a first value of the cell's type; a cell made empty has a type that includes unbound."""
    type_ = op.results[0].type
    if not isinstance(type_, CellType) or len(op.operands) > 1:
        yield f"makes a cell from one value or none, not {type_} from {len(op.operands)}"
    elif op.operands:
        yield from _flows(op.operands, [type_.elem], "first value")
    elif not is_subtype(UNBOUND, type_.elem):
        yield f"{type_} starts empty, so its type must include unbound"


@core("cell.get", operands=1, results=1)
def cell_get(op: Operation, program: Program) -> Problems:
    """cell.get: the result takes whatever the cell may hold."""
    type_ = op.operands[0].type
    if not isinstance(type_, CellType):
        yield f"the operand must be a cell, not {type_}"
    elif not is_subtype(type_.elem, op.results[0].type):
        yield f"{type_} doesn't flow into {op.results[0].type}"


@core("cell.set", operands=2, results=0)
def cell_set(op: Operation, program: Program) -> Problems:
    """cell.set: the value fits the cell."""
    type_ = op.operands[0].type
    if not isinstance(type_, CellType):
        yield f"the first operand must be a cell, not {type_}"
    else:
        yield from _flows(op.operands[1:], [type_.elem], "value")


@core("state.get", operands=0, results=1)
def state_get(op: Operation, program: Program) -> Problems:
    """state.get: `name` is declared, and its type flows into the result."""
    state = program.state.get(_text(op, "name"))
    if state is None:
        yield f"there is no state {op.attrs.get('name')!r}"
    elif not is_subtype(state.type, op.results[0].type):
        yield f"state {op.attrs['name']!r} is {state.type}, the result {op.results[0].type}"


@core("state.set", operands=1, results=0)
def state_set(op: Operation, program: Program) -> Problems:
    """state.set: `name` is declared, and the value fits it."""
    state = program.state.get(_text(op, "name"))
    if state is None:
        yield f"there is no state {op.attrs.get('name')!r}"
    else:
        yield from _flows(op.operands, [state.type], "value")


@core("gradients", blocks=0)
def gradients(op: Operation, program: Program) -> Problems:
    """gradients: one result for each operand behind the outputs, whose number is `outputs`, and the weights of those that are
    `weighed`; of the operand's type, or None where the path decides."""
    asked = op.operands[op.attrs["outputs"] + len(op.attrs["weighed"]) :]
    yield from _flows(asked, [v.type for v in op.results], "gradient")


@core("sum.make", operands=1, results=1)
def sum_make(op: Operation, program: Program) -> Problems:
    """sum.make: the operand flows into alternative `index` of the result."""
    chosen = _alternative(op.results[0].type, op.attrs.get("index"))
    if isinstance(chosen, str):
        yield chosen
    else:
        yield from _flows(op.operands, [chosen], "value")


@core("sum.tag", operands=1, results=1)
def sum_tag(op: Operation, program: Program) -> Problems:
    """sum.tag: a sum in, an int out."""
    if not isinstance(op.operands[0].type, SumType) or op.results[0].type != INT:
        yield f"takes a sum and gives an int, not {op.operands[0].type} and {op.results[0].type}"


@core("sum.get", operands=1, results=1)
def sum_get(op: Operation, program: Program) -> Problems:
    """sum.get: alternative `index` of the operand flows into the result."""
    chosen = _alternative(op.operands[0].type, op.attrs.get("index"))
    if isinstance(chosen, str):
        yield chosen
    elif not is_subtype(chosen, op.results[0].type):
        yield f"alternative {op.attrs['index']} is {chosen}, the result {op.results[0].type}"


def _alternative(type_: Type, index: Any) -> Type | str:
    """The alternative, or what is wrong."""
    if not isinstance(type_, SumType):
        return f"{type_} is not a sum"
    if type(index) is not int or not 0 <= index < len(type_.alternatives):
        return f"index {index!r} is out of range: {type_} has {len(type_.alternatives)} alternatives"
    return type_.alternatives[index]
