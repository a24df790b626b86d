"""The core operations that are one expression: constants, parameters, cells, state, sums."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...ir.core import Block, Operation
from ...ir.native import Atom
from .sums import tag_expression
from .writer import Writer


def _const(writer: Writer, op: Operation) -> None:
    writer.alias(op.result, writer.literal(op.attrs["value"]))


def _atom(writer: Writer, op: Operation) -> None:
    writer.alias(op.result, writer.module.constants.name(Atom(**op.attrs), "atom"))


def _param(writer: Writer, op: Operation) -> None:
    writer.define(op.result, f"parameters[{writer.literal(op.attrs['name'])}]")


def _cell_new(writer: Writer, op: Operation) -> None:
    writer.define(op.result, f"Cell({writer.boxed(op.operands[0]) if op.operands else 'UNBOUND'})")


def _cell_set(writer: Writer, op: Operation) -> None:
    writer.line(f"{writer.text[op.operands[0]]}.value = {writer.boxed(op.operands[1])}")


def _caught(writer: Writer, op: Operation) -> None:
    """Read where it is used, if that is in the same handler: a variable would keep all alive that the exception's frames hold."""
    if _is_asked_in_place(op, writer.liveness.asking.get(op.result, ())):
        writer.alias(op.result, "caught()")
    else:
        writer.define(op.result, "caught()")


def _is_asked_in_place(op: Operation, asking: Iterable[Operation]) -> bool:
    """Whether all that is done with what was caught is asking it, or raising it, outside of any `try` inside the handler."""
    return all(o.name.startswith("caught.") and _handler_of(o) is _handler_of(op) for o in asking)


def _handler_of(op: Operation) -> Operation | None:
    """The innermost `try` around an operation."""
    while isinstance(op.parent, Block) and isinstance(op.parent.parent, Operation):
        op = op.parent.parent
        if op.name == "try":
            return op
    return None


def exception_text(writer: Writer, op: Operation) -> str:
    """The expression that makes the exception of a `raise` or `exception.new`."""
    cls = writer.module.constants.name(writer.module.exceptions[op.attrs["exception"]], "error")
    values = list(map(writer.boxed, op.operands))
    links = {name: values.pop() for name in ("cause", "context") if op.attrs.get(name)}
    if "fields" in op.attrs:
        fields = op.attrs["fields"]
        count = len(values) - len(fields)
        pairs = ", ".join(f"{writer.literal(name)}: {value}" for name, value in zip(fields, values[count:]))
        text = f"made_error({', '.join([cls, '{' + pairs + '}', *values[:count]])})"
    else:
        text = f"{cls}({', '.join(values)})"
    return f"chained({text}, {', '.join(f'{k}={v}' for k, v in reversed(links.items()))})" if links else text


def _caught_is(writer: Writer, op: Operation) -> None:
    classes = tuple(writer.module.exceptions[name] for name in op.attrs["exceptions"])
    writer.define(op.result, f"isinstance({writer.text[op.operands[0]]}, {writer.module.constants.name(classes, 'kinds')})")


def _caught_text(writer: Writer, op: Operation) -> None:
    writer.define(op.result, f"{'repr_of' if op.attrs['repr'] else 'text_of'}({writer.text[op.operands[0]]})")


def _caught_args(writer: Writer, op: Operation) -> None:
    writer.define(op.result, f"args_of({writer.text[op.operands[0]]}, {_declared(writer, op)})")


def _caught_field(writer: Writer, op: Operation) -> None:
    name = writer.literal(op.attrs["name"])
    writer.define(op.result, f"field_of({writer.text[op.operands[0]]}, {name}, {_declared(writer, op)})")


def _declared(writer: Writer, op: Operation) -> str:
    return writer.module.constants.name(op.result.type, "type")


def _sum_make(writer: Writer, op: Operation) -> None:
    """A sum is the native form of its alternative: nothing to do, but a number that stands for a tensor becomes one.

    A literal gets a variable, since what is written about it later may draw a SyntaxWarning: `3 is None`, `None[0]`.
    """
    value = op.operands[0]
    text = writer.boxed(value)
    if text in writer.locals or text in writer.arguments:
        writer.alias(op.result, text)
    else:
        writer.define(op.result, text)


def _sum_get(writer: Writer, op: Operation) -> None:
    writer.alias(op.result, writer.text[op.operands[0]])


def _sum_tag(writer: Writer, op: Operation) -> None:
    value = op.operands[0]
    writer.define(op.result, tag_expression(value.type, writer.text[value], writer.module.constants))  # type: ignore[arg-type]


def _unbound(writer: Writer, op: Operation) -> None:
    writer.alias(op.result, "UNBOUND")


def _undef(writer: Writer, op: Operation) -> None:
    """A value that no path reads."""
    writer.alias(op.result, writer.blank(op.result.type))


def _state_set(writer: Writer, op: Operation) -> None:
    """Store state. An attribute that there wasn't comes last: the order of the attributes is that of the entries."""
    place = f"state[{writer.literal(op.attrs['name'])}]"
    value = writer.boxed(op.operands[0])
    if writer.module.may_be_absent(op.attrs["name"]):
        writer.line(f"if {place} is UNBOUND: del {place}")
    writer.line(f"{place} = {value}")


BASICS: dict[str, Any] = {
    "const": _const,
    "atom": _atom,
    "param": _param,
    "cell.new": _cell_new,
    "cell.get": lambda writer, op: writer.define(op.result, f"{writer.text[op.operands[0]]}.value"),
    "cell.set": _cell_set,
    "state.get": lambda writer, op: writer.define(op.result, f"state[{writer.literal(op.attrs['name'])}]"),
    "state.set": _state_set,
    "caught": _caught,
    "exception.new": lambda writer, op: writer.define(op.result, exception_text(writer, op)),
    "caught.is": _caught_is,
    "caught.text": _caught_text,
    "caught.args": _caught_args,
    "caught.field": _caught_field,
    "sum.make": _sum_make,
    "sum.get": _sum_get,
    "sum.tag": _sum_tag,
    "unbound": _unbound,
    "undef": _undef,
}
