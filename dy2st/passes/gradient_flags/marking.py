"""Flags as Values: the operations that compute them, beside those that compute the tensors.

1. The flags of a tensor are an int: those of all operands together, where the operator passes gradients on.
2. A container of tensors has another beside it, of the flags. Each operation on the one is done to the other.
3. `if` and `while` hand on flags beside the tensors. A Function that calls itself takes and gives them in a copy of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

from ...dtypes import has_gradient
from ...ir.alias import holds_objects
from ...ir.core import Block, Function, Operation, Value
from ...ir.join import kind
from ...ir.names import free
from ...ir.types import INT, ClassType, ExceptionType, FunctionType, SumType, TensorType, TupleType, Type
from ...ops.registry import OPERATORS
from ...runtime.tensors.activity import holds_floats, leading_operands, leaf_kind
from ...runtime.tensors.gradient_marks import GradientMarks, changed_by, is_structural
from ..backward.emitter import Emitter
from ..copying import Copy
from .unknown import UnknownFlags

_JOIN = ("list.stack", "list.concat_tensors")
_COMPARE = ("list.sort", "list.remove", "sequence.distinct", "sequence.among", "sequence.order")  # tensors, not their flags


def flag_type(type_: Type) -> Type:
    """The type of the flags of a value: of its structure, with an int in the place of each floating-point tensor."""
    if isinstance(type_, TensorType):
        return INT if has_gradient(type_.dtype) else type_
    if not holds_floats(type_) or is_simple_sum(type_):
        return INT if holds_floats(type_) else type_
    if isinstance(type_, FunctionType | ExceptionType) or (isinstance(type_, ClassType) and type_.fields is None):
        raise UnknownFlags(f"{type_} doesn't tell the tensors that it holds")
    parts = [flag_type(part) for part in type_.parts()]
    if isinstance(type_, SumType) and len(set(map(kind, parts))) < len(parts):
        raise UnknownFlags(f"the flags of {type_} are of one kind")
    return type_.with_parts(parts)


def is_simple_sum(type_: Type) -> bool:
    """Whether a value is a tensor, or holds none: it has one flag."""
    is_simple = isinstance(type_, SumType) and not any(holds_objects(part) for part in type_.parts())
    return is_simple and all(isinstance(part, TensorType) or not holds_floats(part) for part in type_.parts())


class Marking:
    """Writes the flags of a Function that `marks` doesn't know. made: the flags that aren't constants."""

    def __init__(self, marks: GradientMarks):
        self.marks, self.emit = marks, Emitter()
        self.made: set[Value] = set()
        self._flags: dict[Value, Value] = {}
        self._functions: dict[str, str] = {}  # the names of those with flags, by the name of the Function

    def of_entry(self, function: Function) -> Value:
        """Write those of a Function; the flags of its result."""
        (flags,) = self._block(function.block)
        return flags

    def _of(self, value: Value) -> Value:
        """The flag of a Value, or what stands for it among flags."""
        if value in self._flags or not holds_floats(value.type):
            return self._flags.get(value, value)
        known = self.marks.of(value)
        if known is not None and (isinstance(value.type, TensorType) or is_simple_sum(value.type)):
            return self.emit.const(known)
        raise UnknownFlags(f"nothing computes the flags of {value.type}")

    def _of_result(self, value: Value) -> Value:
        """Its flags: of each part of a tuple, one for all that a part holds where these are known."""
        if value in self.marks.returned:
            return self.emit.op("tuple.new", *map(self._of_result, value.owner.operands))  # type: ignore[union-attr]
        known = self.marks.of(value)
        return self._of(value) if known is None else self.emit.const(known)

    def _is_open(self, value: Value) -> bool:
        return holds_floats(value.type) and self.marks.of(value) is None

    def _put(self, value: Value, flag: Value) -> None:
        self._flags[value] = flag
        self.made.add(flag)

    def _block(self, block: Block, open_: Sequence[int] = ()) -> list[Value]:
        """Write those of a Block; the flags of what it returns. open_: which operands of its `yield` hand on flags as well."""
        ops, block.ops = block.ops, []
        flags: list[Value] = []
        with self.emit.at(block):
            for op in ops:
                self.emit.loc, self.emit.path = op.loc, op.path
                if op.name == "return":
                    flags = [self._of_result(v) for v in op.operands]
                elif op.name == "yield":
                    op.operands += [self._of(op.operands[k]) for k in open_]
                    op.n_positional = len(op.operands)
                elif op.name in ("if", "while"):
                    self._control(op)
                elif op.blocks and any(map(self._is_open, _touched(op))):
                    raise UnknownFlags(op.name)
                if op.name == "call" and any(map(self._is_open, op.results)) and not self._shares(op):
                    self._call(op)
                    continue
                block.append(op)
                if not op.blocks:
                    self._operation(op)
        return flags

    # --- control flow ---

    def _control(self, op: Operation) -> None:
        """Hand on the flags that are open beside what they are of."""
        open_ = [k for k, v in enumerate(op.results) if self._is_open(v)]
        if op.name == "while":
            op.operands += [self._of(op.operands[k]) for k in open_]
            for block in op.blocks:
                for k in open_:
                    block.args.append(Value(flag_type(block.args[k].type), "", block))
                    self._put(block.args[k], block.args[-1])
            op.n_positional = len(op.operands)
            self._block(op.blocks[0])
            self._block(op.blocks[1], open_)
        else:
            for block in op.blocks:
                self._block(block, open_)
        for k in open_:
            op.results.append(Value(flag_type(op.results[k].type), "", op))
            self._put(op.results[k], op.results[-1])

    def _call(self, op: Operation) -> None:
        """Call a Function that calls itself with the flags of its arguments; it gives a tuple of its result and the flags."""
        (result,) = op.results
        name, floats = self._with_flags(op.attrs["function"]), [v for v in op.operands if _has_flags(v)]
        types = TupleType((result.type, flag_type(result.type)))
        both = self.emit.core("call", [*op.operands, *map(self._of, floats)], [types], {"function": name}).result
        got = self.emit.core("tuple.get", [both], [result.type], {"index": 0})
        got.results, result.owner = [result], got
        self._put(result, self.emit.core("tuple.get", [both], [types.elems[1]], {"index": 1}).result)

    def _shares(self, op: Operation) -> bool:
        """Whether a call hands on containers whose flags are open: the Function may fill them."""
        return any(holds_objects(v.type) and self._is_open(v) for v in (*op.operands, *op.results))

    def _with_flags(self, name: str) -> str:
        """The name of the Function that takes and gives flags as well."""
        if name not in self._functions:
            program = self.marks.program
            self._functions[name] = free(f"{name}_with_flags", program.functions)
            copy = Copy()
            made = copy.function(program.functions[name], self._functions[name])
            program.functions[made.name] = made
            self.marks.alias(copy.values)
            for arg in [v for v in made.block.args if _has_flags(v)]:
                made.block.args.append(Value(flag_type(arg.type), "", made.block))
                self._put(arg, made.block.args[-1])
            (flags,) = self._block(made.block)
            end = made.block.ops.pop()
            with self.emit.at(made.block):
                both = self.emit.op("tuple.new", *end.operands, flags)
            end.operands = [both]
            made.block.append(end)
        return self._functions[name]

    # --- operations ---

    def _operation(self, op: Operation) -> None:
        changed = op.operands if op.name == "call" else changed_by(op)
        concerned = [v for v in (*op.results, *changed) if self._is_open(v)]
        if not concerned or (op.results and op.results[0] in self.marks.returned):
            return
        try:
            self._flags_of(op)
        except UnknownFlags:
            if any(holds_objects(v.type) for v in concerned):
                raise
            # of tensors: whoever asks for their flags is told then

    def _flags_of(self, op: Operation) -> None:
        if op.name in _JOIN:
            self._put(op.result, self._total(self._of(op.operands[0])))
        elif op.name in _COMPARE or (op.name == "list.sort_by" and holds_floats(op.operands[1].type)):
            raise UnknownFlags(op.name)
        elif is_structural(op) or op.name == "undef":
            self._mirror(op)
        else:
            self._operator(op)

    def _mirror(self, op: Operation) -> None:
        """The same operation on the flags; a part of a tuple that was made here is known."""
        if op.name in ("sum.make", "sum.get") and is_simple_sum((op.result if op.name == "sum.make" else op.operands[0]).type):
            given = op.operands[0]
            self._put(op.result, self._of(given) if holds_floats(given.type) else self.emit.const(0))
            return
        operands = [self._of(v) for v in op.operands]
        whole = operands[0].owner if op.name == "tuple.get" else None
        if isinstance(whole, Operation) and whole.name == "tuple.new":
            self._put(op.result, whole.operands[op.attrs["index"]])
            return
        made = self.emit.core(op.name, operands, [flag_type(v.type) for v in op.results], dict(op.attrs))
        made.n_positional = op.n_positional
        for value, flag in zip(op.results, made.results):
            self._put(value, flag)

    def _operator(self, op: Operation) -> None:
        definition = OPERATORS.get(op.name)
        tensors = [v for v in op.results if holds_floats(v.type)]
        if definition is None or definition.grad is None or definition.mutates:  # a call of a Function that calls itself, too
            raise UnknownFlags(op.name)
        if not all(isinstance(v.type, TensorType) for v in (*tensors, *op.operands) if holds_floats(v.type)):
            raise UnknownFlags(op.name)
        operands = [v for v in leading_operands(op) if holds_floats(v.type)]
        known = reduce(or_, (self.marks.of(v) or 0 for v in operands), 0)
        flags = [self._of(v) for v in operands if self._is_open(v)] + ([self.emit.const(known)] if known else [])
        found = self._computed(reduce(lambda a, b: self.emit.op("py.or", a, b), flags))
        for value in tensors:
            self._put(value, found)

    def _computed(self, flag: Value) -> Value:
        """The flag of what is computed of tensors, which is no leaf; `flag` has those of all of them."""
        marks, emit = self.marks, self.emit
        if not any(leaf_kind(op) == "made" for op in marks.program.walk()):
            return flag
        is_leaf = emit.op("py.and", flag, emit.const(marks.leaf))
        inside = emit.op("py.mul", is_leaf, emit.const(marks.inside // marks.leaf))
        return emit.op("py.and", emit.op("py.or", flag, inside), emit.const(~marks.leaf))

    def _total(self, flags: Value) -> Value:
        """All flags in a list together."""
        blocks = [Block([INT, INT]), Block([INT, INT])]
        count = self.emit.op("list.len", flags)
        with self.emit.at(blocks[0]) as condition:
            self.emit.core("yield", [self.emit.op("py.lt", condition.args[0], count)])
        with self.emit.at(blocks[1]) as turn:
            number, total = turn.args
            after = self.emit.op("py.or", total, self.emit.op("list.get", flags, number))
            self.emit.core("yield", [self.emit.op("py.add", number, self.emit.const(1)), after])
        return self.emit.core("while", [self.emit.const(0), self.emit.const(0)], [INT, INT], None, blocks).results[1]


def _touched(op: Operation) -> list[Value]:
    """The results of an operation, and what the operations in its Blocks read and give."""
    return [v for inner in op.walk() for v in (*inner.operands, *inner.results)]


def _has_flags(value: Value) -> bool:
    """Whether the flags of an argument are handed over: those of containers are known."""
    return holds_floats(value.type) and not holds_objects(value.type)
