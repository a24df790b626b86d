"""To which tensors of a Function's result gradients lead, and from which inputs and parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...errors import Dy2stError, EngineError
from ...ir.core import Program
from ...ir.types import TensorType
from ...runtime.engines import NUMPY, Engine, Executable
from ...runtime.tensors.activity import leaf_kind
from ...runtime.tensors.gradient_marks import GradientMarks, are_known, holds_containers
from .recent import LRUCache
from .result_leaves import Flow, is_somewhere

if TYPE_CHECKING:
    from ...passes.gradient_flags import GradientFlags

Asked = tuple[int | str, ...]
EVERYWHERE = -1


class ResultFlags:
    """The flags of a tensor in the result are the bits of what it leads back to.

    leaf, inside: the bits of a leaf that the Program makes, and of what it computes of one; 0 where it makes none. keys: numbers
    of inputs and names of parameters; bits: the bit of each. executable: what gives a tuple of the result and its flags, where
    these follow from what a call is given.
    """

    def __init__(self, program: Program, function: str, keys: Collection[int | str], engine: Engine, exceptions: Any):
        self._program, self._function, self._engine, self._exceptions = program, function, engine, exceptions
        self.bits: Mapping[int | str, int] = {key: 1 << k for k, key in enumerate(keys)}
        self.makes_leaves = any(leaf_kind(op) == "made" for op in program.walk())
        self.leaf, self.inside = (1 << len(keys), 2 << len(keys)) if self.makes_leaves else (0, 0)
        self._flows: LRUCache[tuple[Asked, bool], Flow | None] = LRUCache()
        self._unknown: set[Asked] = set()
        self.executable: Executable | None = None
        self.reason: Dy2stError | None = None  # why only a run on the tape tells them

    def flow(self, asked: Asked, exactly: bool) -> Flow | None:
        """Where gradients with respect to some of the keys arrive; None: a call of `executable` tells it.

        exactly: the flags tell, too, what each tensor leads back to.
        """
        return self._flows.get_or_create((asked, exactly), lambda: self._flow(asked, exactly))

    def _flow(self, asked: Asked, exactly: bool) -> Flow | None:
        program, function = self._program, self._program.functions[self._function]
        found = GradientMarks(program, function, dict.fromkeys(asked, EVERYWHERE)).of_result()
        is_enough = not exactly or self._is_one_tensor or self._engine is not NUMPY
        if are_known(found) and is_enough and not self.makes_leaves:
            return found  # other engines have no backward of some Programs that give flags as well
        if self._exact is None:
            self._unknown.add(asked)
            return EVERYWHERE
        return self._exact.known

    @property
    def _is_one_tensor(self) -> bool:
        """Whether the backward tells what the result leads back to: it has zeros, not None, for an item that nobody has read."""
        types = self._program.functions[self._function].result_types
        return all(isinstance(type_, TensorType) for type_ in types) and not holds_containers(self._program)

    def is_unknown(self, asked: Asked) -> bool:
        """Whether only a run on the tape tells the flow, after `flow` was asked for it."""
        return asked in self._unknown

    @cached_property
    def _exact(self) -> GradientFlags | None:
        """Those of every path; None where no rule knows them."""
        from ...passes.gradient_flags import GradientFlags, UnknownFlags  # only who trains needs it: loading is quick without

        try:
            bits = self.bits, self.leaf, self.inside
            found = GradientFlags(self._program, self._function, *bits, lambda alone: NUMPY.compile_program(alone)())
            if found.known is None:
                self.executable = self._engine.compile_program(found.program, self._exceptions)
            return found
        except (UnknownFlags, EngineError) as error:
            self.reason = error
            return None

    def mask(self, asked: Collection[int | str]) -> int:
        """The bits of some of the keys, and of leaves that the Program makes."""
        return sum(self.bits[key] for key in asked) | self.leaf | self.inside

    @property
    def may_give_leaves(self) -> bool:
        """Whether a leaf that the Program makes may be in the result: what is computed of it leads back to it."""
        if not self.makes_leaves:
            return False
        return self.known is None or is_somewhere(self.known, self.leaf)

    @property
    def known(self) -> Flow | None:
        """The flags, if every call has the same."""
        return None if self._exact is None else self._exact.known

    @property
    def program(self) -> Program:
        """The Program that gives a tuple of the result and its flags."""
        assert self._exact is not None
        return self._exact.program

    def release(self) -> None:
        """Give back the memory that the executable keeps between calls."""
        if self.executable is not None:
            self.executable.release()
