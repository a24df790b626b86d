"""Tensors of a Program that share memory, which a file can't hold where one of them is written."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...errors import ConversionError
from ...ir.core import Program
from ...ir.effects import EffectAnalysis
from ...ops.registry import OPERATORS
from ...runtime.tensors.tensor import Tensor


def refuse_overlaps(program: Program, tensors: Mapping[str, Tensor]) -> None:
    """Tensors that share part of their memory would be apart in the file: wrong as soon as one of them is written."""
    arrays = [(name, t._data) for name, t in tensors.items()]
    written = None
    for i, (name, array) in enumerate(arrays):
        for other, second in arrays[:i]:
            if np.may_share_memory(array, second) and np.shares_memory(array, second):
                written = written if written is not None else _written(program)
                if name in written or other in written:
                    raise ConversionError(
                        f"the tensors {other!r} and {name!r} share memory and the model writes into it; a "
                        f"saved model would keep them apart: "
                        "keep one of them on the model and take the other as a view of it in forward"
                    )


def _written(program: Program) -> set[str]:
    """The names of the parameters that a Program writes in place."""
    analysis = EffectAnalysis(program, OPERATORS)
    found: set[str] = set()
    for op in program.walk():
        if op.name in OPERATORS:
            for index in OPERATORS[op.name].mutates:
                found.update(root[1] for root in analysis.memory_of(op.operands[index]) if root[0] == "param")
    return found

