"""`a is b` of two tensors: a Program knows values, so only what can be told while staging is answered."""

from __future__ import annotations

from typing import Any

from ....errors import ConversionError
from ....ir.core import Operation, Value
from ....ir.shape import shape_agrees
from ...recorder.recorder import Recorder
from ...tensors.tensor import Tensor

KEEPERS = ("cell", "dict", "list", "object", "sequence", "set", "state", "sum", "tuple")  # what gives back what was put in


def refuse_unknown(rec: Recorder, a: Any, b: Any) -> None:
    """ConversionError where two tensors may be one object: what paths or containers give, or two arguments."""
    if a is b or not (isinstance(a, Tensor) and isinstance(b, Tensor)) or _are_unlike(a, b):
        return
    both_given = _is_argument(rec, a) and _is_argument(rec, b)
    if both_given and rec.facts.policy.tells_arguments_apart():
        return
    if both_given or _is_passed_on(rec, a) or _is_passed_on(rec, b):
        raise ConversionError(
            f"{rec.here()}: whether these two tensors are one object is known only when the Program runs; compare what they "
            "hold, (a == b).all(), or keep an index or a flag beside the tensor"
        )


def _are_unlike(a: Tensor, b: Tensor) -> bool:
    """Whether staging knows that two tensors differ in dtype or shape."""
    return a.type.dtype != b.type.dtype or not shape_agrees(a.type.shape, b.type.shape)


def _is_argument(rec: Recorder, tensor: Tensor) -> bool:
    """Whether this is an input of the Program: a caller may pass one tensor twice."""
    return tensor.is_staged and tensor._data.owner is rec.program.entry.block


def _is_passed_on(rec: Recorder, tensor: Tensor) -> bool:
    """Whether this is what a path, a call or a container gives, rather than what an operator has made."""
    value = tensor._data
    if not isinstance(value, Value):
        return False
    if not isinstance(value.owner, Operation):
        return value.owner is not rec.program.entry.block
    return bool(value.owner.blocks) or value.owner.name == "call" or value.owner.name.partition(".")[0] in KEEPERS
