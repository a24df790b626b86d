"""The walk over a Program that writes its nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ...errors import Dy2stError
from ...ir.core import Block, Loc, Operation, Program, Value, fill_refs
from ...ir.types import NEVER, NONE
from ...ops.complex_numbers import CARRYING, COMPONENTWISE, NO_COMPLEX, OF_SHAPE
from ...ops.lowered.complexes import of_shape, on_parts
from ...ops.registry import OPERATORS
from ...ops.torch_errors import of_operation
from ...passes.values.reraising import Reraised
from .core_operations import CORE
from .faults import Failure, failure_of
from .leaves import holds_complex, is_complex, is_single, leaves_of
from .packed import Packed
from .refusal import GraphError, InexpressibleError, NeedsOpsetError, refusal
from .values import Array, GraphValue
from .writer import Writer


class Walk:
    """Writes the operations of a Program by `g`; a Value of the Program is its leaves.

    failures: what the names of an operation's nodes begin with, and what Python raises where one of them fails, or None.
    skipped: operations whose results nobody reads, or that are known. target: what messages call the form.
    error: the class of refusals.
    """

    target: str
    error: type[GraphError] = GraphError

    def __init__(self, g: Writer, program: Program):
        self.g, self.program = g, program
        self.found: dict[Value, list[GraphValue]] = {}
        self.parameters: dict[str, GraphValue] = {}  # those that are read: initialisers
        self.failures: dict[str, Failure | None] = {}
        self._labels: dict[str, dict[Failure | None, str]] = {}
        self.skipped: set[Operation] = set()
        self.reraised: Mapping[Loc, tuple[Reraised, ...]] = {}
        self.users: defaultdict[Value, list[Operation]] = defaultdict(list)  # an operation as often as it reads the Value
        for op in program.walk():
            for value in op.operands:
                self.users[value].append(op)

    # --- Values --------------------------------------------------------------------------------------------------------------

    def leaves(self, value: Value) -> list[GraphValue]:
        """The leaves of a Value."""
        return self.found[value]

    def packed(self, value: Value) -> Packed:
        """A Value with its type; one that isn't carried has no leaves."""
        return Packed(self.g, value.type, self.found.get(value, []))

    def value(self, value: Value) -> Any:
        """A Value as lowerings take it: a tensor, or what is packed."""
        return self.packed(value).unpacked()

    # --- operations ----------------------------------------------------------------------------------------------------------

    def block(self, block: Block, arguments: Sequence[list[GraphValue]] = ()) -> list[Packed]:
        """Write a Block; what its terminator hands on. arguments: the leaves of each."""
        self.found.update(zip(block.args, arguments))
        outer = self.g.label, self.g.loc, self.g.kernel, self.g.class_of
        for op in block.ops[:-1]:
            if op not in self.skipped:
                self.operation(op)
        self.g.label, self.g.loc, self.g.kernel, self.g.class_of = outer
        end = block.ops[-1]
        if end.name == "raise":
            why = "an exception leaves the graph as a number, which the pass `values` makes of it"
            raise refusal(end, why, self.target, self.error)
        return [self.packed(x) for x in end.operands]

    def operation(self, op: Operation) -> None:
        """Write one operation. GraphError: it has no form."""
        self.g.label, self.g.loc, self.g.kernel = self.label_of(op, self._failure_of(op)), op.loc, None
        self.g.around = self._around(op)
        self.g.class_of = partial(of_operation, op) if self.program.errors and op.name in OPERATORS else str
        self.g.declared = tuple(result.type for result in op.results)
        if op.name in OPERATORS:
            self.g.kernel = OPERATORS[op.name].kernel
        try:
            results = CORE[op.name](self, op) if op.name in CORE else self._operator(op)
            for value, given in zip(op.results, results):
                self.found[value] = self._as_declared(value, given)
            if self._only_may_fail(op):
                self.g.scope.kept.update(leaf.name for value in op.results for leaf in self.found[value])
        except NeedsOpsetError:
            raise
        except InexpressibleError as error:
            raise refusal(op, str(error), self.target, self.error) from None

    def _around(self, op: Operation) -> tuple[Reraised, ...]:
        """The handlers that raise something else in place of what the operation raises."""
        return self.reraised.get(op.loc, ()) if op.loc is not None else ()

    def _failure_of(self, op: Operation) -> Failure | None:
        return failure_of(op, self.program.errors, self._around(op))

    def _only_may_fail(self, op: Operation) -> bool:
        """Whether nobody reads what an operation gives, and it is there because it may raise."""
        is_read = any(value in self.users for value in op.results)
        return op.name in OPERATORS and not is_read and bool(OPERATORS[op.name].may_raise(op))

    def branch(self, op: Operation, condition: GraphValue, *arms: Callable[[], Sequence[GraphValue]]) -> list[GraphValue]:
        """The results of the first arm of an `if` where `condition`, bool[], holds, and those of the second elsewhere."""
        return self.g.branch(condition, *arms)

    def label_of(self, op: Operation, told: Failure | None) -> str:
        """The name of the nodes of an operation; no operation that fails in another way has the same."""
        name = label(op)
        if told is not None:
            told = replace(told, after=len(self.g.scopes[0].codes))
        known = self._labels.setdefault(name, {})
        if told not in known:
            known[told] = f"{name}_{len(known) + 1}" if known else name
            self.failures[known[told]] = told
        return known[told]

    def _operator(self, op: Operation) -> list[Any]:
        lowering = _lowering(op)
        is_of_tensors = "." not in op.name  # whose kernels take None for an operand that isn't given
        operands = [None if is_of_tensors and x.type == NONE else self.value(x) for x in op.operands]
        attributes = fill_refs(op.attrs, operands)
        found = lowering(self.g, *operands[: op.n_positional], **attributes)
        return [*found] if isinstance(found, tuple) else [found]

    def _as_declared(self, value: Value, given: Any) -> list[GraphValue]:
        """The leaves of a result in the form that its type declares."""
        if isinstance(given, Packed):
            leaves = given.as_type(value.type).leaves
            known = leaves_of(value.type) if is_complex(value.type) else ()
            return [self.g.typed(x, leaf.type) for x, leaf in zip(leaves, known)] if known else leaves
        if value.type == NEVER:
            return []  # an item of a sequence that is always empty: a check has failed
        if not is_single(value.type):
            raise Dy2stError(f"a lowering gives one tensor for a {value.type}")
        (leaf,) = leaves_of(value.type)
        assert isinstance(leaf.type, Array)
        if given.dtype != leaf.type.dtype:
            raise Dy2stError(f"a lowering gives {given.dtype} for a {value.type}")
        return [self.g.typed(given.as_tensor(), leaf.type)]


def _lowering(op: Operation) -> Callable[..., Any]:
    """The lowering of an operator. InexpressibleError: it has none, or none for complex numbers."""
    definition = OPERATORS[op.name]
    if any(holds_complex(value.type) for value in (*op.operands, *op.results)) and callable(definition.onnx):
        if op.name in COMPONENTWISE or op.name in OF_SHAPE:
            return (on_parts if op.name in COMPONENTWISE else of_shape)(definition.onnx)
        if definition.onnx_complex is None and op.name not in CARRYING:
            raise InexpressibleError(NO_COMPLEX)
        return definition.onnx_complex or definition.onnx
    if definition.onnx is None:
        raise InexpressibleError("it has no lowering")
    if isinstance(definition.onnx, str):
        raise InexpressibleError(definition.onnx)
    return definition.onnx


def label(op: Operation) -> str:
    """The name of the nodes of an operation: its layer, its operator, the user's line."""
    path = "".join(f"{part}/" for part in op.path.split(".") if part)
    return f"{path}{op.name}{f':{op.loc.line}' if op.loc else ''}"
