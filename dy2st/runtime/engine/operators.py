"""One line per operator: its inlined template, the memory of a dying operand, a buffer, or a call of its kernel."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from ...dtypes import DTYPES
from ...errors import EngineError, OperatorError
from ...ir.core import Operation, Ref, Value, keys_of, leaves_of
from ...ir.types import BOOL, DictType, ListType, ScalarType, SequenceType, SetType, TensorType, TupleType
from ...ops.registry import OpDef, lookup
from .ufuncs import number, quick_forms
from .unboxed import HIGH, LOW, QUOTIENT, constant
from .writer import PLAIN, Writer

_SLOT = re.compile(r"\{(=?\w+)\}")
_WORDS = ("", "newaxis", "ellipsis", "int", "slice", "tensor")
_BINARY = re.compile(r"\{0\} (\+|-|\*|/|//|%|&|\||\^) \{1\}")
_COMMUTES = ("+", "*", "&", "|", "^")
_SMALL = 16384  # bytes: below it, passing `out` costs more than it saves


def emit_operator(writer: Writer, op: Operation) -> None:
    """An operator of the registry."""
    try:
        definition = lookup(op.name)
        definition.check_attributes(op.attrs)
    except (KeyError, OperatorError) as error:
        raise EngineError(f"{error.args[0]}; this engine can't run the Program") from error
    if definition.pure and not any(v in writer.liveness.count for v in op.results) and not definition.may_raise(op):
        return
    if op.results and writer.kind(op.results[0]) and _unboxed(writer, op):
        return
    if _SHORT_CUTS.get(op.name, lambda writer, op: False)(writer, op):
        return
    if _in_row(writer, op, definition) or _in_memory_of_operand(writer, op, definition) or _in_buffer(writer, op, definition):
        return
    writer.module.warns = writer.module.warns or any(isinstance(v.type, TensorType) for v in op.operands)
    text = _template(writer, op, definition) or _kernel_call(writer, op, definition)
    if not op.results:
        writer.line(text)
    elif len(op.results) == 1:
        _define(writer, op, op.results[0], text)
    else:
        _define_many(writer, op, text)


# --- results ------------------------------------------------------------------------------------------------------------


def _define(writer: Writer, op: Operation, value: Value, text: str) -> None:
    if _gives_plain(op) and writer.may_be_generic(value):
        if writer.mutated(value):
            text = f"asarray({text})"
        else:
            writer.generic.add(value)
    writer.define(value, text)


def _define_many(writer: Writer, op: Operation, text: str) -> None:
    names = [writer.locals.take() for _ in op.results]
    writer.line(f"{', '.join(names)} = {text}")
    for value, name in zip(op.results, names):
        writer.text[value] = name
        if _gives_plain(op) and writer.may_be_generic(value):
            if writer.mutated(value):
                writer.line(f"{name} = asarray({name})")
            else:
                writer.generic.add(value)


def _gives_plain(op: Operation) -> bool:
    """Whether only tensors and scalars are involved: what comes out of a container is an ndarray."""
    return all(isinstance(v.type, PLAIN) for v in (*op.operands, *op.results))


# --- expressions --------------------------------------------------------------------------------------------------------


def _operands(writer: Writer, op: Operation) -> list[str]:
    """The operands for a template: NumPy scalars may stay, unless a container would get to hold them."""
    plain = _gives_plain(op)
    return [writer.text[v] if plain and v in writer.generic else writer.boxed(v) for v in op.operands]


def _template(writer: Writer, op: Operation, definition: OpDef) -> str | None:
    if definition.template is None or (definition.view is not None and writer.mutated(op.operands[0])):
        return None  # a view that is written through must be a view, also where a NumPy scalar would do
    names = quick_forms(writer, op, definition, _operands(writer, op))
    if callable(definition.template):
        return _computed_template(writer, definition.template, op, names)
    return _substitute(writer, op, definition.template, names)


def _computed_template(writer: Writer, template: Any, op: Operation, names: list[str]) -> str | None:
    if not all(map(_is_harmless, (*leaves_of(op.attrs), *keys_of([*op.attrs.values()])))):
        return None
    try:
        return template(op.attrs, names, [writer.type(v) for v in op.operands])
    except (KeyError, IndexError, TypeError, ValueError):
        return None  # attributes that make no sense: the kernel says so where it runs


def _is_harmless(value: Any) -> bool:
    """Whether a template function may see a leaf of an attribute: a number, the name of a dtype, or a word of subscripts.

    Whatever the function does with them, they are no names of anything in its text.
    """
    if isinstance(value, str):
        return value in _WORDS or value in DTYPES
    return value is None or type(value) in (bool, int, float, Ref)


def _substitute(writer: Writer, op: Operation, template: str, names: list[str]) -> str | None:
    slots = set(_SLOT.findall(template))
    if any(not slot.isdigit() and slot not in op.attrs for slot in slots if slot[0] != "="):
        return None  # a default that only the kernel knows
    parts = {slot: _part(writer, op, slot, names) for slot in slots}
    return _SLOT.sub(lambda match: parts[match.group(1)], template)


def _part(writer: Writer, op: Operation, slot: str, names: list[str]) -> str:
    """What a template has in this place."""
    if slot.isdigit():
        return names[int(slot)]
    if slot[0] == "=":
        return number(writer, int(slot[1:]), op.operands[0], slot[1:])
    return writer.literal(op.attrs[slot], op.operands)


def _kernel_call(writer: Writer, op: Operation, definition: OpDef, out: str | None = None) -> str:
    arguments = [writer.boxed(v) for v in op.operands[: op.n_positional]]
    arguments += [f"{key}={writer.literal(value, op.operands)}" for key, value in op.attrs.items()]
    if out is not None:
        arguments.append(f"out={out}")
    return f"{_kernel(writer, op, definition)}({', '.join(arguments)})"


def _kernel(writer: Writer, op: Operation, definition: OpDef) -> str:
    if definition.located is None or op.loc is None:
        return writer.module.kernel(definition)
    return writer.module.constants.name(partial(definition.located, op.loc), "located")


# --- Python numbers in place of 0-d tensors -----------------------------------------------------------------------------


def _unboxed(writer: Writer, op: Operation) -> bool:
    (result,) = op.results
    fixed = constant(result)
    if fixed is not None:
        writer.alias(result, writer.literal(bool(fixed) if writer.kind(result) == "bool" else int(fixed)))
        return True
    template = writer.module.unboxed.template(op)
    if template is None:
        return False
    parts = [writer.number(v) for v in op.operands]
    text = template.format(*parts)
    if op.name in QUOTIENT and not constant(op.operands[1]):
        kernel = writer.module.kernel(lookup(op.name))
        text = f"{text} if {parts[1]} else int({kernel}(array({parts[0]}), array({parts[1]})))"
    wraps = result in writer.module.unboxed.wraps
    writer.inline = writer.inline and not wraps
    writer.define(result, text)
    if wraps:
        name = writer.text[result]
        writer.line(f"if not {LOW} <= {name} <= {HIGH}:")
        writer.line(f"    {name} = wrap({name})")
    return True


def _truth(writer: Writer, op: Operation) -> bool:
    """`bool(x)` of a scalar, a container or a 0-d tensor; as a condition, `x` itself."""
    value, result = op.operands[0], op.results[0]
    type_ = writer.type(value)
    is_0d = isinstance(type_, TensorType) and type_.shape == ()
    if not is_0d and not isinstance(type_, (ScalarType, ListType, DictType, SetType, SequenceType, TupleType)):
        return False
    text = writer.text[value]
    if writer.inline or value.type == BOOL or writer.kind(value) == "bool":
        writer.alias(result, text)
    else:
        writer.define(result, f"bool({text})")
    return True


def _item(writer: Writer, op: Operation) -> bool:
    value, result = op.operands[0], op.results[0]
    type_ = writer.type(value)
    if not isinstance(type_, TensorType) or type_.shape != ():
        return False
    if writer.kind(value):
        writer.alias(result, writer.text[value])
    else:
        writer.define(result, f"{writer.text[value]}.item()")
    return True


_SHORT_CUTS = {"py.truth": _truth, "py.item": _item}


# --- memory -------------------------------------------------------------------------------------------------------------


def _in_row(writer: Writer, op: Operation, definition: OpDef) -> bool:
    """Write what is appended to a list where the array of the list's items has it."""
    rows = writer.module.rows.get(op)
    if rows is None or not rows.is_active or not _takes_memory(writer, op, definition):
        return False
    writer.module.warns = True
    writer.define(op.results[0], _with_out(writer, op, definition, rows.row()))
    return True


def _in_memory_of_operand(writer: Writer, op: Operation, definition: OpDef) -> bool:
    """Write the result over an operand that nobody needs any more, where dtype and shape are the same."""
    if not _takes_memory(writer, op, definition):
        return False
    result = op.results[0]
    at = next((i for i, v in enumerate(op.operands) if _is_reusable(writer, op, v, result)), None)
    if at is None or definition.out_apart:
        return False
    operand = op.operands[at]
    name = writer.text[operand]
    statement = _augmented(writer, op, definition, at)
    if statement is None:
        if _bytes(writer.type(result)) < _SMALL:  # type: ignore[arg-type]
            return False
        statement = _with_out(writer, op, definition, name)
    writer.module.warns = True
    writer.line(statement)
    writer.alias(result, name)
    if writer.slots is not None:
        writer.slots.take_over(operand, result)
    return True


def _in_buffer(writer: Writer, op: Operation, definition: OpDef) -> bool:
    """Write a large result to a buffer that lives from call to call."""
    if writer.slots is None or not _takes_memory(writer, op, definition):
        return False
    memory = writer.slots.take(op.results[0])
    if memory is None:
        return False
    writer.module.warns = True
    writer.define(op.results[0], _with_out(writer, op, definition, memory))
    return True


def _takes_memory(writer: Writer, op: Operation, definition: OpDef) -> bool:
    return definition.out and len(op.results) == 1 and not writer.inline and not _has_refs(op)


def _is_reusable(writer: Writer, op: Operation, value: Value, result: Value) -> bool:
    type_ = writer.type(value)
    if not isinstance(type_, TensorType) or type_ != writer.type(result) or not type_.shape or None in type_.shape:
        return False
    made_here = isinstance(value.owner, Operation) and value.block is op.parent and not value.owner.blocks
    if not made_here or value not in writer.dying or writer.text[value] not in writer.locals:
        return False
    return writer.module.aliases.owned(value) and (writer.slots is None or writer.slots.may_take_over(value, result))


def _augmented(writer: Writer, op: Operation, definition: OpDef, at: int) -> str | None:
    """`a += b`."""
    match = _BINARY.fullmatch(definition.template) if isinstance(definition.template, str) else None
    if match is None or len(op.operands) != 2 or op.attrs or (at == 1 and match.group(1) not in _COMMUTES):
        return None
    names = quick_forms(writer, op, definition, _operands(writer, op))
    return f"{names[at]} {match.group(1)}= {names[1 - at]}"


def _with_out(writer: Writer, op: Operation, definition: OpDef, memory: str) -> str:
    """`np.exp(a, out=a)`, `a.dot(b, out=c)`."""
    text = _template(writer, op, definition)
    if text is not None and re.fullmatch(r"(np|[av]\d+(\.T)?)\.\w+\([^()]*\)", text):
        return f"{text[:-1]}, out={memory})"
    return _kernel_call(writer, op, definition, out=memory)


def _bytes(type_: TensorType) -> float:
    """The size of a tensor in bytes, at most; infinite where a dim is unknown."""
    size = 8.0
    for dim in type_.shape or ():
        size *= dim if isinstance(dim, int) else float("inf")
    return size


def _has_refs(op: Operation) -> bool:
    return op.n_positional != len(op.operands) or any(isinstance(v, Ref) for v in op.attrs.values())
