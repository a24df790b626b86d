"""Random Programs over 0-d and small tensors, Python ints, bools and lists, with branches, loops, views and in-place writes."""

from __future__ import annotations

import random

import numpy as np

from dy2st.ir.builder import Builder
from dy2st.ir.core import Program, Value

INT0, FLAG0, F0, VEC = "int64[]", "bool[]", "float32[]", "float32[3]"
TENSORS = (INT0, FLAG0, F0, VEC)
LISTS = tuple(f"list<{t}>" for t in (INT0, F0, VEC))
CONSTANTS = (0, 1, -1, 2, 3, -7, 10**6, 2**31, 2**62, -(2**63), 2**63 - 1)
INPUTS = {INT0: 2, FLAG0: 1, F0: 2, VEC: 2}


class Generator:
    """Writes one Program from a source of choices. `scopes` are the Values each open block may use, by type."""

    def __init__(self, choices: random.Random):
        self.choices = choices
        self.b = Builder()
        self.scopes: list[dict[str, list[Value]]] = [{}]
        self.size = 0

    def program(self) -> Program:
        names = {f"x{i}": t for i, t in enumerate(t for t, n in INPUTS.items() for _ in range(n))}
        with self.b.function("main", **names) as args:
            for value in args:
                self.give(value)
            self.give(self.b.param("w", np.array([1, 2, 3], np.float32)))
            self.give(self.b.param("n", np.array(5)))
            self.give(self.b.const(True))
            self.give(self.b.const(3))
            for type_ in LISTS:
                self.give(self.b.op("list.new", self.pick(type_[5:-1]), types=type_))
            self.statements(self.choices.randint(2, 9), depth=0)
            values = [self.pick(t) for t in TENSORS for _ in range(2)] + [self.pick(t) for t in LISTS] + self.every("int")[-3:]
            self.b.return_(self.b.op("tuple.new", *values, types=f"tuple<{', '.join(str(v.type) for v in values)}>"))
        self.helper()
        return self.b.program

    def helper(self) -> None:
        """A Function that writes into its argument, now and then."""
        with self.b.function("helper", n=INT0, x=VEC) as (n, x):
            if self.choices.random() < 0.3:
                self.b.op("add_", n, self.b.const(3))
            if self.choices.random() < 0.3:
                self.b.op("multiply_", x, self.b.const(2.0))
            self.b.return_(n if self.choices.random() < 0.3 else self.b.op("multiply", n, n, types=INT0))

    # --- values ---

    def give(self, value: Value) -> Value:
        self.scopes[-1].setdefault(str(value.type), []).append(value)
        return value

    def every(self, type_: str) -> list[Value]:
        return [v for scope in self.scopes for v in scope.get(type_, ())]

    def pick(self, type_: str) -> Value:
        """A Value of a type, the recent ones more often."""
        found = self.every(type_)
        return self.choices.choice(found[-3:] if self.choices.random() < 0.6 else found)

    def local(self, type_: str) -> Value:
        """A Value of the innermost block, where it has one: what loops carry round, and exchange."""
        return self.choices.choice(self.scopes[-1].get(type_) or self.every(type_))

    def op(self, name: str, *operands: Value, types: str = "", **attrs) -> Value | None:
        result = self.b.op(name, *operands, types=types or (), **attrs)
        return self.give(result) if types else None

    def constant(self) -> Value:
        return self.b.const(self.choices.choice(CONSTANTS))

    # --- statements ---

    def statements(self, count: int, depth: int) -> None:
        for _ in range(count):
            if self.size > 60:
                return
            self.size += 1
            kinds = [self.arithmetic] * 4 + [
                self.compare,
                self.logic,
                self.lists,
                self.views,
                self.write,
                self.floats,
                self.vectors,
                self.items,
            ]
            if depth < 3:
                kinds += [lambda: self.branch(depth), lambda: self.loop(depth)] * 2 + [lambda: self.attempt(depth), self.call]
            self.choices.choice(kinds)()

    def arithmetic(self) -> None:
        name = self.choices.choice(("add", "subtract", "multiply", "floor_divide", "remainder", "neg"))
        if name == "neg":
            self.op(name, self.pick(INT0), types=INT0)
            return
        operands = [self.pick(INT0), self.constant() if self.choices.random() < 0.4 else self.pick(INT0)]
        if self.choices.random() < 0.2:
            operands.reverse()
        self.op(name, *operands, types=INT0)

    def compare(self) -> None:
        name = self.choices.choice(("less_than", "less_equal", "greater_than", "greater_equal", "equal", "not_equal"))
        type_ = self.choices.choice((INT0, INT0, F0))
        other = self.b.const(0.1) if type_ == F0 and self.choices.random() < 0.5 else self.pick(type_)
        self.op(name, self.pick(type_), other, types=FLAG0)

    def logic(self) -> None:
        name = self.choices.choice(("logical_and", "logical_or", "logical_xor", "logical_not", "equal"))
        operands = [self.pick(FLAG0) for _ in range(1 if name == "logical_not" else 2)]
        self.op(name, *operands, types=FLAG0)

    def floats(self) -> None:
        name = self.choices.choice(("add", "subtract", "multiply", "divide"))
        other = self.b.const(self.choices.choice((0.0, 0.1, 3.7, 1e30))) if self.choices.random() < 0.4 else self.pick(F0)
        self.op(name, self.pick(F0), other, types=F0)
        if self.choices.random() < 0.3:
            self.op("cast", self.pick(INT0), dtype="float32", types=F0)

    def vectors(self) -> None:
        name = self.choices.choice(("add", "subtract", "multiply", "tanh", "maximum"))
        count = 1 if name == "tanh" else 2
        self.op(name, *(self.pick(VEC) for _ in range(count)), types=VEC)
        if self.choices.random() < 0.4:
            self.op("multiply", self.pick(VEC), self.pick(F0), types=VEC)

    def lists(self) -> None:
        list_ = self.pick(self.choices.choice(LISTS))
        elem = str(list_.type)[5:-1]
        what = self.choices.choice(("append", "append", "get", "set", "len", "pop"))
        if what == "append":
            self.op("list.append", list_, self.pick(elem))
        elif what == "get":
            self.op("list.get", list_, self.b.const(self.choices.choice((0, -1))), types=elem)
        elif what == "set":
            self.op("list.set", list_, self.b.const(0), self.pick(elem))
        elif what == "len":
            self.op("py.to_tensor", self.op("list.len", list_, types="int"), dtype="int64", types=INT0)
        else:
            self.op("list.append", list_, self.pick(elem))
            self.op("list.pop", list_, types=elem)

    def views(self) -> None:
        if self.choices.random() < 0.5:
            self.op("getitem", self.pick(VEC), index=[{"int": self.choices.randint(0, 2)}], types=F0)
        else:
            self.op("getitem", self.pick(VEC), index=[{"slice": [None, None, -1]}], types=VEC)

    def write(self) -> None:
        if self.choices.random() < 0.5:
            return
        type_ = self.choices.choice((INT0, F0, VEC))
        self.op(self.choices.choice(("add_", "multiply_")), self.pick(type_), self.pick(type_))

    def items(self) -> None:
        """Tensors as Python numbers and back."""
        self.op("py.item", self.pick(INT0), types="int")
        if self.choices.random() < 0.7:
            small = self.op("py.mod", self.pick("int"), self.b.const(97), types="int")
            self.op("py.to_tensor", small, dtype="int64", types=INT0)

    # --- control flow ---

    def condition(self) -> Value:
        if self.choices.random() < 0.2:
            return self.pick("bool")
        return self.op("py.truth", self.pick(self.choices.choice((FLAG0, FLAG0, INT0))), types="bool")

    def inner(self, types: list[str], depth: int, args=()) -> list[Value]:
        """A block's statements, then Values of `types` to yield."""
        self.scopes.append({})
        for value in args:
            self.give(value)
        self.statements(self.choices.randint(0, 3), depth + 1)
        values = [self.local(t) if self.choices.random() < 0.7 else self.pick(t) for t in types]
        self.scopes.pop()
        return values

    def branch(self, depth: int) -> None:
        types = [self.choices.choice((*TENSORS, LISTS[0])) for _ in range(self.choices.randint(0, 3))]
        condition = self.condition()
        results = self.b.if_(condition, lambda: self.inner(types, depth), lambda: self.inner(types, depth), types=types)
        for value in results if isinstance(results, list) else [results]:
            self.give(value)

    def attempt(self, depth: int) -> None:
        """A `try` whose body may read past the end of a list."""
        types = [self.choices.choice(TENSORS) for _ in range(self.choices.randint(1, 2))]

        def body():
            list_ = self.pick(LISTS[0])
            values = self.inner(types, depth)
            self.b.op("list.get", list_, self.b.const(self.choices.choice((0, 3))), types=INT0)
            return values

        results = self.b.try_(body, {("IndexError",): lambda: self.inner(types, depth)}, types=types)
        for value in results if isinstance(results, list) else [results]:
            self.give(value)

    def call(self) -> None:
        self.give(self.b.call("helper", self.pick(INT0), self.pick(VEC), types=INT0))

    def loop(self, depth: int) -> None:
        types = [self.choices.choice(TENSORS) for _ in range(self.choices.randint(1, 3))]
        types += types[:1] * (self.choices.random() < 0.5)
        turns = self.b.const(self.choices.randint(0, 4))
        tensor_counter = self.choices.random() < 0.5
        start = self.b.const(0)
        if tensor_counter:
            start = self.b.op("py.to_tensor", start, dtype="int64", types=INT0)
        kind = INT0 if tensor_counter else "int"

        def condition(i, *carried):
            if not tensor_counter:
                return self.b.op("py.lt", i, turns, types="bool")
            return self.b.op("py.truth", self.b.op("less_than", i, turns, types=FLAG0), types="bool")

        def body(i, *carried):
            step = "add" if tensor_counter else "py.add"
            # A copy of the counter is what the statements see: an in-place write must not make the loop endless.
            seen = (self.b.op("add", i, self.b.const(0), types=INT0),) if tensor_counter else (i,)
            values = self.inner(types, depth, (*seen, *carried))
            return [self.b.op(step, i, self.b.const(1), types=kind), *values]

        initial = [start, *(self.pick(t) for t in types)]
        results = self.b.while_(initial, condition, body, types=[kind, *types])
        for value in results:
            self.give(value)


def random_inputs(choices: random.Random) -> tuple:
    """Inputs for a random Program; now and then one array is passed twice."""
    numbers = [np.array(choices.choice(CONSTANTS)) for _ in range(2)]
    floats = [np.array(choices.uniform(-3, 3), np.float32) for _ in range(2)]
    vectors = [np.array([choices.uniform(-3, 3) for _ in range(3)], np.float32) for _ in range(2)]
    if choices.random() < 0.2:
        vectors[1] = vectors[0]
    return (*numbers, np.array(choices.random() < 0.5), *floats, *vectors)
