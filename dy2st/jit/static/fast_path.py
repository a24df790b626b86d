"""A short check of whether the arguments of a call are of the last one's kind: tensors only."""

from __future__ import annotations

from ...dtypes import DTYPES
from ...runtime.tensors.spec import InputSpec
from ...runtime.tensors.tensor import Tensor
from .concrete import ConcreteProgram


class FastPath:
    """The Program that was called last, and what its inputs are.

    is_given: whether the user gave the specs, which don't say whether a gradient is wanted.
    """

    def __init__(self, program: ConcreteProgram, specs: list[InputSpec], is_given: bool):
        self.program = program
        self._checks = [(DTYPES[s.dtype].numpy, tuple(s.shape), -1 in s.shape, s.stop_gradient) for s in specs]
        self._is_given = is_given

    @classmethod
    def of(cls, program: ConcreteProgram, count: int, is_given: bool) -> FastPath | None:
        """None where some argument of the call, which gave `count` by position, isn't a plain tensor input."""
        specs = list(program.arguments.values())
        if count != len(specs) or not all(isinstance(s, InputSpec) for s in specs):
            return None
        return cls(program, specs, is_given)

    def takes(self, args: tuple) -> bool:
        """Whether these arguments are of the Program's kind."""
        if len(args) != len(self._checks):
            return False
        for value, (dtype, shape, is_open, stop_gradient) in zip(args, self._checks):
            if not isinstance(value, Tensor):
                return False
            data = value._data
            if data.dtype is not dtype and data.dtype != dtype:
                return False
            if data.shape != shape and not (
                is_open and len(data.shape) == len(shape) and all(d in (-1, n) for d, n in zip(shape, data.shape))
            ):
                return False
            if not self._is_given and value.stop_gradient is not stop_gradient:
                return False
        return True
