"""What an Executable holds of a Program at first: the arrays of its parameters, and state of its own."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import EngineError
from ...ir.core import Program
from .aliases import TensorAliases


def arrays_of(program: Program, aliases: Callable[[], TensorAliases]) -> dict[str, np.ndarray]:
    """The arrays of the parameters; of a read-only one that the Program writes, such as of a mapped file, a copy."""
    return {name: _storage(name, parameter.data, aliases) for name, parameter in program.parameters.items()}


def _storage(name: str, data: Any, aliases: Callable[[], TensorAliases]) -> np.ndarray:
    if not isinstance(data, np.ndarray):
        raise EngineError(f"parameter {name!r} has no data")
    return data.copy() if not data.flags.writeable and aliases().mutated_parameter(name) else data


def state_of(program: Program) -> dict[str, Any]:
    """A copy of the state that the Program starts from."""
    memo: dict[int, Any] = {}  # one for all: state that is one object stays one object
    return {name: copy.deepcopy(state.value, memo) for name, state in program.state.items()}
