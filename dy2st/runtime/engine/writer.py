"""The text of one generated function: lines, the local variable of each Value, and its conversions.

A tensor Value is in one of three forms: an ndarray; "generic", an ndarray or a NumPy scalar; or a Python int or bool (`unboxed`).
A ufunc gives a NumPy scalar for 0-d operands. Kernels, containers, calls and callers get ndarrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import EngineError
from ...ir.core import Block, Operation, Value
from ...ir.native import blank
from ...ir.types import ScalarType, TensorType, Type
from .literals import literal
from .liveness import Liveness
from .names import Locals

if TYPE_CHECKING:
    from .slots import Slots

PLAIN = (TensorType, ScalarType)
NEAR = 6  # Operations: so far is looked for what may take a result into its expression
LONGEST_NEST = 80  # characters: CPython's parser takes 200 parentheses inside each other


class Destination(NamedTuple):
    """Where a Value goes at the end of its Block: the variable of `target`, which `occupant` lives in until then."""

    target: Value
    name: str
    occupant: Value | None


class Writer:
    """Writes one function; `module` holds what the functions share (`numpy_source.Module`)."""

    def __init__(self, module: Any, liveness: Liveness, slots: Slots | None = None):
        self.module, self.liveness, self.slots = module, liveness, slots
        self.lines: list[tuple[str, Operation | None]] = []
        self.depth = 1
        self.nesting = 0  # open blocks of the interpreter's kind: CPython allows 20
        self.op: Operation | None = None
        self.locals = Locals()
        self.arguments: frozenset[str] = frozenset()
        self.text: dict[Value, str] = {}
        self.generic: set[Value] = set()
        self.inline = False  # whether the result of the current operation goes into the next line's condition
        self.dying: list[Value] = []
        self.index = 0  # of the current operation in its Block
        self.destinations: dict[Value, Destination] = {}

    # --- lines and names -----------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append(("    " * self.depth + text, self.op))

    def define(self, value: Value, text: str) -> None:
        """`value` is what the expression `text` gives."""
        if self.inline:
            self.text[value] = text if text.isidentifier() else f"({text})"
            return
        name = self.reserved(value)
        if name is None:
            name = self.locals.take()
        else:
            self.locals.hold(name)
        self.text[value] = name
        self.line(f"{name} = {text}")

    def alias(self, value: Value, text: str) -> None:
        """`value` lives where another Value does, or is a literal."""
        self.locals.hold(text)
        self.text[value] = text

    def release(self, values: list[Value]) -> None:
        for value in values:
            if value in self.text:
                self._let_go(value)
            if self.slots is not None:
                self.slots.release(value)

    def _let_go(self, value: Value) -> None:
        """The variable of a dead Value is free; one that holds large memory in the pooled form drops it at once."""
        name = self.text[value]
        self.locals.release(name)
        if self.slots is not None and self.locals.is_free(name) and self.slots.is_large(value):
            self.line(f"{name} = None")

    def literal(self, value: Any, operands: list[Value] | None = None) -> str:
        """The source text of an attribute whose `Ref` leaves stand for `operands`."""
        dynamic = None if operands is None else (lambda k: self.boxed(operands[k]))
        return literal(value, self.module.constants, dynamic)

    # --- forms of tensors ----------------------------------------------------------------------------------------------

    def type(self, value: Value) -> Type:
        """What is known of the type of `value`."""
        return self.module.type(value)

    def kind(self, value: Value) -> str | None:
        return self.module.unboxed.kind.get(value)

    def boxed(self, value: Value) -> str:
        """`value` in native form: tensors as ndarrays."""
        text = self.text[value]
        if self.kind(value):
            return f"array({text})"
        return f"asarray({text})" if value in self.generic else text

    def number(self, value: Value) -> str:
        """A 0-d int64 or bool tensor, or a scalar, as a Python int or bool."""
        text = self.text[value]
        if self.kind(value) or not isinstance(value.type, TensorType):
            return text
        if value in self.generic:
            return f"{'bool' if value.type.dtype == 'bool' else 'int'}({text})"
        return f"{text}.item()"

    def may_be_generic(self, value: Value) -> bool:
        """Whether a result of this type can be a NumPy scalar."""
        type_ = self.type(value)
        return isinstance(type_, TensorType) and not type_.shape

    def mutated(self, value: Value) -> bool:
        return self.module.aliases.mutated(value)

    def blank(self, type_: Type) -> str:
        """A value that no path reads."""
        value = blank(type_)
        is_literal = value is None or isinstance(value, int | float | str)
        return repr(value) if is_literal else self.module.constants.name(value, "blank")

    # --- where paths meet ----------------------------------------------------------------------------------------------

    def admit(self, values: list[Value], names: list[str]) -> None:
        """`values` (results or arguments of control flow) live in `names`, in the form that `converted` gives them."""
        for value, name in zip(values, names):
            self.text[value] = name
            if self.may_be_generic(value) and not self.kind(value) and not self.mutated(value):
                self.generic.add(value)

    def converted(self, source: Value, target: Value) -> str:
        """`source` in the form of `target`."""
        kind = self.kind(target)
        if isinstance(source.owner, Operation) and source.owner.name == "undef":
            return {"int": "0", "bool": "False"}.get(kind or "") or self.blank(target.type)
        if kind:
            return self.number(source)
        if target not in self.generic or self.kind(source):
            return self.boxed(source)
        is_0d_array = source not in self.generic and isinstance(source.type, TensorType) and self.type(source).shape == ()  # type: ignore[attr-defined]
        return f"{self.text[source]}[()]" if is_0d_array else self.text[source]

    def assign(self, targets: list[Value], sources: list[Value]) -> None:
        """The parallel assignment of `sources` to the variables of `targets`."""
        moves = []
        for target, source in zip(targets, sources):
            text = self.converted(source, target)
            if text != self.text[target]:
                moves.append((self.text[target], text, self.text.get(source, "")))
        written: set[str] = set()
        for name, _, origin in moves:
            if origin in written:
                self.line(f"{', '.join(m[0] for m in moves)} = {', '.join(m[1] for m in moves)}")
                return
            written.add(name)
        for name, text, _ in moves:
            self.line(f"{name} = {text}")

    def reserve(self, block: Block, targets: list[Value], occupants: list[Value | None]) -> None:
        """What `block` computes for its `yield` goes straight to the variables of `targets`, once the `occupants` are dead."""
        end = block.terminator
        if end is None or end.name != "yield":
            return
        for target, source, occupant in zip(targets, end.operands, occupants):
            if source.block is block:
                self.destinations[source] = Destination(target, self.text[target], occupant)

    def reserved(self, value: Value) -> str | None:
        """The variable reserved for `value`, where it is free now and takes the same form."""
        destination = self.destinations.get(value)
        if destination is None or self.locals.is_shared(destination.name) or self.kind(value) != self.kind(destination.target):
            return None
        if value in self.generic and destination.target not in self.generic:
            return None
        block = value.block
        if destination.occupant is not None and self.liveness.last[block].get(destination.occupant, -1) > self.index:  # type: ignore[index]
            return None
        return destination.name

    # --- blocks --------------------------------------------------------------------------------------------------------

    def block(self, block: Block, emit: Any, finish: Any) -> None:
        """Write the Operations of `block`; `finish(terminator)` writes its `yield` or `return`."""
        deaths = self.liveness.deaths(block)
        awaited: list[Value] = []  # what an expression reads that no line has taken yet
        for index, op in enumerate(block.ops):
            self.op, self.index, self.dying = op, index, deaths.get(index, [])
            dying = self.dying = [*awaited, *self.dying]
            is_pending = op.name == "const"
            if op.name in ("yield", "return"):
                finish(op)
            else:
                self.inline = self._goes_inline(block, index)
                is_pending |= self.inline
                try:
                    emit(self, op)
                except EngineError as error:
                    raise _located(error, op) from error.__cause__
                self.inline = False
            awaited = dying if is_pending else []
            if not is_pending:
                self.release(dying)

    def _goes_inline(self, block: Block, index: int, end: int | None = None) -> bool:
        """Whether the one result is used once, as the condition of what comes next, or in the arithmetic of what comes next.

        end: where in the block to look no further.
        """
        op = block.ops[index]
        if len(op.results) != 1 or op.blocks or self.liveness.count.get(op.results[0]) != 1:
            return False
        end = min(index + NEAR, len(block.ops)) if end is None else end
        taker = self._taker(block, index, end)
        if taker is None:
            return False
        following = block.ops[taker]
        if self.module.unboxed.nests(op, following):
            return sum(len(self.text.get(v, "")) for v in op.operands) < LONGEST_NEST
        if following.name == "if":
            is_condition = self.nesting < self.module.max_nesting  # beyond, the `if` moves to a function of its own
        else:
            passes_on = following.name in ("py.truth", "py.not") and self._goes_inline(block, taker)
            is_condition = passes_on or (following.name == "yield" and _is_loop_condition(block))
        return is_condition and following.operands[0] is op.results[0]

    def _taker(self, block: Block, index: int, end: int) -> int | None:
        """Where the Operation stands that uses the result, where all between goes inline, too."""
        result = block.ops[index].results[0]
        for taker in range(index + 1, end):
            op = block.ops[taker]
            if result in op.operands:
                return taker
            if op.name != "const" and not self._goes_inline(block, taker, end):
                return None
        return None


def _is_loop_condition(block: Block) -> bool:
    parent = block.parent
    return isinstance(parent, Operation) and parent.name == "while" and parent.blocks[0] is block


def _located(error: EngineError, op: Operation) -> EngineError:
    if op.loc is None or getattr(error, "dy2st_loc", None) is not None:
        return error
    located = EngineError(f"{op.loc}: {error}")
    located.dy2st_loc = op.loc  # type: ignore[attr-defined]
    return located
