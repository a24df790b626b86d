"""The Blocks that are being filled: where objects are born, and what a Restage takes back."""

from __future__ import annotations

from collections.abc import Hashable

from ...ir.core import Block, Value


class Body:
    """The Block of a Function being recorded: what stands at its head, and what it was given from around it."""

    def __init__(self, block: Block):
        self.block = block
        self.prologue = 0
        self.parameters: dict[str, Value] = {}  # the `param` operations at its head
        self.captures: dict[Value, Value] = {}  # a Value of a Function around it -> the argument that brings it


class Frame:
    """A Block being filled, the Function it is in (without `body`: its own), and the constants it already has."""

    def __init__(self, block: Block, level: int, body: Body | None = None, tested: Hashable = None):
        self.block, self.level = block, level
        self.tested = tested  # the loop whose condition is tried here, since it may be staged
        self.body = Body(block) if body is None else body
        self.constants: dict[tuple, Value] = {}
        self.is_tentative = False  # whether it becomes a part of the Block around it, unless what it meets speaks against that
        self.acted = ""  # what is said if it doesn't: in it something was done that can't be taken back
        self.into: Frame | None = None  # the Frame whose Block this one's has become a part of: what was born here was born there
