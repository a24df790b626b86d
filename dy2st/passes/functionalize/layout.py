"""Which tensors lie in memory in row-major order, and whether a reshape of one is a view or a copy.

NumPy gives a view where the memory can be walked in the new shape, else a copy. Inputs and parameters are taken to be
row-major: those who run the Program see to it (`runtime/tensors/input_memory.py`).
"""

from __future__ import annotations

import numpy as np

from ...dtypes import DTYPES
from ...ir.alias import Aliases, holds_memory
from ...ir.core import Operation, Program, Ref, Value, leaves_of
from ...ir.types import TensorType
from ...ops.registry import OPERATORS, view_of
from .places import Part, Place, Root


class Layout:
    """The tensors of a Program that are known to be row-major: all but those for which some step breaks it."""

    def __init__(self, broken: set[Value]):
        self.broken = broken

    def is_row_major(self, value: Value) -> bool:
        """Whether the elements surely lie one after the other."""
        return isinstance(value.type, TensorType) and value not in self.broken

    def shares(self, op: Operation, base: Place) -> bool | None:
        """Whether a view operation shares the memory of its operand; None where that isn't known."""
        view = view_of(op.name)
        if view is None or not view.may_copy or self.is_row_major(op.operands[0]):
            return True
        blank = _blank(base)
        if blank is None or _is_open(op):
            return None
        return bool(np.may_share_memory(OPERATORS[op.name].kernel(blank, **op.attrs), blank))


def row_major(program: Program, aliases: Aliases) -> Layout:
    """What is known of a Program's tensors."""
    return Layout(_Breaks(program, aliases).tensors)


class _Breaks:
    """Tensors that may lie in another order, and the groups of containers that one of them went into."""

    def __init__(self, program: Program, aliases: Aliases):
        self.program, self.group = program, aliases.group
        self.tensors: set[Value] = set()
        self.containers = {g for g, roots in aliases.roots.items() if any(root[0] == "state" for root in roots)}
        for function in program.functions.values():
            given = [v for v in function.block.args if function is not program.entry or not isinstance(v.type, TensorType)]
            self.tensors.update(given)
            self.containers.update(map(self.group, given))
        before = -1
        while before != (before := len(self.tensors) + len(self.containers)):
            for op in program.walk():
                self._step(op)

    def _step(self, op: Operation) -> None:
        if op.name in ("if", "try"):
            for block in op.blocks:
                self._flow(block.yielded, op.results)
        elif op.name == "while":
            for targets in (op.blocks[0].args, op.blocks[1].args, op.results):
                self._flow(op.operands, targets)
                self._flow(op.blocks[1].yielded, targets)
        elif op.name == "param":
            data = self.program.parameters[op.attrs["name"]].data
            if data is not None and not data.flags.c_contiguous:
                self.tensors.add(op.result)
        elif op.name != "undef" and not self._gives_row_major(op):
            self.tensors.update(v for v in op.results if holds_memory(v.type))

    def _flow(self, values: list[Value], targets: list[Value]) -> None:
        self.tensors.update(target for value, target in zip(values, targets) if value in self.tensors)

    def _gives_row_major(self, op: Operation) -> bool:
        definition = OPERATORS.get(op.name)
        if definition is None and not op.name.startswith(("cell.", "sum.")):
            return False
        if definition is not None and definition.row_major is not None:
            return definition.row_major
        order = not any(v in self.tensors for v in op.operands)
        takes, gives = ({self.group(v) for v in values if _is_container(v)} for values in (op.operands, op.results))
        if not order:
            self.containers |= gives | (takes if definition is None or definition.mutates else set())
        if takes:
            return not takes & self.containers
        return order and (definition is None or definition.view is None or definition.view.keeps_order(op.attrs))


def _is_container(value: Value) -> bool:
    return holds_memory(value.type) and not isinstance(value.type, TensorType)


def _is_open(op: Operation) -> bool:
    """Whether attributes are known only when the Program runs."""
    return len(op.operands) > 1 or any(isinstance(leaf, Ref) for leaf in leaves_of(op.attrs))


def _blank(place: Place) -> np.ndarray | None:
    """An array without contents that lies in memory as what is at `place` does."""
    if isinstance(place, Root):
        type_ = place.type
        known = isinstance(type_, TensorType) and type_.shape is not None and all(isinstance(d, int) for d in type_.shape)
        return np.empty(type_.shape, DTYPES[type_.dtype].numpy) if known and place.storage.row_major else None  # type: ignore
    if isinstance(place, Part) and place.op.name in OPERATORS and not _is_open(place.op):
        base = _blank(place.base)
        return None if base is None else OPERATORS[place.op.name].kernel(base, **place.op.attrs)
    return None
