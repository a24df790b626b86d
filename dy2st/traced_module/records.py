"""Which call recorded which Operations, noted while a model is staged, and what those read, give and write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from ..ir.core import Operation, Value
from ..nn import Layer
from ..ops.registry import OPERATORS, view_of
from ..runtime.heap.heap import Poison
from ..runtime.heap.markers import Unbound
from ..runtime.proxies import Staged
from ..runtime.recorder.recorder import current_recorder
from ..runtime.tensors.call_hook import observing
from ..runtime.tensors.tensor import Tensor
from .builtin import is_builtin
from .tree import leaves, map_tree

FETCHES = ("const", "param", "atom", "unbound", "undef")  # operations that are no steps: what they give stands where it is used


@dataclass(eq=False)
class Record:
    """One call while staging: Values in the place of what only the Program knows. `around`: the call that it is a part of."""

    call: Any  # a function, or a Layer
    method: str | None
    args: tuple
    kwargs: dict[str, Any]
    around: Record | None = None
    result: Any = None


class Noting:
    """The observer of a staging: which call recorded which Operation."""

    def __init__(self) -> None:
        self.records: dict[int, Record] = {}
        self.kept: list[Operation] = []  # so that ids stay their own
        self._around: Record | None = None

    def call(self, function: Callable, method: str | None, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call of a function or a Tensor method."""
        with self._noted(Record(function, method, _frozen(args), _frozen(kwargs))) as record, observing(None):
            result = function(*args, **kwargs)
            record.result = _frozen(result)
        return result

    def call_converted(self, function: Callable, converted: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call of a function that the user wrapped, of which converted code runs."""
        with self._noted(Record(function, None, _frozen(args), _frozen(kwargs))) as record, observing(None):
            result = converted(*args, **kwargs)
            record.result = _frozen(result)
        return result

    def call_layer(self, layer: Layer, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call of a Layer: of one of the library's as it is, of a custom one with the calls in it."""
        rec = current_recorder()
        assert rec is not None
        with self._noted(Record(layer, None, _frozen(args), _frozen(kwargs))) as record:
            with observing(None if is_builtin(layer) else self), rec.enter_layer(layer):
                result = layer._run(rec.convert_call, args, kwargs)
            record.result = _frozen(result)
        return result

    @contextmanager
    def _noted(self, record: Record) -> Iterator[Record]:
        rec = current_recorder()
        assert rec is not None
        block, around = rec.frame.block, self._around
        last = block.ops[-1] if block.ops else None
        record.around, self._around = around, record
        try:
            yield record
        finally:
            self._around = around
        for op in takewhile(lambda op: op is not last, reversed(block.ops)):
            if id(op) not in self.records:
                self.records[id(op)] = record
                self.kept.append(op)


def _frozen(tree: Any) -> Any:
    """Values in the place of what only the Program knows, as it is now."""

    def leaf(x: Any) -> Any:
        if isinstance(x, Tensor) and x.is_staged:
            return x._data
        return x._value if isinstance(x, Staged) else x

    return map_tree(leaf, tree)


class Extent:
    """What the Operations of one call read, give and write, and whether the call says so.

    outputs: the places among the leaves of the result of what they give. written: the Values that they write in place, and those
    that these may be views of. shares: whether a result may lie in the memory of an argument.
    """

    def __init__(self, record: Record, ops: list[Operation], users: Mapping[Value, list[Operation]]):
        self.record, inside = record, [inner for op in ops for inner in op.walk()]
        ids = {id(op) for op in inside}
        self.made = {v for op in inside for v in (*op.results, *(a for block in op.blocks for a in block.args))}
        self._read = {v for op in inside for v in op.operands if v not in self.made and not is_fetched(v)}
        self._leaving = {v for v in self.made if any(id(user) not in ids for user in users.get(v, ())) and not is_fetched(v)}
        self.given = {leaf for leaf in leaves((record.args, record.kwargs)) if isinstance(leaf, Value)}
        self.results = list(leaves(record.result))
        self.outputs = [k for k, leaf in enumerate(self.results) if isinstance(leaf, Value) and leaf in self.made]
        known = [op for op in inside if op.name in OPERATORS]
        self.written = {op.operands[k] for op in known for k in OPERATORS[op.name].mutates}
        for op in reversed(inside):
            if any(result in self.written for result in op.results):
                self.written.update(op.operands)
        self.shares = any(op.blocks for op in inside) or any(view_of(op.name) for op in inside)

    def is_told(self) -> bool:
        """Whether the arguments are all that is read, and the result, with what is written, all that is given."""
        plain = not any(isinstance(leaf, Poison | Unbound) for leaf in leaves((self.record.args, self.record.kwargs)))
        gives = bool(self.outputs or self.written)
        return plain and gives and self._read <= self.given and self._leaving <= {self.results[k] for k in self.outputs}


def is_fetched(value: Value) -> bool:
    """Whether a Value stands where it is used: a constant or a parameter."""
    return isinstance(value.owner, Operation) and value.owner.name in FETCHES
