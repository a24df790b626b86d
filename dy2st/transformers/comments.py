"""The user's comments and blank lines, which no tree has: read from the source, and put beside the code that came from there.

    # the small ones                    # the small ones
    if x.max() < 1:               ->    def true_fn_0():  # 10: if x.max() < 1:
        return x  # as they are             return x  # 11  # as they are

Where no text came of a line, its comment stands before that of the statement around it: never in another function.
"""

from __future__ import annotations

import dataclasses
import tokenize
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

LAYOUT = {tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
FUNCTIONS = {"def", "async", "class"}
BLANK = (0, "")
CLAUSES = {"else", "elif", "except", "finally"}      # begin a line that belongs to the one above of the same column


@dataclasses.dataclass
class UsersLine:
    """A logical line of the user's."""

    first: int
    last: int
    column: int
    word: str
    above: list[tuple[int, str]]      # the comments on lines of their own above it, with their columns; "" is a blank line
    comments: list[str]

    @property
    def beside(self) -> str:
        """The comment at its end, of a line that is no longer than one."""
        return self.comments[0] if self.first == self.last and self.comments else ""

    @property
    def inside(self) -> list[str]:
        """The comments of a line that is written on several."""
        return [] if self.first == self.last else self.comments


@dataclasses.dataclass(frozen=True)
class Home:
    """A piece of text, by its first and last line, and the user's line that it came from: a statement, or the head of one."""

    start: int
    end: int
    line: int


def logical_lines(source: Sequence[str], first: int) -> list[UsersLine]:
    """The logical lines of a function's source, whose first line has this number."""
    lines: list[UsersLine] = []
    above: list[tuple[int, str]] = []
    is_open = False
    for token in tokenize.generate_tokens((line + "\n" for line in source).__next__):
        row, column = token.start[0] + first - 1, token.start[1]
        if token.type == tokenize.COMMENT:
            lines[-1].comments.append(token.string) if is_open else above.append((column, token.string))
        elif token.type == tokenize.NL:
            if not is_open and not token.line.strip() and above[-1:] != [BLANK]:
                above.append(BLANK)
        elif token.type == tokenize.NEWLINE:
            lines[-1].last, is_open = row, False
        elif token.type not in LAYOUT and not is_open:
            lines.append(UsersLine(row, row, column, token.string, above, []))
            above, is_open = [], True
    return lines


class Layout:
    """Which comments and blank lines go where in the rewritten text: before, behind and beside its lines, by their numbers."""

    def __init__(self, text: Sequence[str], homes: Sequence[Home], lines: Sequence[UsersLine]):
        self.text, self.lines = text, lines
        self.before: dict[int, list[str]] = defaultdict(list)
        self.behind: dict[int, list[str]] = defaultdict(list)
        self.beside: dict[int, str] = {}
        self.homes: dict[int, list[Home]] = defaultdict(list)
        self.heads: dict[int, int] = {}      # of generated functions: the last line of each, and its first
        for home in homes if lines else ():
            index = self._index_of(home.line)
            self.homes[index].append(home)
            if lines[index].word not in FUNCTIONS and text[home.start - 1].lstrip().startswith("def "):
                self.heads[home.end] = home.start
        for index, line in enumerate(lines):
            self._place(index, line)

    def _index_of(self, number: int) -> int:
        """The index of the logical line that a line of the source is in."""
        return max(0, bisect_right(self.lines, number, key=lambda line: line.first) - 1)

    def _place(self, index: int, line: UsersLine) -> None:
        for column, note in line.above:
            if not note:
                self._separate(index)
            elif index and column > line.column:
                self._put_behind(index - 1, column, note)
            else:
                self._put_before(index, note)
        for note in line.inside:
            self._put_before(index, note)
        if line.beside and self.homes[index]:
            self.beside[self.homes[index][0].end] = line.beside
        elif line.beside:
            self._put_before(index, line.beside)

    def _with_text(self, index: int) -> int:
        """The index of this line; where no text came of it, of the first line in its block, or of what is around it."""
        if not self.homes[index] and self.lines[index].word in CLAUSES and self.homes[index + 1]:
            return index + 1
        while not self.homes[index]:
            index = self._around(index)
        return index

    def _around(self, index: int) -> int:
        """The index of the line that heads the block of another, or the statement that it is a clause of."""
        inside = self.lines[index].column + (self.lines[index].word in CLAUSES)
        return next(i for i in range(index - 1, -1, -1) if self.lines[i].column < inside)

    def _put_before(self, index: int, note: str) -> None:
        """A comment before the first text of a line."""
        at = self._with_text(index)
        if at < index and self.lines[at].word in FUNCTIONS:
            self._put_first(at, note)
        else:
            home = self.homes[at][0]
            self.before[home.start].append(self._indentation(home) + note)

    def _put_behind(self, index: int, column: int, note: str) -> None:
        """A comment behind the last text of the statement that ends with this line and begins at this column, or left of it."""
        while self.lines[index].column > column or not self.homes[index]:
            index = self._around(index)
        if self.lines[index].word in FUNCTIONS:
            self._put_first(index, note)
        else:
            home = self.homes[index][-1]
            self.behind[home.end].append(self._indentation(home) + note)

    def _put_first(self, index: int, note: str) -> None:
        """A comment at the beginning of a function of the user's."""
        home = self.homes[index][0]
        self.behind[home.end].append(self._indentation(home) + " " * 4 + note)

    def _indentation(self, home: Home) -> str:
        line = self.text[home.start - 1]
        return line[: len(line) - len(line.lstrip())]

    def _separate(self, index: int) -> None:
        """A blank line before the text of a line; where that begins a generated function, before that and its comments."""
        at = self._with_text(index)
        if at < index:
            return
        start = self.homes[at][0].start
        if start - 1 not in self.heads:
            self.before[start].append("")
            return
        while start - 1 in self.heads:
            start = self.heads[start - 1]
        if self.before[start][:1] != [""]:
            self.before[start].insert(0, "")
