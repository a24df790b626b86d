"""The Program as plain data: Values, Operations, Blocks, Functions.

Nothing here knows what an operation means; `ir.verify` holds the rules, `ops` the meanings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from os import PathLike
from typing import Any, NamedTuple

from ..pytree import nodes
from .types import Type
from .visible import visible

TERMINATORS = ("yield", "return", "raise")
MAX_CALLS = 32


class Loc(NamedTuple):
    """Where in the user's source an Operation comes from; `column` counts characters from 0, which is also what isn't known.

    caller: where the function is called that the line stands in; None at the head of a Function of the Program.

    It is text only, as a file tells it. `runtime.where.lines.SourceLoc` is a location whose source may be read.
    """

    file: str
    line: int
    function: str = ""
    column: int = 0
    caller: Loc | None = None

    @property
    def title(self) -> str:
        """The file, as people know it."""
        return self.file

    def __str__(self) -> str:
        return f"{visible(self.title)}:{self.line}"

    def called_at(self, caller: Loc | None) -> Loc:
        """The location in a function that is called at `caller`; it tells of the innermost calls, `MAX_CALLS` at most."""
        if caller is None:
            return self
        made = None
        for loc in reversed([*self.calls(), *caller.calls()][:MAX_CALLS]):
            made = type(loc)(*loc[:4], made)
        return made or self

    def calls(self) -> Iterator[Loc]:
        """The location, and where each call is that led to it, the innermost first."""
        loc: Loc | None = self
        while loc is not None:
            yield loc
            loc = loc.caller


@dataclass(unsafe_hash=True)
class Ref:
    """A dynamic leaf of an attribute: stands for operand number `index`."""

    index: int


class _Unknown:
    """Stands for a dynamic attribute leaf during inference."""

    def __repr__(self) -> str:
        return "?"


UNKNOWN = _Unknown()


class _Text(str):
    """A text that stands for itself in the `repr` of what holds it."""

    __repr__ = str.__str__


def map_leaves(attr: Any, change: Callable[[Any], Any]) -> Any:
    """An attribute with `change` applied to each leaf of its lists, tuples and dicts, which become Python's own."""
    if isinstance(attr, list):
        return [map_leaves(part, change) for part in attr]
    if isinstance(attr, tuple):
        return tuple([map_leaves(part, change) for part in attr])
    if isinstance(attr, dict):
        return {key: map_leaves(part, change) for key, part in attr.items()}
    return change(attr)


def leaves_of(attr: Any) -> list[Any]:
    """The leaves of an attribute, in order."""
    found: list[Any] = []
    map_leaves(attr, found.append)
    return found


def keys_of(attr: Any) -> list[Any]:
    """The keys of all dicts in an attribute."""
    return [key for part in nodes(attr) if isinstance(part, dict) for key in part]


def attribute_text(attr: Any, text: Callable[[Any], str]) -> str:
    """An attribute as Python writes it, with `text(leaf)` for each leaf."""
    return repr(map_leaves(attr, lambda leaf: _Text(text(leaf))))


def in_brackets(value: Any, text: Callable[[Any], str], text_of_key: Callable[[Any], str] | None = None) -> str | None:
    """A list, tuple or dict as Python writes it, with `text(part)` for each part and key; None for anything else."""
    kind = type(value)
    if kind is dict:
        return f"{{{', '.join(f'{(text_of_key or text)(key)}: {text(part)}' for key, part in value.items())}}}"
    if kind is not list and kind is not tuple:
        return None
    items = ", ".join(map(text, value))
    return f"[{items}]" if kind is list else f"({items}{',' if len(value) == 1 else ''})"


def fill_refs(attrs: dict[str, Any], values: Sequence[Any]) -> dict[str, Any]:
    """`attrs` with `values[i]` in the place of each `Ref` of index i."""
    return map_leaves(attrs, lambda leaf: values[leaf.index] if isinstance(leaf, Ref) else leaf)


def refs_unknown(attrs: dict[str, Any]) -> dict[str, Any]:
    """`attrs` with every `Ref` replaced by UNKNOWN, as inference takes them."""
    return map_leaves(attrs, lambda leaf: UNKNOWN if isinstance(leaf, Ref) else leaf)


class Value:
    """A result of an Operation, or an argument of a Block. `name` is a hint for people, not an identity."""

    __slots__ = ("type", "name", "owner", "__weakref__")

    def __init__(self, type: Type, name: str = "", owner: Operation | Block | None = None):
        self.type, self.name, self.owner = type, name, owner

    @property
    def block(self) -> Block | None:
        """The Block that it belongs to: whose argument it is, or where the Operation stands that gives it."""
        return self.owner.parent if isinstance(self.owner, Operation) else self.owner

    def __repr__(self) -> str:
        return f"<Value {self.name or '?'}: {self.type}>"


class Operation:
    """One step. `n_positional` operands go to the kernel by position; the rest are reached through `Ref`s in `attrs`."""

    __slots__ = ("name", "operands", "attrs", "results", "blocks", "loc", "path", "parent", "n_positional")

    def __init__(
        self,
        name: str,
        operands: Iterable[Value] = (),
        attrs: dict[str, Any] | None = None,
        result_types: Iterable[Type] = (),
        blocks: Iterable[Block] = (),
        loc: Loc | None = None,
        path: str = "",
        n_positional: int | None = None,
    ):
        self.name = name
        self.operands = list(operands)
        self.attrs = attrs or {}
        self.results = [Value(t, owner=self) for t in result_types]
        self.blocks = list(blocks)
        self.loc, self.path = loc, path
        self.parent: Block | None = None
        self.n_positional = len(self.operands) if n_positional is None else n_positional
        for block in self.blocks:
            block.parent = self

    @property
    def result(self) -> Value:
        """The only result."""
        (value,) = self.results
        return value

    def walk(self) -> Iterator[Operation]:
        """This Operation and all in its Blocks."""
        yield self
        for block in self.blocks:
            yield from block.walk()

    def __repr__(self) -> str:
        return f"<Operation {self.name}>"


class Block:
    """Arguments and Operations in order. A complete Block ends in a terminator."""

    __slots__ = ("args", "ops", "parent", "__weakref__")

    def __init__(self, arg_types: Iterable[Type] = ()):
        self.args = [Value(t, owner=self) for t in arg_types]
        self.ops: list[Operation] = []
        self.parent: Operation | Function | None = None

    def append(self, op: Operation) -> Operation:
        op.parent = self
        self.ops.append(op)
        return op

    @property
    def terminator(self) -> Operation | None:
        return self.ops[-1] if self.ops and self.ops[-1].name in TERMINATORS else None

    @property
    def yielded(self) -> list[Value]:
        """What the Block hands on where it arrives at its end."""
        return self.ops[-1].operands if self.ops and self.ops[-1].name == "yield" else []

    def walk(self) -> Iterator[Operation]:
        """Every Operation of this Block and of the Blocks nested in it, in textual order."""
        pending = [iter(self.ops)]
        while pending:
            for op in pending[-1]:
                yield op
                if op.blocks:
                    pending.extend(iter(block.ops) for block in reversed(op.blocks))
                    break
            else:
                pending.pop()


class Function:
    """A named Block: its arguments are the parameters, its `return` gives the result."""

    __slots__ = ("name", "block")

    def __init__(self, name: str, block: Block):
        self.name, self.block = name, block
        block.parent = self

    @property
    def result_types(self) -> list[Type]:
        end = self.block.terminator
        return [v.type for v in end.operands] if end is not None and end.name == "return" else []


@dataclass
class Parameter:
    """Storage that a Program owns. `kind` is parameter, buffer or constant; `data` an ndarray or None (not loaded)."""

    type: Type
    data: Any = None
    kind: str = "parameter"
    trainable: bool = False


@dataclass
class State:
    """Python state that lives with the Program: its type and the value, in native form, that a fresh copy starts from."""

    type: Type
    value: Any = None


@dataclass(repr=False)
class Program:
    """Functions (the entry first), the storage they share, and their Python state.

    errors: whose classes the errors of operators on tensors have: "torch", or "" for those of dy2st.
    """

    functions: dict[str, Function] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    state: dict[str, State] = field(default_factory=dict)
    errors: str = ""

    @property
    def entry(self) -> Function:
        return next(iter(self.functions.values()))

    def starting_at(self, name: str) -> Program:
        """The same Program as far as this Function needs it, as its entry; itself, where that is all of it."""
        needed = {name: self.functions[name]}
        pending = [name]
        ops: list[Operation] = []
        while pending:
            body = list(self.functions[pending.pop()].block.walk())
            ops += body
            called = [op.attrs["function"] for op in body if op.name == "call" and op.attrs["function"] not in needed]
            needed.update((callee, self.functions[callee]) for callee in called)
            pending += dict.fromkeys(called)
        if len(needed) == len(self.functions) and self.entry is needed[name]:
            return self
        names = {op.attrs["name"] for op in ops if op.name in ("param", "state.get", "state.set")}
        parameters, state = ({n: x for n, x in table.items() if n in names} for table in (self.parameters, self.state))
        return Program(needed, parameters, state, self.errors)  # type: ignore[arg-type]

    def walk(self) -> Iterator[Operation]:
        for function in self.functions.values():
            yield from function.block.walk()

    def __str__(self) -> str:
        from .printer import print_program

        return print_program(self)

    def __repr__(self) -> str:
        from .summary import summary

        return f"<Program {summary(self)}>"

    def to_html(self, path: str | PathLike | None = None) -> str:
        """The page that shows the Program, with its layers and control flow: one file, which asks nothing of the network.

        path: where it is written, too; what was there is replaced at once or not at all. Returns the text of the page.
        OSError: the path can't be written.
        """
        return _view().write_page(self._page(), path)

    def _page(self) -> str:
        return _view().program_page(self, self.entry.name)

    def _repr_html_(self) -> str:
        return _view().inline(self._page())


def _view() -> Any:
    return import_module("dy2st.viewer")  # by name: it is above this module, which knows of it only this
