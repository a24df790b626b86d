"""The walk over a Program that writes its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import Dy2stError
from ...ir.core import Block, Operation, Program, Value, fill_refs
from ...ops.registry import OPERATORS
from . import coercion
from .core_operations import CORE
from .leaves import is_single, leaves_of
from .packed import Packed
from .refusal import InexpressibleError, NeedsOpsetError, refusal
from .values import Array, OnnxValue
from .writer import Writer


class Walk:
    """Writes the operations of a Program by `g`; a Value of the Program is the leaves that it has in ONNX."""

    def __init__(self, g: Writer, program: Program):
        self.g, self.program = g, program
        self.found: dict[Value, list[OnnxValue]] = {}
        self._parameters: dict[str, OnnxValue] = {}

    # --- Values --------------------------------------------------------------------------------------------------------------

    def leaves(self, value: Value) -> list[OnnxValue]:
        """The leaves of a Value."""
        return self.found[value]

    def packed(self, value: Value) -> Packed:
        """A Value with its type."""
        return Packed(self.g, value.type, self.found[value])

    def value(self, value: Value) -> Any:
        """A Value as lowerings take it: a tensor, or what is packed."""
        return self.packed(value).unpacked()

    def parameter(self, name: str) -> OnnxValue:
        """A parameter: an initialiser under its own name."""
        if name not in self._parameters:
            type_ = self.program.parameters[name].type
            (leaf,) = leaves_of(type_)
            self._parameters[name] = OnnxValue(self.g.names.fresh(name), leaf.type)
        return self._parameters[name]

    @property
    def parameters(self) -> dict[str, OnnxValue]:
        """The parameters that were read."""
        return self._parameters

    # --- operations ----------------------------------------------------------------------------------------------------------

    def block(self, block: Block, arguments: Sequence[OnnxValue] = ()) -> list[Packed]:
        """Write a Block, whose arguments have these leaves; what its terminator hands on."""
        types = [argument.type for argument in block.args]
        self.found.update(zip(block.args, coercion.split(arguments, types)))
        outer = self.g.label, self.g.loc
        for op in block.ops[:-1]:
            self.operation(op)
        self.g.label, self.g.loc = outer
        end = block.ops[-1]
        if end.name == "raise":
            raise refusal(end, "an exception leaves the graph as a number, which the pass `values` makes of it")
        return [self.packed(x) for x in end.operands]

    def operation(self, op: Operation) -> None:
        """Write one operation. OnnxError: it has no form in ONNX."""
        self.g.label, self.g.loc = label(op), op.loc
        try:
            results = CORE[op.name](self, op) if op.name in CORE else self._operator(op)
            for value, given in zip(op.results, results):
                self.found[value] = self._as_declared(value, given)
        except NeedsOpsetError:
            raise
        except InexpressibleError as error:
            raise refusal(op, str(error)) from None

    def _operator(self, op: Operation) -> list[Any]:
        definition = OPERATORS[op.name]
        if definition.onnx is None:
            raise InexpressibleError("it has no lowering")
        if isinstance(definition.onnx, str):
            raise InexpressibleError(definition.onnx)
        operands = [self.value(x) for x in op.operands]
        attributes = fill_refs(op.attrs, operands)
        found = definition.onnx(self.g, *operands[: op.n_positional], **attributes)
        return [*found] if isinstance(found, tuple) else [found]

    def _as_declared(self, value: Value, given: Any) -> list[OnnxValue]:
        """The leaves of a result in the form that its type declares."""
        if isinstance(given, Packed):
            return given.as_type(value.type).leaves
        if not is_single(value.type):
            raise Dy2stError(f"a lowering gives one tensor for a {value.type}")
        (leaf,) = leaves_of(value.type)
        assert isinstance(leaf.type, Array)
        if given.dtype != leaf.type.dtype:
            raise Dy2stError(f"a lowering gives {given.dtype} for a {value.type}")
        return [self.g.typed(given.as_tensor(), leaf.type)]


def label(op: Operation) -> str:
    """What the nodes of an operation are called: its layer, its name, the user's line."""
    path = "".join(f"{part}/" for part in op.path.split(".") if part)
    return f"{path}{op.name}{f':{op.loc.line}' if op.loc else ''}"
