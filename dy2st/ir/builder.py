"""Build Programs by hand, block by block. Types are given as `Type`s or as their text.

b = Builder()
with b.function("main", x="float32[2]", n="int") as (x, n):
    big = b.op("py.greater", n, b.const(3), types="bool")
    y = b.if_(big, lambda: b.op("relu", x, types="float32[2]"), lambda: x)
    b.return_(y)
program = b.program
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .core import Block, Function, Loc, Operation, Parameter, Program, Ref, State, Value, map_leaves
from .join import join_all
from .types import BOOL, FLOAT, INT, NEVER, NONE, STR, UNBOUND, AtomType, CellType, SumType, TensorType, Type, parse_type

TypeLike = Type | str
_LITERALS: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, str: STR, type(None): NONE}


def as_type(type_: TypeLike) -> Type:
    """A Type given as itself or as its text."""
    return parse_type(type_) if isinstance(type_, str) else type_


def as_types(types: TypeLike | Iterable[TypeLike]) -> list[Type]:
    """Types given as one or several."""
    return [as_type(types)] if isinstance(types, (Type, str)) else [as_type(t) for t in types]


class InsertionPoint:
    """The innermost open Block, which Operations are appended to. `loc` and `path`, where set, go to every one of them."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.loc: Loc | None = None
        self.path = ""

    @contextmanager
    def at(self, block: Block) -> Iterator[Block]:
        """Append to `block` inside the body."""
        self.blocks.append(block)
        try:
            yield block
        finally:
            self.blocks.pop()


class Builder(InsertionPoint):
    """Appends Operations to the innermost open Block of `program`.

    Methods that make one result return its Value, several a list, none an empty list.
    """

    def __init__(self, program: Program | None = None):
        super().__init__()
        self.program = Program() if program is None else program

    # --- blocks ---

    @property
    def block(self) -> Block:
        """The Block that Operations go to."""
        return self.blocks[-1]

    @contextmanager
    def function(self, name: str, /, **params: TypeLike) -> Iterator[list[Value]]:
        """Add a Function; the body gets its parameters. The first Function is the Program's entry."""
        function = Function(name, Block(as_type(t) for t in params.values()))
        for value, hint in zip(function.block.args, params):
            value.name = hint
        self.program.functions[name] = function
        with self.at(function.block):
            yield function.block.args

    def fill(self, body: Callable[..., Any], arg_types: Iterable[Type] = (), names: Sequence[str] = ()) -> Block:
        """A Block made by calling `body` with its arguments; what it returns is yielded, unless it has ended the Block itself."""
        block = Block(arg_types)
        for value, name in zip(block.args, names):
            value.name = name
        with self.at(block):
            given = body(*block.args)
            if block.terminator is None:
                self.yield_(*_as_list(given))
        return block

    # --- operations ---

    def op(self, operator: str, /, *operands: Value, types: TypeLike | Iterable[TypeLike] = (), **attrs: Any) -> Any:
        """Append an Operation. A Value inside an attribute becomes an operand that is reached through a `Ref`."""
        return self._append(operator, operands, types, attrs)

    def _append(self, operator: str, operands, types=(), attrs=None, blocks=(), name: str = "") -> Any:
        inputs = list(operands)

        def stored(leaf: Any) -> Any:
            if not isinstance(leaf, Value):
                return leaf
            inputs.append(leaf)
            return Ref(len(inputs) - 1)

        attrs = map_leaves(attrs or {}, stored)
        op = Operation(operator, inputs, attrs, as_types(types), blocks, self.loc, self.path, len(operands))
        self.block.append(op)
        for value in op.results:
            value.name = name
        return op.results[0] if len(op.results) == 1 else op.results

    def const(self, value: bool | int | float | str | None, name: str = "") -> Value:
        return self._append("const", (), _LITERALS[type(value)], {"value": value}, name=name)

    def atom(self, text: str) -> Value:
        return self._append("atom", (), AtomType(text), {"text": text})

    def unbound(self) -> Value:
        """The absence of a value."""
        return self._append("unbound", (), UNBOUND)

    def undef(self, type_: TypeLike) -> Value:
        """A value that no path reads."""
        return self._append("undef", (), type_)

    def param(self, name: str, data: Any = None, kind: str = "parameter", trainable: bool | None = None) -> Value:
        """The storage called `name`; with `data` (an ndarray), declare it first."""
        if data is not None:
            trains = kind == "parameter" if trainable is None else trainable
            self.program.parameters[name] = Parameter(TensorType(data.dtype.name, data.shape), data, kind, trains)
        return self._append("param", (), self.program.parameters[name].type, {"name": name}, name=name.rsplit(".", 1)[-1])

    def if_(self, cond: Value, then: Callable[[], Any], orelse: Callable[[], Any], types=None, name: str = "") -> Any:
        """`then` and `orelse` return the Values to yield; result types, where not given, are the joins of those."""
        blocks = [self.fill(then), self.fill(orelse)]
        return self._append("if", [cond], _yield_types(blocks, types), blocks=blocks, name=name)

    def while_(self, init: Sequence[Value], cond: Callable[..., Value], body: Callable[..., Any], types=None) -> Any:
        """`cond` and `body` take the carried Values; their types, where not given, are those of `init`."""
        carried = [v.type for v in init] if types is None else as_types(types)
        names = [v.name for v in init]
        blocks = [self.fill(cond, carried, names), self.fill(body, carried, names)]
        return self._append("while", init, carried, blocks=blocks)

    def try_(self, body: Callable[[], Any], handlers: dict[tuple[str, ...], Callable[[], Any]], final=None, types=None) -> Any:
        """`handlers` maps names of exceptions to handlers, tried in order; `final` is the body of `finally`."""
        arms = [self.fill(body), *map(self.fill, handlers.values())]
        attrs: dict[str, Any] = {"handlers": [list(names) for names in handlers]}
        if final is not None:
            attrs["finally"] = True
        blocks = arms if final is None else [*arms, self.fill(final)]
        return self._append("try", (), _yield_types(arms, types), attrs, blocks)

    def raise_(self, exception: str, *args: Value, bases: Sequence[str] = ()) -> None:
        """Raise the class `exception`; `bases` are the names of its bases up to a built-in one."""
        self._append("raise", args, (), {"exception": exception, "bases": list(bases)})

    def raise_again(self) -> None:
        """Let what the handler caught go on."""
        self._append("raise", ())

    def call(self, function: str, *args: Value, types=None) -> Any:
        """Call a Function; result types, where not given, are what it returns as built so far."""
        found = self.program.functions[function].result_types if types is None else types
        return self._append("call", args, found, {"function": function})

    def yield_(self, *values: Value) -> None:
        self._append("yield", values)

    def return_(self, value: Value) -> None:
        self._append("return", [value])

    # --- cells, state, sums ---

    def cell(self, value: Value | None = None, type: TypeLike | None = None, name: str = "") -> Value:
        """A mutable variable, with a value or empty; `type` where it may hold more than the value's own type."""
        elem = as_type(type) if type is not None else value.type if value is not None else NEVER
        return self._append("cell.new", [] if value is None else [value], CellType(elem), name=name)

    def get(self, cell: Value) -> Value:
        return self._append("cell.get", [cell], cell.type.elem, name=cell.name)  # type: ignore[attr-defined]

    def set(self, cell: Value, value: Value) -> None:
        self._append("cell.set", [cell, value])

    def declare_state(self, name: str, type_: TypeLike, value: Any) -> None:
        """Declare Python state and the value, in native form, that it starts from."""
        self.program.state[name] = State(as_type(type_), value)

    def state_get(self, name: str) -> Value:
        return self._append("state.get", (), self.program.state[name].type, {"name": name}, name=name.rsplit(".", 1)[-1])

    def state_set(self, name: str, value: Value) -> None:
        self._append("state.set", [value], (), {"name": name})

    def make(self, type_: TypeLike, index: int, value: Value) -> Value:
        """A sum from its alternative number `index`."""
        return self._append("sum.make", [value], as_type(type_), {"index": index})

    def tag(self, value: Value) -> Value:
        return self._append("sum.tag", [value], INT)

    def take(self, value: Value, index: int) -> Value:
        """The alternative number `index` of a sum; the caller has looked at the tag."""
        sum_type = value.type
        assert isinstance(sum_type, SumType)
        return self._append("sum.get", [value], sum_type.alternatives[index], {"index": index})


def _as_list(given: Any) -> list[Value]:
    if given is None:
        return []
    return [given] if isinstance(given, Value) else list(given)


def _yield_types(blocks: list[Block], types) -> list[Type]:
    """The joins of what the Blocks yield; a Block that raises yields nothing."""
    if types is not None:
        return as_types(types)
    ends = [b.terminator for b in blocks]
    arriving = [[v.type for v in end.operands] for end in ends if end is not None and end.name == "yield"]
    return [join_all(column) for column in zip(*arriving)]
