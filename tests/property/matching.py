"""Random `match` statements: literals, sequences, mappings, classes, captures, alternatives and guards."""

from __future__ import annotations

from property.scope import Scope
from property.writer import Writer

# Patterns by the kind of what is matched; {i} stands for an int name that is captured, and so on.
PATTERNS = {
    "i": ("0", "1 | 2", "-1", "{i}", "int()", "(3 | 4) as {i}"),
    "g": ('"a"', '"a" | "b"', "{g}", "str()", '""'),
    "l": ("[]", "[{i}]", "[{i}, _]", "[{i}, *{l}]", "[1, *_]", "[*_, {i}]", "[_, 2 | 4, *_]"),
    "u": ("()", "({i},)", "[{i}, _]", "(0, *_)", "(_, {i}, *_)"),
    "d": ('{{"a": {i}}}', '{{"a": 1}}', '{{"b": {i}, **{d}}}', '{{"k": _, "a": {i}}}', "{{}}"),
    "p": ("(0, _)", "({i}, {x})", "[1 | 2, {x}]"),
    "o": ("Box(v=0)", "Box(v={i})", "Box(v=1 | 2 | 3)", "Box(log=[])", "Box(log=[{i}, *_])", "Point()"),
    "q": ("Point(0)", "Point({i}, {x})", "Point(v=1 | 2)", "Point(v={i})", "Box()"),
    "r": ("Reading(0, _)", "Reading({i}, {x})", "(1, {x})", "Reading(count={i})"),
    "m": ("None", "int()", "str()", "({i}, _)", "Box(v={i})", "list() | dict()"),
}


class Matching(Writer):
    """Writes `match` statements; the blocks are written by `block`."""

    def match_(self, depth: int, scope: Scope, in_loop: bool, function: str) -> bool:
        kind = self.pick(*[k for k in PATTERNS if k in self.kinds and (k != "m" or scope.of("m"))])
        self.emit(depth, f"match {self.expr(kind, scope, 1)}:")
        arrives = []
        after = scope.copy()  # what is known when no case fits
        for _ in range(self.pick(1, 2, 2, 3)):
            path = after.copy()
            self.case(depth + 1, kind, path, after)
            if self.block(depth + 2, path, in_loop, function):
                arrives.append(path)
        if self.chance(0.4):
            self.emit(depth + 1, "case _:")
            if self.block(depth + 2, after, in_loop, function):
                arrives.append(after)
        else:
            arrives.append(after)
        scope.maybe |= after.maybe
        scope.meet(*arrives)
        return bool(arrives)

    def case(self, depth: int, kind: str, path: Scope, after: Scope) -> None:
        """A case; a guard sees what the pattern captures, which stays bound where the guard says no."""
        template = self.pick(*PATTERNS[kind])
        captured = {k: self.target(k, path) for k in ("i", "x", "l", "d", "g") if f"{{{k}}}" in template}
        for name in captured.values():
            path.bind(name)
            after.maybe.add(name)
        pattern = template.format(**captured)
        always = template in ("{i}", "{g}")
        guard = f" if {self.expr('c', path, 1)}" if always or self.chance(0.2) else ""
        self.emit(depth, f"case {pattern}{guard}:")
