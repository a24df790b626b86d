"""Random exceptions: assert and raise, try with its handlers and its other blocks, context managers."""

from __future__ import annotations

from property.choices import TEXTS
from property.scope import Scope
from property.writer import Writer


class Exceptions(Writer):
    """Writes what raises, and what catches; the blocks in between are written by `block`, the single lines by `simple`."""

    def fail(self, depth: int, scope: Scope) -> bool:
        way = self.random.randrange(4)
        if way == 0:
            self.emit(depth, f"assert {self.expr('c', scope, 1)}, {self.pick(*TEXTS)}")
            return True
        if way == 1:
            self.emit(depth, f"assert {self.expr('c', scope, 1)}")
            return True
        if depth == 1 or way == 2:
            self.emit(depth, f"if {self.expr('c', scope)}:")
            self.raise_(depth + 1, scope)
            return True
        self.raise_(depth, scope)
        return False

    def raise_(self, depth: int, scope: Scope) -> None:
        number = self.expr("i", scope, 1)
        self.emit(depth, "raise " + self.pick('ValueError("bad")', f'Trouble("odd", {number})', "KeyError(3)", "IndexError"))

    def try_(self, depth: int, scope: Scope, in_loop: bool, function: str) -> bool:
        final = self.chance(0.4)
        handlers = self.pick(
            ["ValueError"], ["Trouble", "KeyError"], ["(KeyError, IndexError)"], ["Exception"], [] if final else ["IndexError"]
        )
        self.emit(depth, "try:")
        body, paths = scope.copy(), []
        arrives = self.block(depth + 1, body, in_loop, function)
        raised = scope.copy()
        raised.bound &= body.bound  # the body may have deleted some
        raised.maybe |= body.maybe
        for caught in handlers:
            self.handler(depth, caught, raised.copy(), in_loop, function, paths)
        if handlers and arrives and self.chance(0.3):
            self.emit(depth, "else:")
            arrives = self.block(depth + 1, body, in_loop, function)
        paths += [body] if arrives else []
        if final:
            self.final(depth, raised, paths)
        scope.maybe |= raised.maybe
        scope.meet(*paths)
        return bool(paths)

    def handler(self, depth: int, caught: str, path: Scope, in_loop: bool, function: str, paths: list[Scope]) -> None:
        name = self.pick("", " as e")
        self.emit(depth, f"except {caught}{name}:")
        if name and "g" in self.kinds and self.chance(0.5):
            self.emit(depth + 1, f"{path.bind(self.target('g', path))} = str(e)")
        way = self.random.random()
        if way < 0.12:
            self.emit(depth + 1, "raise")
        elif way < 0.2 and name:
            self.emit(depth + 1, 'raise Trouble("again", 2) from e')
        elif self.block(depth + 1, path, in_loop, function):
            paths.append(path)

    def final(self, depth: int, anyhow: Scope, paths: list[Scope]) -> None:
        """One statement, over what is bound on every path."""
        self.emit(depth, "finally:")
        anyhow.bound = set.intersection(anyhow.bound, *(path.bound for path in paths))
        before = set(anyhow.bound)
        self.simple(depth + 1, anyhow, "")
        for path in paths:
            path.bound = (path.bound - before) | anyhow.bound

    def with_(self, depth: int, scope: Scope, in_loop: bool, function: str) -> bool:
        notes = self.pick(*scope.of("l")) if scope.of("l") else "[]"
        self.emit(depth, f"with Manager({notes}, {self.pick('False', 'True', self.expr('c', scope, 1))}):")
        body = scope.copy()
        self.block(depth + 1, body, in_loop, function)
        scope.bound &= body.bound
        scope.maybe |= body.maybe
        return True
