"""The Blocks of the Program being recorded: which are open, and where the next Operation goes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import NoReturn

from ...errors import ConversionError, StagedValueError
from ...ir.core import Block, Function, Loc, Operation, Program, Value
from ...ir.types import Type
from ..heap.frames import Frame
from ..heap.markers import Raised
from ..where.user_code import user_loc


class Blocks:
    """The stack of open Blocks of one Program, and the module path that Operations get.

    names: what the tensors and layers of the root layer are called, by id.
    """

    def __init__(self, names: dict[int, str]):
        self.program = Program()
        self.frames: list[Frame] = []
        self.stopped: set[Value] = set()  # tensors whose gradient the user has stopped
        self.recorded = 0  # operations so far, over all trials
        self._names = names
        self._paths: list[str] = []

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @property
    def has_values(self) -> bool:
        """Whether there is a Value by now, of an input or of an Operation: until then, all is known while staging."""
        return bool(self.recorded or self.frames[0].block.args)

    def open_function(self, name: str, arg_types: list[Type]) -> list[Value]:
        """Open the entry function; its arguments."""
        block = Block(arg_types)
        self.program.functions[name] = Function(name, block)
        self.frames.append(Frame(block, 1))
        return block.args

    @contextlib.contextmanager
    def opened(self, frame: Frame):
        """Append to `frame`'s Block for a while (again), unless it has ended."""
        if frame.block.terminator is not None:
            raise StagedValueError(f"{user_loc()}: an object made inside a branch or a loop is used outside of it")
        self.frames.append(frame)
        try:
            yield frame
        finally:
            self.frames.pop()

    @contextlib.contextmanager
    def back_in(self, frame: Frame):
        """Append to an open outer Block for a while: its end is just before the control flow that is being staged in it."""
        depth = self.frames.index(frame) + 1
        inner = self.frames[depth:]
        del self.frames[depth:]
        try:
            yield frame
        finally:
            self.frames.extend(inner)

    def act(self, said: str) -> None:
        """Something is about to be done that can't be taken back; ConversionError with these words where it would have to be."""
        inner = self.frames[1:]
        if not all(frame.is_tentative for frame in inner):
            self.refuse_whatever_follows(said)
        for frame in inner:
            frame.acted = frame.acted or said

    def refuse_whatever_follows(self, said: str) -> NoReturn:
        """ConversionError with these words, also where what has called this takes no exception: `__del__`, for example."""
        for frame in self.frames:
            frame.acted = said
        raise ConversionError(said)

    def append(self, op: Operation) -> Operation:
        self.recorded += 1
        return self.frames[-1].block.append(op)

    def emit(
        self,
        name: str,
        operands: Iterable[Value] = (),
        types: Iterable[Type] = (),
        attrs: dict | None = None,
        blocks: Iterable[Block] = (),
    ) -> Operation:
        """Append a core operation at the user's line."""
        return self.append(Operation(name, operands, attrs, types, blocks, self.here(), self.path))

    def end_dead(self, exception: str = "RuntimeError") -> NoReturn:
        """Nothing after this point runs: what stands before it raises."""
        self.emit("raise", attrs={"exception": exception, "bases": [exception]})
        raise Raised

    def at_entry(self, op: Operation) -> Operation:
        """Insert an Operation at the head of the open Function, where every Block of it sees the result."""
        body = self.frame.body
        op.parent = body.block
        body.block.ops.insert(body.prologue, op)
        body.prologue += 1
        return op

    def home(self, value: Value) -> Frame | None:
        """The open Block that a Value belongs to; None if that Block is closed."""
        block = value.block
        for frame in reversed(self.frames):
            if frame.block is block:
                return frame
        return None

    def sees(self, value: Value) -> bool:
        """Whether a Value belongs to a Block that is open."""
        return self.home(value) is not None

    @property
    def path(self) -> str:
        return self._paths[-1] if self._paths else ""

    @contextlib.contextmanager
    def enter_layer(self, layer: object):
        """Record what follows under the module path of `layer`."""
        self._paths.append(self._names.get(id(layer), self.path))
        try:
            yield
        finally:
            self._paths.pop()

    def here(self) -> Loc | None:
        """The user's line that runs, and the calls that led to it."""
        raise NotImplementedError
