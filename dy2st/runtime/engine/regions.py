"""Control flow as Python statements: `if`, `while`, `try`, `raise`, `call`; deep nests move to functions of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.core import Block, Operation, Value
from .basics import exception_text
from .counting import Count, counted
from .unboxed import constant
from .writer import Writer

MAX_NESTING = 15  # CPython allows 20 statically nested blocks and 100 levels of indentation


def _emit(writer: Writer, op: Operation) -> None:
    writer.module.emit(writer, op)


def emit_region(writer: Writer, op: Operation) -> None:
    """An `if`, `while` or `try`: in place, or outlined where the nest is too deep."""
    if writer.nesting >= MAX_NESTING:
        return _outline(writer, op)
    writer.nesting += 1
    {"if": _if, "while": _while, "try": _try}[op.name](writer, op)
    writer.nesting -= 1
    return None


def _results(writer: Writer, op: Operation) -> None:
    writer.admit(op.results, [writer.locals.take() for _ in op.results])


def _suite(writer: Writer, header: str, block: Block, targets: list[Value]) -> None:
    """`header:` and under it the Block, whose yield goes to `targets`."""
    writer.line(header)
    writer.depth += 1
    _body(writer, block, lambda end: writer.assign(targets, end.operands))
    writer.depth -= 1


def _body(writer: Writer, block: Block, finish: Callable[[Operation], None], emit: Callable | None = None) -> None:
    """The lines of a Block, one at least."""
    start = len(writer.lines)
    writer.block(block, emit or _emit, finish)
    if len(writer.lines) == start:
        writer.line("pass")


def _if(writer: Writer, op: Operation) -> None:
    condition = writer.text[op.operands[0]]
    then, orelse = op.blocks
    destinations = {v: writer.destinations[v] for v in op.results if _reserved(writer, v) is not None}
    writer.admit(op.results, [destinations[v].name if v in destinations else writer.locals.take() for v in op.results])
    occupants = [destinations[v].occupant if v in destinations else None for v in op.results]
    for block in op.blocks:
        writer.reserve(block, op.results, occupants)
    _suite(writer, f"if {condition}:", then, op.results)
    writer.op = op
    start = len(writer.lines)
    _suite(writer, "else:", orelse, op.results)
    if len(writer.lines) == start + 2 and writer.lines[-1][0].endswith(" pass"):
        del writer.lines[start:]
    for destination in destinations.values():
        writer.locals.hold(destination.name)


def _reserved(writer: Writer, result: Value) -> str | None:
    """The variable reserved for a result, whose form is decided before anything is written."""
    writer.admit([result], [""])
    return writer.reserved(result)


def _while(writer: Writer, op: Operation) -> None:
    condition, body = op.blocks
    names = [writer.locals.take() for _ in op.results]
    for values in (op.results, condition.args, body.args):
        writer.admit(values, names)
    writer.assign(op.results, op.operands)
    writer.reserve(body, op.results, list(body.args))
    count = counted(op, writer.liveness)
    if count is not None:
        return _for(writer, op, count)
    head = len(writer.lines)
    writer.line("while True:")
    writer.depth += 1

    def ask(end: Operation) -> None:
        """Before anything that the condition has read is let go of."""
        writer.op = op
        test = writer.text[end.operands[0]]
        if len(writer.lines) == head + 1:
            writer.lines[head] = (writer.lines[head][0].replace("while True:", f"while {test}:"), op)
        else:
            writer.line(f"if not {test}:")
            writer.line("    break")

    writer.block(condition, _emit, ask)
    writer.op = op
    _body(writer, body, lambda end: writer.assign(op.results, end.operands))
    writer.depth -= 1


def _for(writer: Writer, op: Operation, count: Count) -> None:
    """A `while` that counts."""
    counter = op.results[count.number]
    carried = [(result, index) for index, result in enumerate(op.results) if result is not counter]
    needed = writer.liveness.count[count.step.result] > 1

    def emit(writer: Writer, inner: Operation) -> None:
        if inner is not count.step or needed:
            _emit(writer, inner)

    def finish(end: Operation) -> None:
        writer.assign([result for result, _ in carried], [end.operands[index] for _, index in carried])

    bound = constant(count.bound)
    turns = f"range({writer.text[counter]}, {writer.text[count.bound] if bound is None else bound})"
    lists = writer.module.filled_by(op)
    for rows in lists:
        rows.begin(writer, f"len({turns})")
    writer.line(f"for {writer.text[counter]} in {turns}:")
    writer.depth += 1
    _body(writer, op.blocks[1], finish, emit)
    writer.depth -= 1
    for rows in lists:
        rows.end(writer)


def _try(writer: Writer, op: Operation) -> None:
    handlers = op.attrs.get("handlers") or []
    has_final = len(op.blocks) > 1 + len(handlers)
    _results(writer, op)
    writer.nesting += has_final  # CPython opens one more block where there is a `finally`, and one more in a handler
    _tried(writer, op)
    writer.nesting += 1
    for names, block in zip(handlers, op.blocks[1:]):
        classes = tuple(writer.module.exceptions[n] for n in names)
        writer.op = op
        _suite(writer, f"except {writer.module.constants.name(classes, 'caught')}:", block, op.results)
    writer.nesting -= 1 + has_final
    if has_final:
        writer.op = op
        _suite(writer, "finally:", op.blocks[-1], [])


def _tried(writer: Writer, op: Operation) -> None:
    """The body of a `try`. In a Program of torch's, what fails in it has torch's class before a handler is chosen."""
    if not writer.module.errors:
        return _suite(writer, "try:", op.blocks[0], op.results)
    writer.line("try:")
    writer.depth += 1
    writer.nesting += 1
    _suite(writer, "try:", op.blocks[0], op.results)
    writer.op = op
    writer.line("except Exception as error:")
    writer.line("    raise said(error)")
    writer.depth -= 1
    writer.nesting -= 1
    return None


def _outline(writer: Writer, op: Operation) -> None:
    """Move `op` to a function whose parameters are the locals it captures and which returns its results."""
    module = writer.module
    inner = Writer(module, writer.liveness, writer.slots)
    inner.generic = writer.generic
    passed: dict[str, str] = {}
    for value in writer.liveness.captures(op):
        text = writer.text[value]
        if (text in writer.locals or text in writer.arguments) and text not in passed:
            passed[text] = f"a{len(passed)}"
        inner.text[value] = passed.get(text, text)
    inner.arguments = frozenset(passed.values())
    name = module.part_name()
    inner.op = op
    emit_region(inner, op)
    returned = [inner.text[v] for v in op.results]
    inner.line(f"return {', '.join(returned)}" if returned else "return")
    buffers = writer.slots.variables() if writer.slots is not None else []
    module.add_function(name, [*passed.values(), *buffers], inner.lines)
    names = [writer.locals.take() for _ in op.results]
    writer.admit(op.results, names)
    call = f"{name}({', '.join([*passed, *buffers])})"
    writer.line(f"{', '.join(names)} = {call}" if names else call)


def emit_raise(writer: Writer, op: Operation) -> None:
    if op.attrs.get("exception"):
        return writer.line(f"raise {exception_text(writer, op)}")
    values = [writer.text[v] for v in op.operands]
    return writer.line(f"raise {' from '.join(values)}" if values else "raise")


def emit_call(writer: Writer, op: Operation) -> None:
    called = writer.module.function_name(op.attrs["function"])
    text = f"{called}({', '.join(map(writer.boxed, op.operands))})"
    for result in op.results:
        return writer.define(result, text)
    return writer.line(text)


REGIONS: dict[str, Any] = {
    "if": emit_region,
    "while": emit_region,
    "try": emit_region,
    "raise": emit_raise,
    "call": emit_call,
}
