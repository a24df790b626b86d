"""Random nested functions: closures that rebind, lambdas, generators, and functions that call themselves."""

from __future__ import annotations

from property.scope import NAMES_PER_KIND, Scope, kind_of
from property.writer import Writer


class Functions(Writer):
    """Writes functions inside the function; each takes an int."""

    def nested(self, depth: int, scope: Scope) -> None:
        """A function inside: it reads, changes and rebinds names of the function around it."""
        ways = [self.closure]
        if "generators" in self.features:
            ways.append(self.generator)
        if "recursion" in self.features:
            ways.append(self.recursive)
        self.pick(*ways)(depth, scope, f"h{len(scope.functions)}")

    def closure(self, depth: int, scope: Scope, name: str) -> None:
        if self.chance(0.25):
            self.emit(depth, f"{name} = lambda k: {self.expr('i', scope, 1)} + k")
        else:
            self.emit(depth, f"def {name}(k):")
            inner, rebound = self.inside(depth, scope)
            self.inner_body(depth + 1, inner, rebound)
            self.emit(depth + 1, f"return {self.expr('i', inner, 1)} + k")
        scope.functions[name] = "i"

    def recursive(self, depth: int, scope: Scope, name: str) -> None:
        """It ends when k has been counted down, or sooner."""
        self.emit(depth, f"def {name}(k):")
        inner, rebound = self.inside(depth, scope)
        self.emit(depth + 1, f"if k <= 0 or {self.expr('c', inner, 1)}:" if self.chance(0.4) else "if k <= 0:")
        self.emit(depth + 2, f"return {self.expr('i', inner, 1)}")
        self.inner_body(depth + 1, inner, rebound)
        if self.chance(0.3):
            self.emit(depth + 1, f"if {self.expr('c', inner, 1)}:")
            self.emit(depth + 2, f"return {name}(k - 2) + k")
        self.emit(depth + 1, f"return ({name}(k - 1) + {self.expr('i', inner, 2)}) % 50")
        scope.functions[name] = "bounded"

    def generator(self, depth: int, scope: Scope, name: str) -> None:
        self.emit(depth, f"def {name}(k):")
        inner, rebound = self.inside(depth, scope)
        guarded = "exceptions" in self.features and self.chance(0.5)
        self.inner_body(depth + 1, inner, rebound)
        if guarded:
            self.emit(depth + 1, "try:")
        self.generator_loop(depth + 1 + guarded, inner)
        if guarded:
            self.emit(depth + 1, "finally:")
            changes = self.inner_changes(inner)
            self.emit(depth + 2, self.pick(*changes)() if changes else "k += 1")
        elif self.chance(0.4):
            self.emit(depth + 1, f"yield {self.expr('i', inner, 1)}")
        scope.functions[name] = "items"

    def generator_loop(self, depth: int, inner: Scope) -> None:
        self.emit(depth, f"for e in range({self.pick('k', '3')}):")
        if self.chance(0.5):
            self.emit(depth + 1, f"if {self.pick('e % 2 == 1', self.expr('c', inner, 1))}:")
            self.emit(depth + 2, self.pick("continue", "break", "return", f"yield {self.expr('i', inner, 1)}"))
        self.emit(depth + 1, f"yield e + {self.expr('i', inner, 1)}")

    def inside(self, depth: int, scope: Scope) -> tuple[Scope, list[str]]:
        """The names as the nested function sees them, and those that it rebinds; says so."""
        captured = [n for n in sorted(scope.bound) if kind_of(n) in ("i", "f", "l", "x", "s")]
        rebound = self.random.sample(captured, min(len(captured), self.pick(0, 1, 2)))
        rebound = [n for n in rebound if n not in scope.frozen]
        if rebound:
            self.emit(depth + 1, f"nonlocal {', '.join(rebound)}")
        inner = scope.copy()
        every = {f"{k}{j}" for k in self.kinds for j in range(NAMES_PER_KIND)}
        inner.frozen = {n for n in scope.bound if n not in rebound} | every - set(rebound)
        return inner, rebound

    def inner_body(self, depth: int, scope: Scope, rebound: list[str]) -> None:
        for name in rebound:
            kind = kind_of(name)
            line = f"{name} = {self.expr(kind, scope, 1)}" if self.chance(0.5) or kind == "l" else f"{name} += k"
            if self.chance(0.4):
                self.emit(depth, f"if {self.expr('c', scope, 1)}:")
                self.emit(depth + 1, line)
            else:
                self.emit(depth, line)
        changes = self.inner_changes(scope)
        if changes and self.chance(0.5):
            self.emit(depth, self.pick(*changes)())

    def inner_changes(self, scope: Scope) -> list:
        """Changes that need no `global`."""
        lines = [way() for way in self.mutations(scope)]
        return [lambda line=line: line for line in lines if not line.startswith("COUNT")]
