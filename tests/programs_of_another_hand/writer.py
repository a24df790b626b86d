"""Fills the holes of texts, and puts statements into one another."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from .habit import Habit

DEEPEST = 3
PLAIN = Habit(
    "plain statements",
    acts=(
        "if $c:\n    $b",
        "if $c:\n    $b\nelse:\n    $b",
        "for row in x:\n    y = y + row\n    $b",
        "for i in range($m):\n    $b",
        "$1 = 0\nwhile $1 < $m:\n    $1 += 1\n    $b",
        "for row in x:\n    if row > 1:\n        break\n    $b",
        "$1 = y\nwhile $1 > 1:\n    $1 = $1 * 0.5 - 0.25\n    $b",
        "k = $i",
        "y = $t",
        "out.append($i)",
        "k += $i",
        "if $c:\n    return y, k",
        "for i in range(3):\n    if $c:\n        ${break|continue}\n    $b",
    ),
    ints=(
        "k",
        "int(n)",
        "1",
        "2",
        "-1",
        "3",
        "len(out)",
        "int(x.sum())",
        "(k + $i)",
        "k % 3",
        "x.shape[0]",
        "(k if $c else $i)",
        "abs(k)",
    ),
    tensors=("y", "y + 1", "y * 0.5", "x.sum()", "y + $i", "(y if $c else x.max())", "y - x.sum()", "-y"),
    truths=(
        "x.sum() > 1",
        "k > 1",
        "n > 1",
        "y > $i",
        "k == $i",
        "x.max() > 1",
        "not $c",
        "($c and $c)",
        "n == 2",
        "0 < k < 4",
    ),
)


class Writer:
    """One program's texts, by one stream of random choices."""

    def __init__(self, rng: random.Random, habits: Sequence[Habit]):
        self.rng, self.habits, self._names = rng, [PLAIN, *habits], 0
        self.left = rng.randint(3, 9)  # statements that may still be written

    def one(self, kind: str) -> str:
        """A text of a kind, of a habit that has any; the plain ones come up as often as all others."""
        having = [habit for habit in self.habits if getattr(habit, kind)]
        habit = having[0] if having[0] is PLAIN and self.rng.random() < 0.4 else self.rng.choice(having)
        return self.rng.choice(getattr(habit, kind))

    def fill(self, text: str, depth: int = 0) -> str:
        """The text with everything in its holes but statements."""
        text, names = self._choose(text), {}

        def filled(hole: re.Match) -> str:
            kind = hole.group(1)
            if kind.isdigit():
                if kind not in names:
                    self._names += 1
                    names[kind] = f"v{self._names}"
                return names[kind]
            if kind == "m":
                return self.rng.choice(("2", "3", "int(n)", "min(3, abs(k))", "len(out) % 3"))
            return self._expression({"i": "ints", "t": "tensors", "c": "truths"}[kind], depth)

        return re.sub(r"\$([ictm]|\d)", filled, text)

    def _expression(self, kind: str, depth: int) -> str:
        if depth > 1:
            return self.rng.choice(
                {"ints": ("k", "1", "int(n)"), "tensors": ("y", "x.sum()"), "truths": ("k > 1", "y > 1", "n > 1")}[kind]
            )
        return self.fill(self.one(kind), depth + 1)

    def _choose(self, text: str) -> str:
        """The text with one alternative in place of each choice."""
        start = text.find("${")
        if start < 0:
            return text
        end = _closing(text, start + 1)
        chosen = self.rng.choice(_alternatives(text[start + 2 : end]))
        return text[:start] + chosen + self._choose(text[end + 1 :])

    def block(self, depth: int = 0) -> list[str]:
        """Some statements, as lines."""
        lines: list[str] = []
        for _ in range(self.rng.randint(1, 2) if depth else self.left):
            if self.left > 0:
                self.left -= 1
                lines += self.statement(depth)
        return lines or ["k = k + 1"]

    def statement(self, depth: int) -> list[str]:
        """One statement, as lines."""
        text = self.one("acts")
        while "$b" in text and depth >= DEEPEST:
            text = self.one("acts")
        lines: list[str] = []
        for line in self.fill(text.replace("$b", "@@")).split("\n"):
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + inner for inner in self.block(depth + 1)] if line.strip() == "@@" else [line]
        return lines


def _closing(text: str, opening: int) -> int:
    """Where the brace that opens there is closed."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if not depth:
            return at
    raise ValueError(f"a choice isn't closed: {text}")


def _alternatives(text: str) -> list[str]:
    """The parts between the bars that stand in no bracket."""
    parts, depth = [""], 0
    for character in text:
        depth += {**dict.fromkeys("([{", 1), **dict.fromkeys(")]}", -1)}.get(character, 0)
        if character == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts
