"""Random statements: assignments, control flow in every nesting. Everything that is written terminates."""

from __future__ import annotations

from property.choices import TEXTS
from property.exceptions import Exceptions
from property.functions import Functions
from property.matching import PATTERNS, Matching
from property.mutations import Mutations
from property.scope import Scope

ALIASED = ("l", "ll", "xs", "o", "d", "x", "t", "q")


class Statements(Exceptions, Matching, Functions, Mutations):
    """Writes the body of one function, line by line."""

    # --- blocks --------------------------------------------------------------------------------------------------------

    def block(self, depth: int, scope: Scope, in_loop: bool, function: str = "") -> bool:
        """Some statements; whether control leaves the block at its end."""
        budget = self.random.randrange(1, 4) if depth > 1 else self.random.randrange(4, 8)
        for _ in range(budget):
            if not self.statement(depth, scope, in_loop, function):
                return False
        return True

    def statement(self, depth: int, scope: Scope, in_loop: bool, function: str = "") -> bool:
        """One statement; False if control doesn't go on after it."""
        self.size -= 1
        choice = self.random.random()
        if choice < 0.48 and depth < 5 and self.size >= 0:
            return self.pick(*self.compound())(depth, scope, in_loop, function)
        if 0.48 <= choice < 0.53 and depth > 1:
            return self.leave(depth, scope, in_loop, function)
        if 0.53 <= choice < 0.56 and "exceptions" in self.features:
            return self.fail(depth, scope)
        self.simple(depth, scope, function)
        return True

    def compound(self) -> list:
        """The compound statements that this function may have here, as often as each is wanted."""
        ways = [self.if_] * 5
        if self.loops < 3:
            ways += [self.loop] * 3
        if "exceptions" in self.features:
            ways += [self.try_, self.try_, self.with_]
        if "match" in self.features and any(k in PATTERNS for k in self.kinds):
            ways += [self.match_] * 3
        return ways

    def leave(self, depth: int, scope: Scope, in_loop: bool, function: str) -> bool:
        if in_loop and self.chance(0.7):
            self.emit(depth, self.pick("break", "continue"))
        else:
            self.return_(depth, scope, function)
        return False

    def return_(self, depth: int, scope: Scope, function: str) -> None:
        if function:  # a nested function gives an int
            self.emit(depth, f"return {self.expr('i', scope, 1)}")
            return
        kinds = [k for k in self.kinds if scope.of(k) and k != "j"]
        kind = self.pick(*kinds) if kinds else "i"
        self.emit(depth, "return " + self.pick(
            self.expr("x", scope, 1),
            self.expr("i", scope, 1),
            f"{self.expr('x', scope, 2)}, {self.expr('i', scope, 2)}",
            f"({self.expr(kind, scope, 2)},)",
            f"[{self.expr(kind, scope, 2)}, {self.expr('i', scope, 2)}]",
            f'{{"a": {self.expr(kind, scope, 2)}, {self.pick(*TEXTS)}: {self.expr("i", scope, 2)}}}',
            self.expr(kind, scope, 1),
            "None",
        ))

    # --- control flow ----------------------------------------------------------------------------------------------------

    def if_(self, depth: int, scope: Scope, in_loop: bool, function: str) -> bool:
        arrives = []
        for k in range(self.pick(1, 1, 1, 2)):
            self.emit(depth, f"{'elif' if k else 'if'} {self.test(scope) if not k else self.expr('c', scope)}:")
            path = scope.copy()
            if self.block(depth + 1, path, in_loop, function):
                arrives.append(path)
        if self.chance(0.6):
            self.emit(depth, "else:")
            path = scope.copy()
            if self.block(depth + 1, path, in_loop, function):
                arrives.append(path)
        else:
            arrives.append(scope.copy())
        scope.meet(*arrives)
        return bool(arrives)

    def test(self, scope: Scope) -> str:
        """A condition; now and then one that also assigns."""
        if "walrus" not in self.features or not self.chance(0.4):
            return self.expr("c", scope)
        name, value = self.target("i", scope), f"{self.expr('i', scope, 1)} + int(n)"
        scope.bind(name)
        return f"({name} := {value}) {self.pick('>', '<', '==')} {self.pick('1', '2', '3')}"

    def loop(self, depth: int, scope: Scope, in_loop: bool, function: str) -> bool:
        self.loops += 1
        path = scope.copy()
        endless = False
        if self.chance(0.4):
            endless = self.while_head(depth, scope, path)
        else:
            self.for_head(depth, scope, path)
        self.block(depth + 1, path, True, function)
        scope.meet(scope.copy(), path) if not endless else scope.meet(scope.copy())
        scope.maybe |= path.maybe
        self.loops -= 1
        if self.chance(0.3):
            self.emit(depth, "else:")
            path = scope.copy()
            self.block(depth + 1, path, False, function)
            scope.maybe |= path.maybe
        return True

    def while_head(self, depth: int, scope: Scope, path: Scope) -> bool:
        """A `while` that a counter bounds."""
        counter = f"w{self.counters}"
        self.counters += 1
        limit = self.pick("1", "2", "2", "3")
        start = self.pick("0", "0", "int(n) - 2")
        self.emit(depth, f"{counter} = {start}")
        way = self.random.randrange(3)
        if way == 0:
            self.emit(depth, f"while {counter} < {limit} and {self.expr('c', scope, 1)}:")
            self.emit(depth + 1, f"{counter} += 1")
        elif way == 1:
            self.emit(depth, f"while {self.expr('c', scope)}:")
            self.emit(depth + 1, f"{counter} += 1")
            self.emit(depth + 1, f"if {counter} > {limit}:")
            self.emit(depth + 2, "break")
        else:
            self.emit(depth, "while True:")
            self.emit(depth + 1, f"{counter} += 1")
            self.emit(depth + 1, f"if {counter} > {limit} or {self.expr('c', scope, 1)}:")
            self.emit(depth + 2, "break")
        return way == 2

    def for_head(self, depth: int, scope: Scope, path: Scope) -> None:
        target = self.target("i", scope)
        ways = [
            f"for {target} in range(n):",
            f"for {target} in range(n):",
            f"for {target} in range({self.pick('2', '3')}):",
            f"for {target} in range(1, {self.expr('i', scope, 2)} % 5):",
            f"for {target} in range(int(n), 0, -1):",
            f"for {target} in reversed(range(n)):",
            f"for {target} in (1, {self.expr('i', scope, 2)}):",
            *(f"for {target} in {items}:" for items in self.expressions.items(scope)),
        ]
        line, bound = self.pick(*ways), [target]
        if self.chance(0.3):
            line, bound = self.several_head(scope, target)
        self.emit(depth, line)
        for name in bound:
            path.bind(name)

    def several_head(self, scope: Scope, target: str) -> tuple[str, list[str]]:
        """A `for` over a tensor, a list of tensors or a dict, often with several targets."""
        scalar, vector = self.target("s", scope), self.target("x", scope)
        ways = [
            (f"for {scalar} in x0:", [scalar]),
            (f"for {target}, {scalar} in enumerate(x0):", [target, scalar]),
            (f"for {target}, {scalar} in zip(range(n), x0):", [target, scalar]),
        ]
        if scope.of("xs"):
            items = self.pick(*scope.of("xs"))
            ways += [
                (f"for {vector} in list({items}):", [vector]),
                (f"for {target}, {vector} in enumerate({items}[:3]):", [target, vector]),
                (f"for {target}, {vector} in zip((1, 2), {items}):", [target, vector]),
            ]
        if scope.of("d"):
            table, key = self.pick(*scope.of("d")), self.target("g", scope)
            ways += [
                (f"for {key} in {table}:", [key]),
                (f"for {key}, {target} in {table}.items():", [key, target]),
                (f"for {target} in {table}.values():", [target]),
                (f"for {key} in sorted({table}):", [key]),
            ]
        return self.pick(*ways)

    # --- straight lines --------------------------------------------------------------------------------------------------

    def simple(self, depth: int, scope: Scope, function: str) -> None:
        mutations = self.mutations(scope)
        if mutations and self.chance(0.5):
            self.emit(depth, self.pick(*mutations)())
            return
        if self.features & {"closures", "recursion", "generators"} and not function and self.chance(0.12):
            self.nested(depth, scope)
            return
        if "text" in self.features and self.chance(0.15):
            self.emit(depth, self.print_(scope))
            return
        if "unpack" in self.features and self.chance(0.15):
            self.unpack(depth, scope)
            return
        self.assign(depth, scope)

    def print_(self, scope: Scope) -> str:
        shown = [n for kind in ("i", "f", "l", "d", "u", "g") for n in scope.of(kind)]
        return self.pick(
            f"print({self.pick(*TEXTS)}, {self.expr('i', scope, 1)})",
            f"print({self.expr('g', scope)})",
            f"print({self.pick(*shown) if shown else '0'}, {self.expr('i', scope, 2)}, sep='-', end=';')",
        )

    def unpack(self, depth: int, scope: Scope) -> None:
        """An assignment to several names at once, one of them starred."""
        items = self.pick(*self.expressions.items(scope), f"[{self.expr('i', scope, 2)}, {self.expr('i', scope, 2)}]")
        one, rest, other = self.target("i", scope), self.target("l", scope), self.target("i", scope)
        line = self.pick(f"{one}, *{rest}", f"*{rest}, {one}", f"{one}, *{rest}, {other}", f"{one}, {other}", f"{one}, *_")
        self.emit(depth, f"{line} = {items}")
        for name in (one, rest, other):
            if name in line:
                scope.bind(name)

    def assign(self, depth: int, scope: Scope) -> None:
        kind = self.pick(*self.kinds)
        way = self.random.random()
        if way < 0.08:
            other = self.pick(*self.kinds)
            line = f"{self.expr(kind, scope, 1)}, {self.expr(other, scope, 1)}"
            a, b = self.target(kind, scope), self.target(other, scope)
            self.emit(depth, f"{scope.bind(a)}, {scope.bind(b)} = {line}")
        elif way < 0.16 and kind in ALIASED:
            line = self.expr(kind, scope)
            a, b = self.target(kind, scope), self.target(kind, scope)
            self.emit(depth, f"{scope.bind(a)} = {scope.bind(b)} = {line}")
        elif way < 0.2 and "unbound" in self.features and scope.bound - scope.frozen:
            name = self.pick(*sorted(scope.bound - scope.frozen))
            self.emit(depth, f"del {name}")
            scope.unbind(name)
        else:
            line = self.expr(kind, scope)
            self.emit(depth, f"{scope.bind(self.target(kind, scope))} = {line}")
