"""What became of each `if` and each loop of the user's: staged, run by Python, or unrolled, and why.

A recording tries much, and takes some of it back: what is told of a Block counts where that is a part of the Program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ...converted_code import is_converted, is_part
from ...ir.core import Block, Loc, Program
from ..where.lines import SourceLoc

STAGED, PYTHON, UNROLLED, MOVED = "staged", "run by Python", "unrolled", "moved"
IF, IFEXP, LOOP, COMPREHENSION = "if", "if expression", "loop", "comprehension"


class Fate(NamedTuple):
    """What became of a statement where it was met.

    loc: its line. kind: what it is. how: one of the words above. why: the reason, a clause in words.
    not_once: of a loop that would be shorter if its turns were recorded once, why they aren't; of a peeled one, why the first
    ones aren't.
    """

    loc: Loc
    kind: str
    how: str
    why: str
    not_once: str = ""


class Fates:
    """What one recording tells of them, by the Block that was open."""

    def __init__(self) -> None:
        self._told: WeakKeyDictionary[Block, dict[Fate, None]] = WeakKeyDictionary()

    def tell(self, block: Block, fate: Fate) -> None:
        """Something has become of a statement."""
        told = self._told.get(block)
        if told is None:
            told = self._told[block] = {}
        told[fate] = None

    def tell_if(self, block: Block, branch: Callable | None, here: Loc | None, how: str, why: str) -> None:
        """The same of an `if` or a conditional expression, by one of its branches; what is none of the user's isn't told.

        branch: None where it has none, since they do nothing; then it is the `if` of the line `here`.
        """
        code = getattr(branch, "__code__", None)
        if code is not None and is_converted(code):
            loc = SourceLoc(code.co_filename, code.co_firstlineno, code.co_name)
            self.tell(block, Fate(loc, IF if is_part(code) else IFEXP, how, why))
        elif branch is None and here is not None:
            self.tell(block, Fate(here._replace(caller=None), IF, how, why))

    def splice(self, block: Block, into: Block) -> None:
        """What a Block holds becomes a part of another one."""
        for fate in self._told.pop(block, ()):
            self.tell(into, fate)

    def of(self, program: Program) -> list[Fate]:
        """What is told of the Blocks of a Program, in its order."""
        blocks = [function.block for function in program.functions.values()]
        blocks += [block for op in program.walk() for block in op.blocks]
        return list(dict.fromkeys(fate for block in blocks for fate in self._told.get(block, ())))
