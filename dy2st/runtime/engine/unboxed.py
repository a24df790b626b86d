"""Which 0-d int64 and bool tensors live in local variables as Python ints and bools, and where those ints must wrap.

A loop counter as an ndarray costs a microsecond a step, as an int a few nanoseconds. Python ints don't overflow, int64 does.
Sums, differences and products may leave the range for a while, since wrapping commutes with them. They are wrapped as soon as
somebody looks at their order, divides, converts, carries or stores them. Intervals show where that can't be needed.

An input that a loop computes with, and that nothing needs as an ndarray, is unboxed once, where the function begins.

A 0-d tensor that is written in place stays an ndarray, since others may see its memory. Zero divisors, whose answer is NumPy's
own, go to the kernel.
"""

from __future__ import annotations

from ...ir.core import Block, Function, Operation, Program, Value
from ...ir.types import BOOL, INT, TensorType, Type
from .aliases import TensorAliases
from .known_types import KnownTypes

INT64, FLAG = TensorType("int64", ()), TensorType("bool", ())
LOW, HIGH = -(1 << 63), (1 << 63) - 1
FULL = (LOW, HIGH)
_WIDEST = 1 << 256  # an unwrapped intermediate never grows past this
_LONGEST_CHAIN = 100  # additions between a counter and its next value

RING = {"add": "{0} + {1}", "subtract": "{0} - {1}", "multiply": "{0} * {1}", "neg": "-{0}"}
QUOTIENT = {"floor_divide": "{0} // {1}", "remainder": "{0} % {1}"}
ORDER = {
    "equal": "{0} == {1}",
    "not_equal": "{0} != {1}",
    "less_than": "{0} < {1}",
    "less_equal": "{0} <= {1}",
    "greater_than": "{0} > {1}",
    "greater_equal": "{0} >= {1}",
}
OF_INTS = ("py.add", "py.sub", "py.mul", "py.lt", "py.le", "py.gt", "py.ge", "py.eq", "py.ne")
QUOTIENTS_OF_INTS = ("py.mod", "py.floordiv")
ITEMS = ("list.get", "list.set")
LOGIC = {
    "logical_and": "{0} and {1}",
    "logical_or": "{0} or {1}",
    "logical_xor": "{0} is not {1}",
    "logical_not": "not {0}",
    "equal": "{0} is {1}",
    "not_equal": "{0} is not {1}",
}

Interval = tuple[int, int]


class Unboxed:
    """The decisions for one Program.

    kind[value]: "int" or "bool", for the tensors that live as Python values.
    wraps: the int results that are wrapped where they are computed.
    """

    def __init__(self, program: Program, aliases: TensorAliases, types: KnownTypes):
        self._aliases, self._type = aliases, types
        self.kind: dict[Value, str] = {}
        self.wraps: set[Value] = set()
        self._intervals: dict[Value, Interval] = {}
        self._sensitive: set[Value] = set()
        self._steps: dict[tuple[Value, Value], int | None] = {}
        for function in program.functions.values():
            self._admit(self._counted_inputs(function))
            self._decide(function.block)
            self._find_sensitive(function)
            self._bound(function.block)

    # --- who is unboxed --------------------------------------------------------------------------------------------

    def template(self, op: Operation) -> str | None:
        """The expression over Python values that computes `op`, where its operands and result allow one."""
        if len(op.results) != 1 or (result := self._type(op.results[0])) not in (INT64, FLAG):
            return None
        types = [self._type(v) for v in op.operands]
        if op.name == "py.to_tensor" and types == [BOOL] and op.result.type == FLAG:
            return "{0}"
        if op.attrs or not any(isinstance(t, TensorType) for t in types):
            return None
        if result == INT64 and all(self._is(v, INT64, INT) for v in op.operands):
            return RING.get(op.name) or QUOTIENT.get(op.name)
        if all(t in (INT64, INT) for t in types) and result == FLAG:
            return ORDER.get(op.name)      # a Python int beyond int64 is compared exactly by NumPy, too
        if result == FLAG and all(self._is(v, FLAG, BOOL) for v in op.operands):
            return LOGIC.get(op.name)
        return None

    def nests(self, op: Operation, outer: Operation) -> bool:
        """Whether the expression of `op` may stand in that of `outer`.

        It can't fail, or fails on the same line, and neither is more than one expression.
        """
        if _is_of_ints(op) or (op.name == "list.get" and op.result.type == INT and _on_one_line(op, outer)):
            return _is_of_ints(outer) or outer.name in ITEMS
        return all(self.template(o) and (o.name not in QUOTIENT or constant(o.operands[1])) for o in (op, outer))

    def _counted_inputs(self, function: Function) -> list[Value]:
        """The arguments that a loop computes with, and that nothing needs as ndarrays."""
        looped = {op for loop in function.block.walk() if loop.name == "while" for block in loop.blocks for op in block.walk()}
        in_loops: set[Value] = set()
        as_arrays: set[Value] = set()
        for op in function.block.walk():
            if self.template(op) is None:
                as_arrays.update(op.operands)
            elif op in looped:
                in_loops.update(op.operands)
        return [v for v in function.block.args if v in in_loops - as_arrays]

    def _is(self, value: Value, tensor: Type, scalar: Type) -> bool:
        if self._type(value) == tensor:
            return True
        number = constant(value)
        return value.type == scalar and number is not None and LOW <= number <= HIGH

    def _decide(self, block: Block) -> None:
        for op in block.ops:
            if op.name == "while":
                for inner in op.blocks:
                    self._admit(inner.args)
                self._admit(op.results)
            for inner in op.blocks:
                self._decide(inner)
            if op.name in ("if", "try"):
                self._admit([v for i, v in enumerate(op.results) if any(self.kind.get(y) for y in _yielded(op, i))])
            elif self.template(op) is not None or _is_constant_tensor(op):
                self._admit(op.results)

    def _admit(self, values: list[Value]) -> None:
        for value in values:
            type_ = self._type(value)
            if type_ in (INT64, FLAG) and not self._aliases.mutated(value):
                self.kind[value] = "int" if type_ == INT64 else "bool"

    # --- where ints wrap -------------------------------------------------------------------------------------------

    def _find_sensitive(self, function: Function) -> None:
        for op in function.block.walk():
            if not (op.name in RING and op.results[0] in self.kind):
                self._sensitive.update(op.operands)

    def _bound(self, block: Block) -> None:
        """Give every unboxed int an interval, in the order of execution."""
        for op in block.ops:
            if op.name == "while":
                self._bound_carried(op)
            for inner in op.blocks:
                self._bound(inner)
            if op.name in ("if", "try"):
                for index, result in enumerate(op.results):
                    parts = [self.interval(v) for v in _yielded(op, index)]
                    if parts and self.kind.get(result) == "int":
                        self._intervals[result] = (min(p[0] for p in parts), max(p[1] for p in parts))
            elif op.results and self.kind.get(op.results[0]) == "int" and op.name != "while":
                self._bound_result(op)

    def _bound_result(self, op: Operation) -> None:
        interval = _combine(op.name, [self.interval(v) for v in op.operands])
        outside = interval[0] < LOW or interval[1] > HIGH
        if outside and (op.result in self._sensitive or max(-interval[0], interval[1]) > _WIDEST):
            self.wraps.add(op.result)
            interval = FULL
        self._intervals[op.result] = interval

    def _bound_carried(self, op: Operation) -> None:
        for index, result in enumerate(op.results):
            if self.kind.get(result) == "int":
                interval = self._counter(op, index) or FULL
                for value in (result, *(block.args[index] for block in op.blocks)):
                    self._intervals[value] = interval

    def _counter(self, op: Operation, index: int) -> Interval | None:
        """An interval that a counter can't leave in the time anyone has: it starts small and each turn adds a small constant."""
        low, high = self.interval(op.operands[index])
        if low < -(1 << 61) or high > 1 << 61:
            return None
        body = op.blocks[1]
        for value in _yielded(op, index, (body,)):
            step = self._step(value, body.args[index])
            if step is None or step > 1 << 10:
                return None
        return -(1 << 62), 1 << 62

    def _step(self, value: Value, start: Value, depth: int = 0) -> int | None:
        """The interval of `value - start`, where `value` is `start` with constants added, on every path."""
        if value is start:
            return 0
        key = (value, start)
        if key not in self._steps:
            self._steps[key] = self._step_of_result(value, start, depth) if depth < _LONGEST_CHAIN else None
        return self._steps[key]

    def _step_of_result(self, value: Value, start: Value, depth: int) -> int | None:
        op = value.owner
        if not isinstance(op, Operation):
            return None
        if op.name == "if":
            steps = [self._step(v, start, depth + 1) for v in _yielded(op, op.results.index(value))]
            return None if None in steps or not steps else max(steps)  # type: ignore[type-var]
        if op.name not in ("add", "subtract") or value not in self.kind:
            return None
        base, added = op.operands[0], constant(op.operands[1])
        if added is None and op.name == "add":
            base, added = op.operands[1], constant(op.operands[0])
        before = None if added is None else self._step(base, start, depth + 1)
        return None if before is None else before + abs(added)  # type: ignore[arg-type]

    def interval(self, value: Value) -> Interval:
        number = constant(value)
        return self._intervals.get(value, FULL) if number is None else (number, number)


def _is_of_ints(op: Operation) -> bool:
    """Whether this is arithmetic of Python ints, or a comparison, which can't fail."""
    if op.name in QUOTIENTS_OF_INTS and not constant(op.operands[1]):
        return False
    return op.name in (*OF_INTS, *QUOTIENTS_OF_INTS) and all(v.type == INT for v in op.operands)


def _on_one_line(a: Operation, b: Operation) -> bool:
    return a.loc is not None and b.loc is not None and (a.loc.file, a.loc.line) == (b.loc.file, b.loc.line)


def constant(value: Value) -> int | None:
    """The int or bool that `value` always is, where it is a `const`, or a 0-d tensor made of one."""
    op = value.owner
    if not isinstance(op, Operation):
        return None
    if op.name == "const" and type(op.attrs["value"]) in (int, bool):
        return op.attrs["value"]
    return constant(op.operands[0]) if _is_constant_tensor(op) else None


def _is_constant_tensor(op: Operation) -> bool:
    if op.name != "py.to_tensor" or op.result.type not in (INT64, FLAG):
        return False
    number = constant(op.operands[0])
    return number is not None and (type(number) is bool or LOW <= number <= HIGH)


def _yielded(op: Operation, index: int, blocks: tuple[Block, ...] | None = None) -> list[Value]:
    ends = [b.terminator for b in (op.blocks if blocks is None else blocks)]
    return [e.operands[index] for e in ends if e is not None and e.name == "yield" and index < len(e.operands)]


def _combine(name: str, parts: list[Interval]) -> Interval:
    """Interval arithmetic for the operators above; the divisor's zero is the kernel's business."""
    if name == "neg":
        return -parts[0][1], -parts[0][0]
    if len(parts) != 2:
        return parts[0] if parts else FULL
    (a, b), (c, d) = parts
    if name == "add":
        return a + c, b + d
    if name == "subtract":
        return a - d, b - c
    if name == "multiply":
        corners = (a * c, a * d, b * c, b * d)
        return min(corners), max(corners)
    if name == "floor_divide":
        return (a // c, b // c) if c == d and c > 0 else (min(a, -b), max(b, -a))
    return (0, c - 1) if c == d and c > 0 else FULL
