"""Eager execution: every operator runs at once, and the tape remembers it where a gradient may be asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dtypes import FLOWING
from ...errors import Dy2stError, StagedValueError
from ...ir.core import Value
from ...ops import dispatch, half  # noqa: F401 - half is loaded with the mode, so that no operator imports it later
from ...ops.python.tensors import only_element
from ...ops.registry import OpDef, lookup
from ..where.faults import speaks_for_the_user
from .aliases import ViewStep, link, rebase, refresh, refuse_leaf
from .grad_mode import _enabled
from .tape import Node, OverwrittenError, OverwrittenTensor, record
from .tensor import Tensor

_PLAIN = frozenset((int, float, bool, str, type(None)))
_array = np.ndarray


class EagerMode(dispatch.Mode):
    """Runs kernels on the arrays of the operands. The kernel's own checks suffice: inference runs only to explain a failure."""

    @speaks_for_the_user
    def bind(self, definition: OpDef, operands: tuple, attrs: dict[str, Any]) -> Any:
        natives = []
        tracked = False
        try:
            for x in operands:
                if isinstance(x, Tensor):
                    view = x._view
                    if view is not None and view.node is not view.base._node:
                        refresh(x)
                    if not x._stops:
                        tracked = True
                    natives.append(x._data)
                else:
                    natives.append(x)
        except OverwrittenError:
            natives, tracked = _without_values(definition, operands)
        if tracked and definition.like:
            tracked = _is_tracked(definition, operands)
        if attrs:
            definition.check_attributes(attrs)
            attrs = native_attrs(definition.name, attrs)
        if definition.mutates:
            return _write(definition, operands, natives, attrs, tracked)
        try:
            value = definition.kernel(*natives, **attrs)
        except Exception as error:
            explain(definition, natives, attrs, error)
            raise
        if type(value) is _array:
            result = Tensor(value)
            if definition.view is not None:
                _link(definition, operands, natives, attrs, result, None)
            if tracked and definition.grad is not None and value.dtype.kind in FLOWING and _enabled.get():
                node = record(definition, operands, natives, attrs)
                node.results.append((value, result._writes, result._writes[0]))
                result._node, result._stops = (node, 0), False
            return result
        return _wrap_others(definition, operands, natives, attrs, value, tracked)

    def shape_of(self, x: Tensor) -> list:
        raise StagedValueError(self.refusal(x, "x.shape"))

    def gradient_of(self, x: Tensor) -> Tensor | None:
        return x._grad

    def set_gradient(self, x: Tensor, gradient: Tensor | None) -> None:
        x._grad = gradient

    def refusal(self, x: Tensor, use: str) -> str:
        """Why a Variable can't be used outside the recording that made it."""
        return f"{use}: this tensor is a Variable of a Program being recorded and has no value outside that recording"


def _is_tracked(definition: OpDef, operands: tuple) -> bool:
    """Whether gradients flow to an operand, where some matter by their shape only."""
    leading = (x for i, x in enumerate(operands) if i not in definition.like)
    return any(isinstance(x, Tensor) and not x.stop_gradient for x in leading)


def _without_values(definition: OpDef, operands: tuple) -> tuple[list, bool]:
    """The operands, where some were overwritten, for an operator that only asks for the shape of those."""
    natives: list = []
    for i, x in enumerate(operands):
        stale = isinstance(x, OverwrittenTensor) and i in definition.shape_only
        natives.append(x.like if stale else x._data if isinstance(x, Tensor) else x)
    return natives, any(isinstance(x, Tensor) and not x.stop_gradient for x in operands)


def _wrap_others(definition: OpDef, operands: tuple, natives: list, attrs: dict, value: Any, tracked: bool) -> Any:
    """The results of a kernel that gave anything but one array: a NumPy scalar, several results, a Python value."""
    single = type(value) is not tuple
    values = (value,) if single else value
    results = [Tensor(np.asarray(v)) if isinstance(v, (_array, np.generic)) else v for v in values]
    if definition.view is not None:
        for i, result in enumerate(results):
            _link(definition, operands, natives, attrs, result, None if single else i)
    if tracked and definition.grad is not None and _enabled.get():
        node = record(definition, operands, natives, attrs)
        for i, result in enumerate(results):
            if isinstance(result, Tensor):
                node.add_result(result._data, result._writes)
                if result._data.dtype.kind in FLOWING:
                    result._node, result._stops = (node, i), False
            else:
                node.results.append((result, [0], 0))
    return results[0] if single else tuple(results) if results else None


def _link(definition: OpDef, operands: tuple, natives: list, attrs: dict, result: Tensor, index: int | None) -> None:
    source = operands[0]
    if not isinstance(source, Tensor):
        return
    if definition.grad is None:  # without a way back, there is nothing that it could take from its base
        result._writes = source._writes
    else:
        link(result, source, ViewStep(definition, tuple(natives[1:]), attrs, index))


@speaks_for_the_user
def _write(definition: OpDef, operands: tuple, natives: list, attrs: dict, tracked: bool) -> Any:
    """Run an operator that writes in place; the tensors it writes get a new version and, where gradients flow, a new history."""
    written = [operands[i] for i in definition.mutates]
    for i, target in zip(definition.mutates, written):
        refuse_leaf(definition.name, target)
        tracked = tracked or (target._view is not None and not target._view.base.stop_gradient)
        if not target._data.flags.writeable:
            natives[i] = _own_memory(definition, target)
    flows = written[0]._data.dtype.kind in FLOWING
    taped = tracked and definition.grad is None and definition.functional and flows and _enabled.get()
    node = _record_write(definition, operands, natives, attrs, written[0]._writes) if taped else None
    try:
        value = definition.kernel(*natives, **attrs)
    except Exception as error:
        explain(definition, natives, attrs, error)
        raise
    for target in written:
        target._writes[0] += 1
    if node is not None:
        node.add_result(written[0]._data, written[0]._writes)
        rebase(written[0], (node, 0))
    return None if value is None else _wrap_others(definition, operands, natives, attrs, value, tracked)


def _record_write(definition: OpDef, operands: tuple, natives: list, attrs: dict[str, Any], cell: list) -> Node:
    """The Node of an operator about to write in place, with copies of what its gradient rule reads of the memory it writes."""
    functional = lookup(definition.functional)  # type: ignore[arg-type]
    if functional.grad is None:
        raise RuntimeError(f"{definition.name} has no gradient; write into x.detach(), or under `with dy2st.no_grad():`")
    node = record(functional, operands, list(natives), attrs)
    for i, own in enumerate(node.cells):
        if own is cell and i not in functional.grad_ignores:
            node.operands[i], node.cells[i], node.counts[i] = natives[i].copy(), [0], 0
    return node


def _own_memory(definition: OpDef, target: Tensor) -> np.ndarray:
    """Memory of its own for a tensor mapped from a file, before its first write."""
    if target._view is not None:
        raise RuntimeError(f"{definition.name} can't write into this view: its memory is read-only; write into `x.clone()`")
    target._data = target._data.copy()
    return target._data


def native_attrs(op: str, attrs: dict[str, Any]) -> dict[str, Any]:
    """`attrs` with the numbers of the Tensors among its leaves, as in a Program; ValueError for more than one element."""
    for value in attrs.values():
        if type(value) not in _PLAIN and _holds_tensor(value):
            return {name: _native(v, f"{op}: {name}") for name, v in attrs.items()}
    return attrs


def _holds_tensor(value: Any) -> bool:
    kind = type(value)
    if kind is tuple or kind is list:
        for item in value:
            if type(item) not in _PLAIN and _holds_tensor(item):
                return True
        return False
    if kind is dict:
        return any(map(_holds_tensor, value.values()))
    if kind is slice:
        return _holds_tensor((value.start, value.stop, value.step))
    return isinstance(value, Tensor)


def _native(value: Any, use: str) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return kind(_native(v, use) for v in value)
    if kind is dict:
        return {k: _native(v, use) for k, v in value.items()}
    if kind is slice:
        return slice(_native(value.start, use), _native(value.stop, use), _native(value.step, use))
    return only_element(value._data, use) if isinstance(value, Tensor) else value


def explain(definition: OpDef, natives: list, attrs: dict[str, Any], error: Exception) -> None:
    """Raise what is wrong with the operands of a failed kernel in words, where inference finds it."""
    from .value_types import type_of_native

    if any(type(x) is Value for x in natives):
        raise StagedValueError(
            f"{definition.name}: an operand is a Variable of a Program being recorded and has no value outside that recording"
        ) from error
    try:
        definition.infer(*map(type_of_native, natives), **attrs)
    except Dy2stError as found:
        raise found from error
    except Exception:
        return  # inference can't read these attributes either: what the kernel said stands


EAGER = EagerMode()
